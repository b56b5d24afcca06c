import { describe, expect, it } from 'vitest'
import { type AccessTable, FOREVER, type SourceTable } from '../../db/tables.ts'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import {
  addPaidSource,
  changeSource,
  listOpenSources,
  lockOrCreateAccess,
  queuePeriods,
  scheduleNewPeriod,
} from './sources.ts'

describe.each(databases)('Access that is paid for, on $name', (database) => {
  const service = useService(database, { checksInvariants: false })
  const app = useApplication(service, { resources: ['news'] })

  async function buy(uid: string, userRef?: string, amount?: number) {
    const paid = amount === undefined ? undefined : { amount, currency: 'EUR' }
    const input = { aid: app.aid, rid: 'news', uid, userRef, paid }
    const { database: db, clock } = app.environment
    return await db.write((trx) => lockOrCreateAccess(trx, input, clock()))
  }
  /** Grants access to a new user, who also has these references. */
  async function newUser(name: string, ...refs: string[]) {
    const granted = await app.client.grantAccess({ rid: 'news', email: `${name}@example.com` })
    const { aid, uid } = granted
    const rows = refs.map((ref) => ({ aid, uid, ref, alias: 0 as const }))
    if (rows.length > 0) {
      await app.environment.database.write((trx) =>
        trx.insertInto('user_refs').values(rows).execute(),
      )
    }
    return granted
  }

  it('is new after the earlier one was revoked, with the reference and the price', async () => {
    const { uid, id } = await newUser('ann', 'ann-1')
    await app.client.revokeAccess({ rid: 'news', user_ref: 'ann-1' })
    const made = await buy(uid, 'ann-1', 499)
    expect(made.id).not.toBe(id)
    const now = app.environment.clock()
    expect(made).toMatchObject({ user_ref: 'ann-1', amount: 499, currency: 'EUR', ends: now })
    expect(await buy(uid)).toEqual(made)
  })

  it('is the access that is there, which keeps its reference unless it gets another', async () => {
    const { uid, id } = await newUser('bob', 'bob-1', 'bob-2')
    expect(await buy(uid)).toMatchObject({ id, user_ref: null, amount: 0, currency: null })
    expect(await buy(uid, 'bob-1', 100)).toMatchObject({ id, user_ref: 'bob-1', amount: 100 })
    expect(await buy(uid, undefined, 200)).toMatchObject({ id, user_ref: 'bob-1', amount: 200 })
    expect(await buy(uid, 'bob-2')).toMatchObject({ id, user_ref: 'bob-2', amount: 200 })
  })

  it('has no reference and no price if none is known', async () => {
    const { uid } = await newUser('cid')
    await app.client.revokeAccess({ rid: 'news', user_ref: uid })
    expect(await buy(uid)).toMatchObject({ user_ref: null, amount: 0, currency: null })
  })
})

const HOUR = 3_600
const DAY = 24 * HOUR

describe('A period that is bought', () => {
  const now = 1_000_000
  const source = (kind: SourceTable['kind'], ends: number) => ({ kind, ends }) as SourceTable

  it.each([
    ['of nothing else', [], now],
    ['of a grant', [source('grant', now + HOUR)], now],
    ['of a purchase for life', [source('purchase', FOREVER)], now],
    ['of paid time that is over', [source('purchase', now - HOUR)], now],
    ['of another period', [source('purchase', now + HOUR)], now + HOUR],
    ['of a subscription', [source('subscription', now + HOUR)], now + HOUR],
    [
      'of all of these',
      [
        source('grant', now + 3 * HOUR),
        source('purchase', now + 2 * HOUR),
        source('subscription', now + HOUR),
        source('purchase', FOREVER),
      ],
      now + 2 * HOUR,
    ],
  ])('waits for the end %s', (_, open, starts) => {
    expect(scheduleNewPeriod(open, '1 day', now)).toEqual({ starts, ends: starts + DAY })
  })

  it('for life begins at once and never ends', () => {
    const open = [source('purchase', now + HOUR)]
    expect(scheduleNewPeriod(open, null, now)).toEqual({ starts: now, ends: FOREVER })
  })

  it('does not reach beyond the last time that can be stored', () => {
    const open = [source('subscription', FOREVER - HOUR)]
    expect(scheduleNewPeriod(open, '1 day', now)).toEqual({
      ...{ starts: FOREVER - HOUR, ends: FOREVER },
    })
  })
})

