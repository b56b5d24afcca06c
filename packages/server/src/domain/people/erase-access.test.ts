import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { usePeople } from '../../testing/people/people.ts'
import { eraseAccess } from './erase-access.ts'

describe.each(databases)('the access records of an erased person on $name', (database) => {
  const { app, db, grant } = usePeople(database)
  const erase = (uid: string) => db().write((trx) => eraseAccess(trx, app.aid, uid))
  const digestsOf = async (accessId: string) =>
    (
      await db()
        .read.selectFrom('sources')
        .select('message_digest')
        .where('access_id', '=', accessId)
        .execute()
    ).map(({ message_digest }) => message_digest)

  it('lose references, tags and what is left of messages, and nobody else’s do', async () => {
    const ann = await grant('ann@example.com', { user_ref: 'ann', tags: 'gift', message: 'Hi' })
    const bob = await grant('bob@example.com', { user_ref: 'bob', tags: 'gift', message: 'Hi' })
    expect(await digestsOf(ann.id)).not.toEqual([''])
    await erase(ann.uid)
    const { data } = await app.client.searchAccess({})
    // The uid is shown in place of a reference.
    expect(data.find(({ id }) => id === ann.id)).toMatchObject({ user_ref: ann.uid, tags: [] })
    expect(await digestsOf(ann.id)).toEqual([''])
    expect(data.find(({ id }) => id === bob.id)).toMatchObject({ user_ref: 'bob', tags: ['gift'] })
    expect(await digestsOf(bob.id)).not.toEqual([''])
    const tagged = await app.client.searchAccess({ tag: 'gift' })
    expect([tagged.data.map(({ id }) => id), tagged.total]).toEqual([[bob.id], 1])
  })

  it('count as emptied if they had a reference or tags, and only once', async () => {
    const { uid } = await grant('ann@example.com', { user_ref: 'ann' })
    await grant('ann@example.com', { rid: 'maps', tags: 'gift' })
    await grant('ann@example.com', { rid: 'plans' })
    expect([await erase(uid), await erase(uid)]).toEqual([2, 0])
  })
})
