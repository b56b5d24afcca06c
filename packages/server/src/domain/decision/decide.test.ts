import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { MONTHLY, ONCE, type Purchase } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useService, useShop } from '../../testing/use-service.ts'
import { OPENS_NOTHING, type Opens, setOpens } from '../passes/opens.ts'
import { applyEvent } from '../payments/events.ts'
import { findPayment } from '../payments/payments.ts'
import { mergeUsers } from '../people/merge.ts'
import { addPeriods } from '../resources/periods.ts'
import { archivePrice, createPrice, type Terms } from '../resources/prices.ts'
import { type Decision, decide, type GrantedDecision, type RefusedDecision } from './decide.ts'
import { listEntitlements } from './list.ts'
import { previewDecision } from './preview.ts'

describe.each(databases)('a decision on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'news', 'extra', 'third', 'gold', 'silver', 'film')

  const db = () => shop.environment.database
  const now = () => shop.environment.clock()
  const ask = async (userRef: string, ...rids: string[]) =>
    await decide(db().read, { aid: shop.aid, userRef, rids }, now())
  const askOne = async (userRef: string, rid = 'news') => {
    const [decision] = await ask(userRef, rid)
    const isOpen = await shop.client.hasAccess({ rid, user_ref: userRef })
    expect([userRef, decision?.granted]).toEqual([userRef, isOpen])
    return decision as Decision
  }
  const buy = (userRef: string, terms = {}, more: Partial<Purchase> = {}) =>
    shop.buy({ rid: 'news', userRef, terms, ...more })
  const subscribe = (userRef: string, terms = {}, more: Partial<Purchase> = {}) =>
    buy(userRef, { ...MONTHLY, ...terms }, more)
  const grant = (user_ref: string, expiration?: number, rid = 'news') =>
    shop.client.grantAccess({
      ...{ rid, email: `${user_ref}@example.com`, user_ref },
      ...(expiration === undefined ? {} : { expiration }),
    })
  const open = (rid: string, opens: Partial<Opens>) =>
    db().write((trx) =>
      setOpens(trx, { aid: shop.aid, rid }, { ...OPENS_NOTHING, ...opens }, now(), 'test'),
    )
  const paymentOf = async (user_ref: string) =>
    (await shop.client.searchPayments({ user_ref })).data[0]?.id as string
  const refund = async (userRef: string) =>
    await shop.client.refundPayment({ payment: await paymentOf(userRef) })
  const dispute = async (userRef: string, outcome: 'opened' | 'lost') => {
    const id = await paymentOf(userRef)
    const payment = await findPayment(db().read, shop.aid, id)
    await shop.cards.dispute(payment?.provider_ref as string, outcome)
    await applyEvent(shop.environment, { kind: 'payment', paymentId: id })
  }
  const brief = ({ code, ...rest }: Decision) => {
    const { until, since, nextChange } = rest as Partial<GrantedDecision & RefusedDecision>
    return { code, until, since, nextChange }
  }
  const none = { until: undefined, since: undefined, nextChange: undefined }

  it('knows nobody by a reference that no user has', async () => {
    expect(brief(await askOne('nobody'))).toEqual({ ...none, code: 'user_unknown' })
  })

  it('says that there was never access, also to what does not exist', async () => {
    await grant('ann', undefined, 'extra')
    expect(brief(await askOne('ann'))).toEqual({ ...none, code: 'never_granted' })
    expect(brief(await askOne('ann', 'nothing'))).toEqual({ ...none, code: 'never_granted' })
  })

  it('follows a grant to its end and to a revoke', async () => {
    const until = now() + DAY
    await grant('bob', until)
    expect(brief(await askOne('bob'))).toEqual({
      ...none,
      code: 'granted',
      until,
      nextChange: until,
    })
    await shop.advance(DAY - 1)
    expect((await askOne('bob')).granted).toBe(true)
    await shop.advance(1)
    expect(brief(await askOne('bob'))).toEqual({ ...none, code: 'expired', since: until })
    await grant('bob')
    expect(brief(await askOne('bob'))).toEqual({ ...none, code: 'granted' })
    await shop.client.revokeAccess({ rid: 'news', user_ref: 'bob' })
    const since = now()
    await shop.advance(1)
    expect(brief(await askOne('bob'))).toEqual({ ...none, code: 'revoked', since })
    await grant('bob', since - DAY)
    expect((await askOne('bob')).code).toBe('expired')
  })

  it('names the queued period once it begins, and changes then', async () => {
    const start = now()
    await subscribe('cid')
    const end = addPeriods(start, '1 month')
    await shop.client.cancelSubscription({ rid: 'news', user_ref: 'cid' })
    await buy('cid', { period: '30 days' })
    const until = end + 30 * DAY
    expect(brief(await askOne('cid'))).toEqual({
      ...none,
      code: 'canceled',
      until,
      nextChange: end,
    })
    const decision = (await askOne('cid')) as GrantedDecision
    expect(decision.sources.map(({ source }) => [source.kind, source.starts, source.ends])).toEqual(
      [
        ['purchase', end, until],
        ['subscription', null, end],
      ],
    )
    await shop.advance(end - now())
    expect(brief(await askOne('cid'))).toEqual({
      ...none,
      code: 'purchased',
      until,
      nextChange: until,
    })
  })

  it('follows a subscription from its trial to a renewal that stays unpaid', async () => {
    const trialEnds = now() + 14 * DAY
    await subscribe('dan', { trial_days: 14 })
    expect(brief(await askOne('dan'))).toEqual({
      ...none,
      code: 'trial',
      until: trialEnds,
      nextChange: trialEnds,
    })
    await subscribe('eve', {}, { card: 'declined_later' })
    const paid = addPeriods(now(), '1 month')
    expect(brief(await askOne('eve'))).toEqual({
      ...none,
      code: 'subscribed',
      until: paid,
      nextChange: paid,
    })
    await shop.advance(trialEnds - now())
    expect(brief(await askOne('dan')).code).toBe('subscribed')
    await shop.advance(paid - now())
    const limit = paid + 7 * DAY
    expect(brief(await askOne('eve'))).toEqual({
      ...none,
      code: 'grace',
      until: limit,
      nextChange: paid + DAY,
    })
    await shop.advance(7 * DAY)
    expect(brief(await askOne('eve'))).toEqual({ ...none, code: 'unpaid', since: limit })
  })

  it('says that a canceled subscription ended, not why it was canceled', async () => {
    await subscribe('fay')
    const end = addPeriods(now(), '1 month')
    await shop.client.cancelSubscription({ rid: 'news', user_ref: 'fay' })
    await shop.advance(end - now())
    expect(brief(await askOne('fay'))).toEqual({ ...none, code: 'expired', since: end })
  })

  it('tells a refund from a lost dispute, by what ended the access', async () => {
    for (const who of ['gil', 'gus']) await buy(who)
    await subscribe('hal')
    await subscribe('hew')
    await shop.advance(DAY)
    await dispute('gus', 'opened')
    expect((await askOne('gus')).code).toBe('purchased')
    for (const who of ['gil', 'hal']) await refund(who)
    for (const who of ['gus', 'hew']) await dispute(who, 'lost')
    const since = now()
    await shop.advance(DAY)
    for (const [who, code] of [
      ...[['gil', 'refunded'] as const, ['hal', 'refunded'] as const],
      ...[['gus', 'dispute_lost'] as const, ['hew', 'dispute_lost'] as const],
    ]) {
      expect([who, brief(await askOne(who))]).toEqual([who, { ...none, code, since }])
    }
    await dispute('gil', 'lost')
    expect((await askOne('gil')).code).toBe('refunded')
  })

  it('names what ended the last source, not the latest refund', async () => {
    await buy('ida', { period: '1 day' })
    await grant('ida', now() + 3 * DAY)
    await refund('ida')
    expect((await askOne('ida')).code).toBe('granted')
    await shop.advance(3 * DAY)
    expect(brief(await askOne('ida'))).toMatchObject({ code: 'expired', since: now() })
  })

  it('is not changed by a refund of what had run out', async () => {
    await buy('ivy', { period: '1 day' })
    const since = now() + DAY
    await shop.advance(2 * DAY)
    await refund('ivy')
    expect(brief(await askOne('ivy'))).toEqual({ ...none, code: 'expired', since })
  })

  it('follows a merge', async () => {
    await grant('jan', now() + DAY)
    await buy('joe', { period: '1 day' }, { vouchedEmail: 'joe@example.com' })
    const uids = await Promise.all(
      ['jan', 'joe'].map(
        async (user_ref) => (await shop.client.getAccess({ rid: 'news', user_ref })).uid,
      ),
    )
    await db().write((trx) =>
      mergeUsers(
        trx,
        { aid: shop.aid, from: uids[0] as string, into: uids[1] as string, actor: 'test' },
        now(),
      ),
    )
    const [one, other] = [await askOne('jan'), await askOne('joe')]
    expect({ ...one }).toEqual(other)
    expect((one as GrantedDecision).sources).toHaveLength(2)
  })

  it('names the same of two sources alike in whatever order their rows come', async () => {
    await grant('pam')
    await buy('pam', { period: null }, { vouchedEmail: 'pam@example.com' })
    const first = await askOne('pam')
    const rewriteRow = (kind: 'grant' | 'purchase') =>
      db().write(async (trx) => {
        const access_id = first.record?.id as string
        const row = await trx
          .deleteFrom('sources')
          .where((eb) => eb.and({ aid: shop.aid, access_id, kind }))
          .returningAll()
          .executeTakeFirstOrThrow()
        await trx.insertInto('sources').values(row).execute()
      })
    for (const kind of ['grant', 'purchase'] as const) {
      await rewriteRow(kind)
      expect(await askOne('pam')).toEqual(first)
    }
  })

  it('names a revoke before an end in the same second', async () => {
    await open('gold', { rids: ['news'] })
    const until = now() + DAY
    await grant('ray', until, 'gold')
    await grant('ray')
    await shop.advance(DAY + 1)
    await shop.client.revokeAccess({ rid: 'news', user_ref: 'ray' })
    const { record } = await askOne('ray')
    await db().write((trx) =>
      trx
        .updateTable('access')
        .set({ revoked: until })
        .where((eb) => eb.and({ aid: shop.aid, id: record?.id as string }))
        .execute(),
    )
    expect(brief(await askOne('ray'))).toEqual({ ...none, code: 'revoked', since: until })
    await open('gold', {})
  })

  it('decides about many at once as about each, in their order, with as many statements', async () => {
    await grant('kim', now() + DAY)
    await buy('kim', {}, { rid: 'extra' })
    const rids = ['third', 'news', 'nothing', 'extra', 'news']
    const apart: Decision[] = []
    for (const rid of rids) apart.push(await askOne('kim', rid))
    expect(await ask('kim', ...rids)).toEqual(apart)
  })

  it('offers what can be bought to those who have nothing, and nothing to others', async () => {
    const price = (terms: Partial<Terms> & { rid?: string }) =>
      db().write((trx) =>
        createPrice(trx, { aid: shop.aid, rid: 'third', ...ONCE, ...terms }, now(), 'test'),
      )
    const [month, gone] = [await price({ recurring: 1, period: '1 month' }), await price({})]
    await db().write((trx) => archivePrice(trx, { aid: shop.aid, id: gone.id }, now(), 'test'))
    await grant('lea', undefined, 'third')
    const offersTo = async (userRef: string) => {
      const decision = await askOne(userRef, 'third')
      return decision.granted ? undefined : decision.offers.map(({ id }) => id)
    }
    expect(await offersTo('lea')).toBeUndefined()
    expect(await offersTo('stranger')).toEqual([month.id])
    const ofPass = await price({ rid: 'gold', amount: 5000 })
    await open('gold', { prefixes: ['th'] })
    expect(await offersTo('stranger')).toEqual([month.id, ofPass.id])
    await open('gold', {})
  })

  it('lists what somebody may see, page by page, and never cuts silently', async () => {
    for (const rid of ['extra', 'news', 'third']) await grant('mia', undefined, rid)
    await shop.client.revokeAccess({ rid: 'extra', user_ref: 'mia' })
    await buy('mia', { period: '1 day' }, { rid: 'extra' })
    const page = async (after: string, limit: number) => {
      const question = { aid: shop.aid, userRef: 'mia', after, limit }
      const { entitlements, next } = await listEntitlements(db().read, question, now())
      return [...entitlements.map(({ rid, code }) => `${rid} ${code}`), next]
    }
    expect(await page('', 2)).toEqual(['extra purchased', 'news granted', 'news'])
    expect(await page('news', 2)).toEqual(['third granted', undefined])
    expect(await page('', 3)).toHaveLength(4)
    await open('third', { all: true })
    const question = { aid: shop.aid, userRef: 'mia', after: 'news', limit: 2 }
    const { entitlements } = await listEntitlements(db().read, question, now())
    expect(entitlements).toMatchObject([{ rid: 'third', opens: { all: true } }])
    await open('third', {})
    await shop.advance(DAY)
    expect(await page('', 3)).toEqual(['news granted', 'third granted', undefined])
  })

  it('goes through passes where nothing direct is live, and says which', async () => {
    await open('gold', { rids: ['film'], prefixes: ['news/'] })
    await open('silver', { prefixes: ['news/'] })
    const start = now()
    await grant('ola', start + DAY, 'film')
    await grant('ola', start + 3 * DAY, 'gold')
    const id = (await grant('ola', start + 2 * DAY, 'silver')).id
    const [film, article, other] = await ask('ola', 'film', 'news/1', 'news')
    expect(film).toMatchObject({ code: 'granted', via: undefined, until: start + DAY })
    expect(film?.nextChange).toBe(start + DAY)
    expect((film as GrantedDecision).sources.map(({ via }) => via)).toEqual([undefined, 'gold'])
    expect(article).toMatchObject({ granted: true, via: 'gold', until: start + 3 * DAY })
    expect(article?.nextChange).toBe(start + 2 * DAY)
    expect(other).toMatchObject({ code: 'never_granted', via: undefined })
    await shop.advance(DAY + 1)
    expect(await ask('ola', 'film')).toMatchObject([
      { granted: true, via: 'gold', until: start + 3 * DAY, nextChange: start + 3 * DAY },
    ])
    await shop.client.revokeAccess({ rid: 'gold', user_ref: 'ola' })
    const revoked = now()
    expect(await ask('ola', 'film', 'news/2')).toMatchObject([
      { code: 'revoked', via: 'gold', since: revoked },
      { code: 'granted', via: 'silver', record: { id }, until: start + 2 * DAY },
    ])
    await shop.advance(DAY)
    expect(await ask('ola', 'film', 'news/2', 'silver')).toMatchObject([
      { code: 'revoked', via: 'gold', since: revoked },
      { code: 'expired', via: 'silver', since: start + 2 * DAY },
      { code: 'expired', via: undefined },
    ])
    await open('silver', {})
    expect(await ask('ola', 'news/2')).toMatchObject([{ code: 'revoked', via: 'gold' }])
  })

  it('previews a revoke, a refund and a cancellation by carrying them out and taking them back', async () => {
    await subscribe('ned')
    await buy('nia', {}, { rid: 'extra' })
    const { id } = await grant('nil')
    const [subscription] = (await shop.client.searchSubscriptions({ user_ref: 'ned' })).data
    const before = await dumpOf()
    const preview = async (
      userRef: string,
      rid: string,
      action: 'revoke' | 'refund' | 'cancel',
      of: string,
    ) => {
      const question = { aid: shop.aid, userRef, rids: [rid] }
      const { decisions } = await previewDecision(shop.environment, question, { action, id: of })
      return decisions[0]?.code
    }
    const subscribed = subscription?.id as string
    expect(await preview('ned', 'news', 'cancel', subscribed)).toBe('canceled')
    expect(await preview('ned', 'news', 'refund', await paymentOf('ned'))).toBe('refunded')
    expect(await preview('nia', 'extra', 'refund', await paymentOf('nia'))).toBe('refunded')
    expect(await preview('nil', 'news', 'revoke', id)).toBe('revoked')
    expect(await preview('nia', 'extra', 'revoke', id)).toBe('purchased')
    expect(await dumpOf()).toEqual(before)
    await shop.client.cancelSubscription({ rid: 'news', user_ref: 'ned' })
    expect((await askOne('ned')).code).toBe('canceled')
    for (const action of ['revoke', 'refund', 'cancel'] as const) {
      await expect(preview('ned', 'news', action, 'unknown')).rejects.toMatchObject({ status: 404 })
    }
  })

  async function dumpOf() {
    const { read } = db()
    const counts: Record<string, unknown> = {}
    for (const table of ['access', 'sources', 'subscriptions', 'payments', 'refunds'] as const) {
      counts[table] = await read.selectFrom(table).selectAll().where('aid', '=', shop.aid).execute()
    }
    for (const table of ['history', 'outbox'] as const) {
      const rows = await read.selectFrom(table).select('aid').where('aid', '=', shop.aid).execute()
      counts[table] = rows.length
    }
    return counts
  }
})
