import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useEvents } from '../../testing/events/use-events.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { grantAccess } from '../access/grants/grant.ts'
import { setOpens } from '../passes/opens.ts'
import { applyPaymentFinding } from '../payments/apply-payment.ts'
import { requestRefund } from '../payments/refunds/orders.ts'
import { eraseUser } from '../people/erase.ts'
import { mergeUsers } from '../people/merge.ts'
import { cancelSubscription, resumeSubscription } from '../subscriptions/lifecycle.ts'
import { setNames } from '../users/change.ts'
import { reportEndedAccess } from './ended.ts'
import { MAX_EVENT_BYTES } from './write.ts'

const DAY = 86_400

describe.each(databases)('Events on $name', (database) => {
  const { shop, ann, db, now, clocks, eventsOf, typesOf, listed } = useEvents(database)

  it('tell of a grant, its change, its repetition and its end', async () => {
    const [granted, state, ...rest] = await eventsOf(() =>
      shop.client.grantAccess({ ...ann, expiration: now() + 100, tags: 'gift' }),
    )
    expect(rest).toEqual([])
    expect(granted).toMatchObject({
      ...{ id: expect.stringMatching(/^evt_\w{22}$/), type: 'access.granted', version: 1 },
      ...{ aid: shop.aid, environment: 'sandbox', changed: {} },
      timestamp: new Date(now() * 1000).toISOString(),
      data: { rid: 'news', user_ref: 'ann', user_email: ann.email, tags: ['gift'], status: 'live' },
      cause: { actor: 'api', action: 'granted' },
    })
    const { uid, id } = granted.data
    expect(granted.sequence).toBeGreaterThan(clocks().realTime)
    expect(state).toMatchObject({ type: 'user.access_changed', sequence: granted.sequence + 1 })
    expect(state.data).toMatchObject({
      ...{ uid, user_email: ann.email, references: ['ann'], more: false },
      entitlements: [{ rid: 'news', granted: true, code: 'granted', access_id: id }],
    })
    expect(state.data.entitlements).toEqual(await listed())
    expect(
      await typesOf(() =>
        shop.client.grantAccess({ ...ann, expiration: now() + 100, tags: 'gift' }),
      ),
    ).toEqual([])
    const [changed] = await eventsOf(() =>
      shop.client.grantAccess({ ...ann, expiration: now() + 200 }),
    )
    expect(changed).toMatchObject({
      type: 'access.changed',
      data: { expires: now() + 200 },
      changed: { expires: now() + 100, tags: ['gift'] },
    })
    await shop.advance(200)
    const ended = await eventsOf(async () => {
      await Promise.all([reportEndedAccess(db(), now()), reportEndedAccess(db(), now())])
      await reportEndedAccess(db(), now())
    })
    expect(ended).toMatchObject([
      { type: 'access.ended', data: { id, status: 'expired' } },
      { type: 'user.access_changed', sequence: ended[0].sequence + 1, data: { entitlements: [] } },
    ])
    expect(await typesOf(() => shop.client.grantAccess(ann))).toEqual([
      'access.granted',
      'user.access_changed',
    ])
    expect(await typesOf(() => shop.client.grantAccess({ ...ann, tags: 'x' }))).toEqual([
      'access.changed',
      'user.access_changed',
    ])
    expect(await typesOf(() => shop.client.revokeAccess({ rid: 'news', user_ref: 'ann' }))).toEqual(
      ['access.revoked', 'user.access_changed'],
    )
  })

  it('tell the same of a reader who is new as of one who is known', async () => {
    const past = now() - 100
    const give = { ...ann, expiration: now() + 100, tags: 'gift, press' }
    const [granted, state] = await eventsOf(() => shop.client.grantAccess(give))
    const [changed, known] = await eventsOf(() =>
      shop.client.grantAccess({ ...give, expiration: now() + 200 }),
    )
    expect(granted.data).toEqual({ ...changed.data, expires: now() + 100 })
    const [entitlement] = known.data.entitlements
    const [source] = entitlement.sources
    const until = now() + 100
    expect(state.data).toEqual({
      ...known.data,
      entitlements: [
        { ...entitlement, until, next_change: until, sources: [{ ...source, until }] },
      ],
    })
    // Access that was over before it was granted is no entitlement.
    const bob = { rid: 'news', email: 'bob@example.com', user_ref: 'bob', expiration: past }
    const [, nothing] = await eventsOf(() => shop.client.grantAccess(bob))
    expect(nothing.data).toMatchObject({ references: ['bob'], entitlements: [] })
  })

  it('tell all that a new reader got in one transaction', async () => {
    const events = await eventsOf(() =>
      db().write(async (trx) => {
        const grant = { aid: shop.aid, email: ann.email, userRef: 'ann', actor: 'test' }
        for (const rid of ['news', 'archive']) {
          await grantAccess(trx, { ...grant, rid, ends: now() + 100 }, clocks())
        }
      }),
    )
    const first = events[0].sequence
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['access.granted', first],
      ['access.granted', first + 1],
      ['user.access_changed', first + 2],
    ])
    expect(events[2].data.entitlements).toEqual(await listed())
    expect(await listed()).toHaveLength(2)
  })

  it('tell of a purchase, its dispute and its refund, once each', async () => {
    expect(await typesOf(() => shop.buy({ rid: 'news', userRef: 'ann' }))).toEqual([
      'payment.succeeded',
      'access.granted',
      'user.access_changed',
    ])
    const [payment] = (await shop.client.searchPayments()).data
    const key = { aid: shop.aid, id: payment?.id as string }
    const find = (dispute: object) =>
      db().write((trx) =>
        applyPaymentFinding(trx, shop.environment, key, {
          ...{ status: 'succeeded', ref: undefined, money: { amount: 499, currency: 'EUR' } },
          dispute,
        } as never),
      )
    expect(
      await eventsOf(() => find({ lost: 0, open: { amount: 499, isRefundable: false } })),
    ).toMatchObject([
      {
        type: 'dispute.opened',
        data: { id: key.id, status: 'disputed' },
        changed: { status: 'succeeded' },
      },
    ])
    expect(await typesOf(() => find({ lost: 0 }))).toEqual(['dispute.won'])
    const refunded = await eventsOf(async () => {
      await db().write((trx) =>
        requestRefund(trx, { aid: shop.aid, paymentId: key.id, actor: 'test' }, clocks()),
      )
      await shop.work()
      await reportEndedAccess(db(), now())
    })
    expect(refunded.map(({ type }) => type)).toEqual([
      'refund.succeeded',
      'access.ended',
      'user.access_changed',
    ])
    expect(refunded[0].data).toMatchObject({ payment_id: key.id, amount: 4.99, rid: 'news' })
    expect(refunded[1].cause).toMatchObject({ action: 'purchase ended', why: 'refunded' })
  })

  it('tell how a subscription goes', async () => {
    const terms = { ...MONTHLY, trial_days: 14 }
    expect(await typesOf(() => shop.buy({ rid: 'news', userRef: 'ann', terms }))).toEqual([
      'subscription.started',
      'access.granted',
      'user.access_changed',
    ])
    expect(await typesOf(() => shop.advance(12 * DAY))).toEqual(['subscription.trial_ending'])
    const renewal = await typesOf(() => shop.advance(2 * DAY + 10))
    expect(renewal).toEqual([
      ...['access.changed', 'user.access_changed'],
      ...['payment.succeeded', 'subscription.renewed', 'access.changed', 'user.access_changed'],
    ])
    const subscription = (await shop.client.searchSubscriptions()).data[0]
    const who = { aid: shop.aid, id: subscription?.id as string, actor: 'test' }
    const canceled = await eventsOf(() =>
      db().write((trx) => cancelSubscription(trx, who, clocks(), 'kept')),
    )
    expect(canceled).toMatchObject([
      {
        type: 'subscription.canceled',
        data: { status: 'canceled' },
        changed: { status: 'active' },
      },
      { type: 'user.access_changed', data: { entitlements: [{ code: 'canceled' }] } },
    ])
    expect(await typesOf(() => db().write((trx) => resumeSubscription(trx, who, now())))).toEqual([
      'subscription.resumed',
      'user.access_changed',
    ])
  })

  it('tell of users: changed, merged, erased', async () => {
    const { uid } = await shop.client.grantAccess(ann)
    const bob = await shop.client.grantAccess({ ...ann, email: 'bob@example.com', user_ref: 'bob' })
    const names = { first_name: 'Anna' }
    const [updated, ...more] = await eventsOf(() =>
      db().write((trx) => setNames(trx, { aid: shop.aid, uid, actor: 'test' }, names, now())),
    )
    expect(more).toEqual([])
    expect(updated).toMatchObject({
      type: 'user.updated',
      data: { first_name: 'Anna' },
      changed: { first_name: '' },
    })
    const merged = await eventsOf(() =>
      db().write((trx) =>
        mergeUsers(trx, { aid: shop.aid, from: uid, into: bob.uid, actor: 'test' }, now()),
      ),
    )
    const after = updated.sequence
    expect(merged.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['user.merged', after + 1],
      ['access.revoked', after + 2],
      ['access.changed', after + 3],
      ['user.access_changed', after + 4],
    ])
    expect(merged[0].data).toMatchObject({ uid: bob.uid, merged_uid: uid, references: ['bob'] })
    const erased = await eventsOf(() =>
      db().write((trx) => eraseUser(trx, { aid: shop.aid, uid: bob.uid, actor: 'test' }, clocks())),
    )
    expect(erased.map(({ type }) => type)).toEqual([
      'access.revoked',
      'user.access_changed',
      'user.erased',
    ])
    expect(erased[2].data).toEqual({
      uid: bob.uid,
      references: ['ann', 'bob', uid].sort(),
    })
    expect(JSON.stringify(erased.slice(0, 2))).not.toMatch(/@|"bob"|"ann"/)
  })

  it('tell of the catalogue, once for each resource of a transaction', async () => {
    const opens = { rids: ['news'], prefixes: ['arch'], all: false }
    const events = await eventsOf(() =>
      db().write(async (trx) => {
        await setOpens(trx, { aid: shop.aid, rid: 'news' }, { ...opens, rids: [] }, now(), 'test')
        await setOpens(trx, { aid: shop.aid, rid: 'archive' }, opens, now(), 'test')
      }),
    )
    expect(events).toMatchObject([
      { type: 'catalogue.changed', data: { rid: 'news', opens: { prefixes: ['arch'] } } },
      {
        type: 'catalogue.changed',
        data: { rid: 'archive', opens },
        changed: { opens_added: opens },
      },
    ])
    expect(events[0].sequence).toBeUndefined()
  })

  it('fit into 20 kB: a state that is longer says where to read on', async () => {
    const rids = Array.from({ length: 90 }, (_, i) => `${'long-'.repeat(15)}${i + 10}`)
    await db().write((trx) =>
      trx
        .insertInto('resources')
        .values(
          rids.map((rid) => ({
            ...{ aid: shop.aid, rid, name: rid, url: '', created: now(), description: '' },
            ...{ image: '', image_id: null, archived: null },
          })),
        )
        .execute(),
    )
    for (const rid of rids.slice(1))
      await shop.client.grantAccess({ ...ann, rid, suppress_email: true })
    const last = (
      await eventsOf(() => shop.client.grantAccess({ ...ann, rid: rids[0] as string }))
    ).at(-1)
    expect(Buffer.byteLength(JSON.stringify(last))).toBeLessThanOrEqual(MAX_EVENT_BYTES)
    expect(Buffer.byteLength(JSON.stringify(last))).toBeGreaterThan(MAX_EVENT_BYTES - 500)
    expect(last.data).toMatchObject({ more: true, next: { path: '/r2/access/list' } })
    const shown = last.data.entitlements
    expect((await listed()).slice(0, shown.length)).toEqual(shown)
  })

  it('are not written by a transaction that is silent', async () => {
    const events = await eventsOf(() =>
      db().write(
        (trx) =>
          setOpens(
            trx,
            { aid: shop.aid, rid: 'news' },
            { rids: ['x'], prefixes: [], all: false },
            now(),
            'test',
          ),
        { batch: false, silent: true },
      ),
    )
    expect(events).toEqual([])
  })
})
