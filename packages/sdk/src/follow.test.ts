import { describe, expect, it } from 'vitest'
import { databases } from '../../server/src/testing/databases.ts'
import { useFreshApplication, useService } from '../../server/src/testing/use-service.ts'
import type { Fetch } from './index.ts'
import { ConnectionError, type Event, Gatehouse, UnauthorizedError } from './index.ts'

const READERS = 30

describe('Events, followed with the client', () => {
  const service = useService(databases[0])
  const app = useFreshApplication(service, { resources: ['news'] })
  const grant = (user_ref: string) =>
    app.client.grantAccess({ rid: 'news', email: `${user_ref}@example.com`, user_ref })
  const grantAll = async () => {
    for (let n = 0; n < READERS; n++) await grant(`reader${n}`)
  }
  const idsOf = async () => {
    const { data } = await app.client.searchEvents({ limit: 1000 })
    return data.map(({ id }) => id)
  }

  /** A site in memory that ends after some number of events. */
  function newSite(count: number) {
    const done = new AbortController()
    const site = {
      cursor: undefined as string | undefined,
      handled: [] as string[],
      errors: [] as unknown[],
      signal: done.signal,
      interval: 5,
      load: () => site.cursor,
      save(cursor: string) {
        site.cursor = cursor
        if (new Set(site.handled).size >= count) done.abort()
      },
      handle(event: Event): unknown {
        site.handled.push(event.id)
        return undefined
      },
      onError: (error: unknown) => site.errors.push(error),
    }
    return site
  }

  it('each have a cursor that leads to the next one', async () => {
    await grantAll()
    const ids = await idsOf()
    for (const stop of [1, 5, ids.length - 1]) {
      const seen: string[] = []
      let after = ''
      for await (const { event, cursor } of app.client.listEvents({ limit: 7 })) {
        seen.push(event.id)
        after = cursor
        if (seen.length === stop) break
      }
      for await (const { event } of app.client.listEvents({ after, limit: 7 })) seen.push(event.id)
      expect(seen).toEqual(ids)
    }
  })

  it('come to the handler one by one, and go on after the last one handled', async () => {
    await grantAll()
    const ids = await idsOf()
    const first = newSite(7)
    await app.client.followEvents(first)
    expect(first.handled).toEqual(ids.slice(0, 7))
    const second = newSite(ids.length - 7 + 2)
    second.cursor = first.cursor
    const following = app.client.followEvents(second)
    // Those to come arrive, too.
    await grant('late')
    await following
    expect(second.handled).toEqual((await idsOf()).slice(7))
  })

  it('come again until they are handled, through outages of either side', async () => {
    await grantAll()
    const ids = await idsOf()
    let calls = 0
    const unsteady: Fetch = (url, init) =>
      ++calls % 3 === 1 ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init as never)
    const { aid, privateKey, baseUrl } = app
    const now = () => service.clock.now
    const client = new Gatehouse({ baseUrl, aid, privateKey, now, timeout: 100, fetch: unsteady })
    const site = newSite(ids.length)
    const tries = new Map<string, number>()
    const { handle, save } = site
    let saves = 0
    site.handle = (event) => {
      const count = (tries.get(event.id) ?? 0) + 1
      tries.set(event.id, count)
      if (event.id === ids[3] && count < 3) throw new Error('no database')
      return handle(event)
    }
    site.save = (cursor) => {
      if (++saves === 5) throw new Error('no disk')
      save(cursor)
    }
    await client.followEvents(site)
    expect([...new Set(site.handled)]).toEqual(ids)
    expect(tries.get(ids[3] as string)).toBe(3)
    expect(site.errors.map((error) => (error as Error).message)).toEqual(
      expect.arrayContaining(['no database', 'no database', 'no disk']),
    )
  }, 30_000)

  it('are left out if the site has handled a later one of the reader', async () => {
    const { uid } = await grant('ann')
    await grant('ben')
    const { data } = await app.client.searchEvents()
    const last = data.findLast((event) => 'uid' in event.data && event.data.uid === uid)
    const others = data.filter((event) => !('uid' in event.data) || event.data.uid !== uid)
    const site = newSite(others.length)
    const sequences = new Map([[uid, last?.sequence]])
    await app.client.followEvents({ ...site, lastSequence: (one) => sequences.get(one) })
    expect(site.handled).toEqual(others.map(({ id }) => id))
    expect(site.handled.length).toBeGreaterThan(0)
  })

  it('move the cursor past other types', async () => {
    await grant('ann')
    const { cursor: end } = await app.client.searchEvents({ after: 'latest' })
    const done = new AbortController()
    const saved: string[] = []
    await app.client.followEvents({
      load: () => undefined,
      save: (cursor) => {
        saved.push(cursor)
        done.abort()
      },
      handle: () => expect.unreachable(),
      types: 'refund.*',
      signal: done.signal,
    })
    expect(saved).toEqual([end])
  })

  it('end with the signal, and with a request that the service refuses', async () => {
    const done = new AbortController()
    const idle = { load: () => 'latest', save: () => {}, handle: () => {}, interval: 60_000 }
    const following = app.client.followEvents({
      ...idle,
      save: () => setTimeout(() => done.abort(), 10),
      signal: done.signal,
    })
    await following
    const { aid, baseUrl } = app
    const stranger = new Gatehouse({ baseUrl, aid, privateKey: 'k'.repeat(40) })
    await expect(stranger.followEvents(idle)).rejects.toBeInstanceOf(UnauthorizedError)
    await expect(app.client.followEvents({ ...idle, types: 'odd.*' })).rejects.toMatchObject({
      parameter: 'types',
    })
    await expect(
      app.client.followEvents({ ...idle, load: () => 'nonsense' }),
    ).rejects.toMatchObject({ parameter: 'after' })
    const nowhere = new Gatehouse({ ...app, baseUrl: 'http://127.0.0.1:9', timeout: 200 })
    const gone = new AbortController()
    const errors: unknown[] = []
    await nowhere.followEvents({
      ...idle,
      signal: gone.signal,
      onError(error) {
        errors.push(error)
        gone.abort()
      },
    })
    expect(errors).toEqual([expect.any(ConnectionError)])
  })
})
