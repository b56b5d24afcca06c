import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { usePeople } from '../../testing/people/people.ts'
import { erasePerson } from './erase-person.ts'

describe.each(databases)('what staff typed about an erased person on $name', (database) => {
  const { service, app, grant, who } = usePeople(database)
  const control = () => service.ctx.control

  /** Enters a search for this text into the audit log. */
  const searchFor = (q: string) =>
    control().write((trx) =>
      trx
        .insertInto('audit')
        .values({
          ...{ at: 1, staff_id: null, email: 'x', environment: 'production', aid: app.aid },
          ...{ action: 'x', params: JSON.stringify({ q }), details: '{}', outcome: 'done' },
        })
        .execute(),
    )
  const searches = async () =>
    (
      await control()
        .read.selectFrom('audit')
        .select('params')
        .where('aid', '=', app.aid)
        .orderBy('seq')
        .execute()
    ).map(({ params }) => (JSON.parse(params) as { q: string }).q)

  it('is removed from the audit log: address, references and names', async () => {
    const names = { first_name: 'Zoe', last_name: 'Lee' }
    const { uid } = await grant('zoe@example.com', { user_ref: 'member 7', ...names })
    for (const typed of ['Zoe@Example.com', 'member 7', 'zoe', 'Lee', 'zoe lee']) {
      await searchFor(typed)
    }
    await erasePerson(control(), app.environment, who(uid))
    expect(await searches()).toEqual(Array.from({ length: 5 }, () => '(erased)'))
  })

  it('stays in the audit log where it is about others', async () => {
    const { uid } = await grant('zoe@example.com', { user_ref: 'member 7' })
    await grant('bob@example.com', { user_ref: 'member 8', first_name: 'Bob' })
    const others = ['bob@example.com', 'member 8', 'Bob', ' ']
    for (const typed of others) await searchFor(typed)
    await erasePerson(control(), app.environment, who(uid))
    expect(await searches()).toEqual(others)
  })
})
