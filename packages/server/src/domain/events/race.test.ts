import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { mergeUsers } from '../people/merge.ts'

const WRITERS = 16
const READERS = 3
const ROUNDS = 6

interface Seen {
  id: string
  type: string
  sequence?: number
  data: { uid?: string }
}

describe.each(databases)('Events that are read while they are written, on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['a', 'b', 'c'] })

  /** Pages by cursor until the writers are done and nothing is left. */
  async function readAll(isDone: () => boolean, limit: number): Promise<Seen[]> {
    const seen: Seen[] = []
    let after: string | undefined
    for (;;) {
      const wasDone = isDone()
      const page = await app.client.searchEvents(after === undefined ? { limit } : { limit, after })
      seen.push(...(page.data as unknown as Seen[]))
      after = page.cursor
      if (wasDone && !page.more) return seen
    }
  }

  /** Grants and revokes, of few readers, so that the writers meet. */
  async function write(n: number): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const reader = (n + round) % 5
      const who = { email: `r${reader}@example.com`, user_ref: `r${reader}` }
      const rid = 'abc'.charAt((n + round) % 3)
      await app.client.grantAccess({ ...who, rid, tags: `${n}-${round}`, suppress_email: true })
      if (round % 3 === 2) {
        await app.client.revokeAccess({ rid, user_ref: who.user_ref }).catch(() => {})
      }
    }
  }

  it('are missed by nobody, come to nobody twice, and count without a gap for each reader', async () => {
    let done = false
    const readers = Array.from({ length: READERS }, (_, i) => readAll(() => done, 3 + i * 20))
    await Promise.all(Array.from({ length: WRITERS }, (_, n) => write(n)))
    done = true
    const [first = [], ...others] = await Promise.all(readers)
    const { read } = app.environment.database
    const stored = await read
      .selectFrom('events')
      .select(['id', 'uid', 'sequence', 'position'])
      .where('aid', '=', app.aid)
      .orderBy('position')
      .execute()
    const ids = stored.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(WRITERS * ROUNDS)
    expect(first.map(({ id }) => id)).toEqual(ids)
    for (const seen of others) expect(seen.map(({ id }) => id)).toEqual(ids)
    expect(stored.map(({ position }) => position)).toEqual(ids.map((_, i) => i + 1))
    for (const uid of new Set(stored.map((row) => row.uid).filter((one) => one !== null))) {
      const own = stored.filter((row) => row.uid === uid).map(({ sequence }) => sequence)
      expect(own).toEqual(own.map((_, i) => i + 1))
    }
  })

  it('end with the state that there is, also for a reader who was merged meanwhile', async () => {
    const uids = await Promise.all(
      ['x', 'y'].map(async (name) => {
        const input = { rid: 'a', email: `${name}@example.com`, user_ref: name }
        return (await app.client.grantAccess(input)).uid
      }),
    )
    const [from, into] = uids as [string, string]
    const merging = app.environment.database.write((trx) =>
      mergeUsers(trx, { aid: app.aid, from, into, actor: 'test' }, service.clock.seconds),
    )
    const granting = ['b', 'c'].map((rid) =>
      app.client.grantAccess({ rid, email: 'y@example.com', user_ref: 'y' }),
    )
    await Promise.all([merging, ...granting])
    const seen = await readAll(() => true, 1000)
    const last = seen
      .filter(({ type, data }) => type === 'user.access_changed' && data.uid === into)
      .at(-1)
    const entitlements: unknown[] = []
    for await (const one of app.client.listEntitlements({ user_ref: 'x' })) entitlements.push(one)
    expect(last?.data).toMatchObject({ uid: into, entitlements })
    expect(entitlements).toHaveLength(3)
  })

  it('are refused after a cursor that would miss some', async () => {
    await app.client.grantAccess({ rid: 'a', email: 'ann@example.com' })
    const { cursor } = await app.client.searchEvents({ limit: 1 })
    const latest = await app.client.searchEvents({ after: 'latest' })
    expect(latest).toMatchObject({ data: [], more: false })
    await app.client.grantAccess({ rid: 'b', email: 'ann@example.com' })
    const { data } = await app.client.searchEvents({ after: latest.cursor, types: 'access.*' })
    expect(data.map(({ type }) => type)).toEqual(['access.granted'])
    const refusal = (after: string) =>
      app.client.searchEvents({ after }).then(
        () => 'accepted',
        ({ message }) => message as string,
      )
    expect(await refusal('nonsense')).toContain('not a cursor')
    expect(await refusal('1-zzzzzz')).toContain('restore')
    expect(await refusal('999999-zzzzzz')).toContain('restore')
    await app.environment.database.write((trx) =>
      trx.updateTable('event_counters').set({ swept: 2 }).where('aid', '=', app.aid).execute(),
    )
    expect(await refusal(cursor)).toContain('no longer kept')
    await app.environment.database.write((trx) =>
      trx.updateTable('event_counters').set({ swept: 0 }).where('aid', '=', app.aid).execute(),
    )
    await expect(app.client.searchEvents({ types: 'access.nothing' })).rejects.toThrow(/no type/)
  })
})
