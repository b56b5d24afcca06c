import { describe, expect, it, onTestFailed, vi } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { raceCursors } from '../../testing/events/cursor-race.ts'
import { raceCursorsAtProcesses } from '../../testing/events/cursor-race-processes.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { mergeUsers } from '../people/merge.ts'

/** Starts real processes: on a busy machine each start takes many seconds. */
vi.setConfig({ testTimeout: 600_000 })

interface Seen {
  type: string
  data: { uid?: string }
}

describe.each(databases)('Events that are read while they are written, on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['a', 'b', 'c'] })

  it('are missed by nobody, come to nobody twice, and have rising numbers for each reader', async () => {
    const { aid, privateKey, baseUrl } = app
    const race = { aid, privateKey, baseUrl: async () => baseUrl, now: () => service.clock.now }
    const size = { rids: ['a', 'b', 'c'], writers: 16, rounds: 3, pagers: 3 }
    const { events } = await raceCursors({ ...race, ...size }, app.environment.database.read)
    expect(events).toBeGreaterThan(150)
  })

  it('are the same at two processes that are killed', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    onTestFailed(() => console.error(`seed ${seed}`))
    const size = { writers: 16, rounds: 3, pagers: 2, kills: 1, seed }
    expect(await raceCursorsAtProcesses(database, size)).toMatchObject({ writes: 96 })
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
    const { data: seen } = await app.client.searchEvents({ limit: 1000 })
    const last = (seen as unknown as Seen[])
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
