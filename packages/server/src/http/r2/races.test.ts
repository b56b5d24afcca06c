import { ApiError } from '@gatehouse/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import type { TestApplication } from '../../testing/service.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'

const times = <T>(count: number, fn: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => fn(index)))

async function statusOf(answer: Promise<unknown>): Promise<number> {
  try {
    await answer
    return 200
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}

const tally = (statuses: readonly number[]) =>
  Object.fromEntries(
    [...new Set(statuses)].map((one) => [one, statuses.filter((status) => status === one).length]),
  )

/** Two services on one database: races that a single process would hide show up between two. */
describe.each(databases)('Races on $name', (database) => {
  const service = useService(database)
  const second = useService(database, () => ({ installation: service.installation }))
  const app = useFreshApplication(service, { resources: ['news', 'archive'] })
  /** Clients of the same application, one for each service. */
  let clients: TestApplication['client'][]
  beforeEach(async () => {
    clients = [app.client, app.clientAt(second.url)]
  })

  const client = (index: number) => clients[index % clients.length] as TestApplication['client']
  const db = () => app.environment.database.read
  const count = async (table: 'access' | 'outbox' | 'users' | 'user_refs' | 'sources') =>
    (await db().selectFrom(table).select('aid').where('aid', '=', app.aid).execute()).length

  it('makes one user, one record and one mail of twenty identical grants', async () => {
    const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann', tags: 'a,b' }
    const granted = await times(20, (i) => client(i).grantAccess(input))
    for (const one of granted) expect(one).toEqual(granted[0])
    expect(await count('users')).toBe(1)
    expect(await count('access')).toBe(1)
    expect(await count('sources')).toBe(1)
    expect(await count('outbox')).toBe(1)
  })

  it('lets exactly one of ten e-mail addresses have a new reference', async () => {
    const statuses = await times(10, (i) =>
      statusOf(
        client(i).grantAccess({ rid: 'news', email: `u${i}@example.com`, user_ref: 'wanted' }),
      ),
    )
    expect(tally(statuses)).toEqual({ 200: 1, 402: 9 })
    expect(await count('users')).toBe(1)
    expect(await count('access')).toBe(1)
    expect(await count('outbox')).toBe(1)
  })

  it('gives one user all of ten references that arrive at once', async () => {
    const email = 'ann@example.com'
    const granted = await times(10, (i) =>
      client(i).grantAccess({ rid: 'news', email, user_ref: `ref${i}` }),
    )
    expect(new Set(granted.map(({ id }) => id)).size).toBe(1)
    expect(await count('user_refs')).toBe(10)
    for (let i = 0; i < 10; i++) {
      expect(await client(i).hasAccess({ rid: 'news', user_ref: `ref${i}` })).toBe(true)
    }
  })

  it('loses none of two names that arrive at once', async () => {
    const input = { email: 'ann@example.com', user_ref: 'ann', suppress_email: true }
    const { uid } = await app.client.grantAccess({ rid: 'news', ...input })
    for (let round = 0; round < 10; round++) {
      const [first_name, last_name] = [`First ${round}`, `Last ${round}`]
      await Promise.all([
        client(0).grantAccess({ rid: 'news', ...input, first_name }),
        client(1).grantAccess({ rid: 'archive', ...input, last_name }),
      ])
      expect(await app.client.getUser(uid)).toMatchObject({ first_name, last_name })
    }
  })

  it('leaves the tags and the end of one of ten different grants, not a mixture', async () => {
    const base = service.clock.seconds + 1000
    const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
    await times(10, (i) =>
      client(i).grantAccess({ ...input, expiration: base + i, tags: `t${i},u${i}` }),
    )
    const { expires = 0, tags } = await app.client.getAccess({ rid: 'news', user_ref: 'ann' })
    const winner = expires - base
    expect(tags).toEqual([`t${winner}`, `u${winner}`])
    expect((await app.client.searchAccess({ tag: `t${winner}` })).total).toBe(1)
    expect(await count('outbox')).toBe(10)
  })

  it('lets exactly one of ten revokes through', async () => {
    const who = { rid: 'news', user_ref: 'ann' }
    await app.client.grantAccess({ ...who, email: 'ann@example.com' })
    const statuses = await times(10, (i) => statusOf(client(i).revokeAccess(who)))
    expect(tally(statuses)).toEqual({ 200: 1, 404: 9 })
  })

  it('ends a grant and a revoke at once in the state of one order or the other', async () => {
    const who = { rid: 'news', user_ref: 'ann' }
    for (let round = 0; round < 15; round++) {
      const input = { ...who, email: 'ann@example.com', suppress_email: true }
      const old = await app.client.grantAccess(input)
      const expiration = service.clock.seconds + 1000 + round
      const [granted, revoked] = await Promise.all([
        client(round).grantAccess({ ...input, expiration }),
        client(round + 1).revokeAccess(who),
      ])
      expect(revoked.id).toBe(old.id)
      const left = await app.client.findAccess(who)
      // If the grant came first, the updated record was revoked; otherwise the grant created a new one.
      if (granted.id === old.id) {
        expect(left).toBeUndefined()
        expect(revoked.expires).toBe(expiration)
      } else {
        expect(left).toEqual(granted)
        expect(revoked).not.toHaveProperty('expires')
      }
    }
  })

  it('answers "no" everywhere once a revoke was answered, however many are asking', async () => {
    const who = { rid: 'news', user_ref: 'ann' }
    for (let round = 0; round < 3; round++) {
      await app.client.grantAccess({ ...who, email: 'ann@example.com', suppress_email: true })
      let answered = false
      let late = 0
      const asking = times(6, async (i) => {
        for (let n = 0; n < 15; n++) {
          const after = answered
          if ((await client(i).hasAccess(who)) && after) late++
        }
      })
      await client(round).revokeAccess(who)
      answered = true
      await asking
      expect(late).toBe(0)
    }
  })
})