describe.each(databases)('Paid time of one access, on $name', (database) => {
  const service = useService(database, { checksInvariants: false })
  const app = useApplication(service, { resources: ['news'] })
  let access: AccessTable
  let now: number

  /** Everything of the access, by hours from now: when it starts, if it is a period, and when it ends. */
  async function hours(): Promise<[number | null, number][]> {
    const open = await listOpenSources(app.environment.database.read, access)
    const fromNow = (time: number) => (time - now) / HOUR
    return open.map(({ starts, ends }) => [starts && fromNow(starts), fromNow(ends)])
  }

  type Time = { starts?: number; ends: number }

  /** Creates access that has a grant of 99 hours, and these: a period if it starts, and else a subscription. */
  async function openAccess(...times: Time[]): Promise<SourceTable[]> {
    const { database: db, clock } = app.environment
    const email = `${Math.random()}@example.com`
    now = clock()
    const expiration = now + 99 * HOUR
    const { uid } = await app.client.grantAccess({ rid: 'news', email, expiration })
    return await db.write(async (trx) => {
      const who = { aid: app.aid, rid: 'news', uid, userRef: undefined, paid: undefined }
      access = await lockOrCreateAccess(trx, who, now)
      for (const [i, { starts, ends }] of times.entries()) {
        const span = { ends: now + ends * HOUR }
        const source =
          starts === undefined
            ? { kind: 'subscription' as const, ...span }
            : {
                ...{ kind: 'purchase' as const, period: '1 day' },
                ...{ starts: now + starts * HOUR, ...span },
              }
        // In the order in which they were bought.
        await addPaidSource(trx, access, source, now + i)
      }
      return (await listOpenSources(trx, access)).slice(1)
    })
  }
  const change = (source: SourceTable | undefined, to: { ends: number } | { closed: number }) =>
    app.environment.database.write((trx) =>
      changeSource(trx, access, source?.id as string, to, now),
    )

  it('is listed in the order in which it was bought', async () => {
    await openAccess({ ends: 10 }, { starts: 10, ends: 34 }, { starts: 34, ends: 58 })
    const bought = [
      [null, 99],
      [null, 10],
      [10, 34],
      [34, 58],
    ]
    expect(await hours()).toEqual(bought)
    const { database: db } = app.environment
    await db.write(async (trx) => {
      const [first] = await listOpenSources(trx, access)
      const later = { created: now + 60 }
      await trx
        .updateTable('sources')
        .set(later)
        .where('id', '=', first?.id as string)
        .execute()
    })
    expect(await hours()).toEqual([...bought.slice(1), ...bought.slice(0, 1)])
  })

  it('moves up when what it waits for is closed, but not before what is being used', async () => {
    const [, subscription] = await openAccess(
      { starts: -19, ends: 5 },
      { ends: 10 },
      { starts: 10, ends: 34 },
      { starts: 34, ends: 58 },
    )
    expect(await change(subscription, { closed: now })).toBe(now + 99 * HOUR)
    expect(await hours()).toEqual([
      [null, 99],
      [-19, 5],
      [5, 29],
      [29, 53],
    ])
  })

  it('moves back when what it waits for is renewed, also a moment after it had begun', async () => {
    const [, subscription] = await openAccess(
      { starts: -19, ends: 5 },
      { ends: -1 },
      { starts: -1, ends: 23 },
    )
    expect(await change(subscription, { ends: now + 200 * HOUR })).toBe(now + 224 * HOUR)
    expect(await hours()).toEqual([
      [null, 99],
      [-19, 5],
      [null, 200],
      [200, 224],
    ])
  })

  it('stays where it is if it has begun and something that ends later is renewed', async () => {
    const [subscription] = await openAccess({ ends: 10 }, { starts: 0, ends: 24 })
    await change(subscription, { ends: now + 50 * HOUR })
    expect(await hours()).toEqual([
      [null, 99],
      [null, 50],
      [0, 24],
    ])
  })

  /** Queues these sources behind the others, as after a merge. */
  const queue = (...sources: (SourceTable | undefined)[]) =>
    app.environment.database.write((trx) =>
      queuePeriods(trx, access, new Set(sources.map((source) => source?.id as string)), now),
    )

  it('is queued after a merge: what runs keeps its rest, and what waits its whole length', async () => {
    const [, running, waiting] = await openAccess(
      { ends: 10 },
      { starts: -19, ends: 5 },
      { starts: 5, ends: 29 },
    )
    await queue(running, waiting)
    expect(await hours()).toEqual([
      [null, 99],
      [null, 10],
      [10, 15],
      [15, 39],
    ])
    const open = await listOpenSources(app.environment.database.read, access)
    expect(open.map(({ remaining }) => remaining)).toEqual([null, null, 5 * HOUR, null])
  })

  it('is queued in the order in which it would have begun', async () => {
    const [, later, sooner] = await openAccess(
      { ends: 10 },
      { starts: 3, ends: 27 },
      { starts: 1, ends: 25 },
    )
    await queue(later, sooner)
    expect(await hours()).toEqual([
      [null, 99],
      [null, 10],
      [34, 58],
      [10, 34],
    ])
  })

  it('stays where it is if nothing else is paid for', async () => {
    const [running] = await openAccess({ starts: -19, ends: 5 })
    await queue(running)
    expect(await hours()).toEqual([
      [null, 99],
      [-19, 5],
    ])
  })

  it('is not queued if it is over, or has no end', async () => {
    const lifetime = (FOREVER - app.environment.clock()) / HOUR
    const [, over, forLife] = await openAccess(
      { ends: 10 },
      { starts: -24, ends: 0 },
      { starts: -1, ends: lifetime },
    )
    await queue(over, forLife)
    expect(await hours()).toEqual([
      [null, 99],
      [null, 10],
      [-24, 0],
      [-1, lifetime],
    ])
  })
})
