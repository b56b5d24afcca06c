import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { none, useDecisions } from '../../testing/payments/decisions.ts'
import { DAY } from '../../testing/time.ts'
import { mergeUsers } from '../people/merge.ts'
import { addPeriods } from '../resources/periods.ts'
import { findUidByRef } from '../users/user-ref.ts'
import type { Decision, GrantedDecision } from './decide.ts'

describe.each(databases)('a decision on $name', (database) => {
  const decisions = useDecisions(database)
  const { shop, db, now, ask, askOne, buy, subscribe, grant, open } = decisions
  const { refund, dispute, brief } = decisions

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

  const uidOf = async (userRef: string) =>
    (await findUidByRef(db().read, shop.aid, userRef)) as string
  const merge = async (one: string, other: string) => {
    const [from, into] = [await uidOf(one), await uidOf(other)]
    await db().write((trx) => mergeUsers(trx, { aid: shop.aid, from, into, actor: 'test' }, now()))
  }

  it('follows a merge', async () => {
    await grant('jan', now() + DAY)
    await buy('joe', { period: '1 day' }, { vouchedEmail: 'joe@example.com' })
    await merge('jan', 'joe')
    const [one, other] = [await askOne('jan'), await askOne('joe')]
    expect({ ...one }).toEqual(other)
    expect((one as GrantedDecision).sources).toHaveLength(2)
  })

  it('is not changed by a merge of access that had ended before', async () => {
    for (const who of ['sal', 'tom']) await grant(who, now() + DAY)
    await grant('sue', now() + 2 * DAY)
    await buy('tim', {}, { vouchedEmail: 'tim@example.com' })
    await shop.advance(2 * DAY)
    await refund('tim')
    await shop.advance(DAY)
    const [longer, refunded] = [await askOne('sue'), await askOne('tim')]
    await merge('sue', 'sal')
    await merge('tim', 'tom')
    expect(brief(await askOne('sal'))).toEqual(brief(longer))
    expect(brief(await askOne('tom'))).toEqual(brief(refunded))
    expect(refunded.code).toBe('refunded')
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

  it('names a revoke before the end of an unpaid subscription in the same second', async () => {
    await open('gold', { rids: ['news'] })
    await grant('sol', undefined, 'gold')
    const { id } = await shop.client.getAccess({ rid: 'gold', user_ref: 'sol' })
    await subscribe('sol', {}, { card: 'declined_later' })
    const ended = addPeriods(now(), '1 month') + 7 * DAY
    await shop.advance(ended - now())
    await shop.client.revokeAccess({ rid: 'gold', user_ref: 'sol' })
    await shop.advance(1)
    expect(brief(await askOne('sol'))).toEqual({ ...none, code: 'revoked', since: ended })
    expect(await askOne('sol')).toMatchObject({ via: 'gold', record: { id } })
    await open('gold', {})
    expect(brief(await askOne('sol'))).toEqual({ ...none, code: 'unpaid', since: ended })
  })

  it('says that what was revoked in the second of its end had expired', async () => {
    const until = now() + DAY
    await grant('uma', until)
    await shop.advance(DAY)
    await shop.client.revokeAccess({ rid: 'news', user_ref: 'uma' })
    expect(brief(await askOne('uma'))).toEqual({ ...none, code: 'expired', since: until })
  })

  it('decides about many at once as about each, in their order, with as many statements', async () => {
    await grant('kim', now() + DAY)
    await buy('kim', {}, { rid: 'extra' })
    const rids = ['third', 'news', 'nothing', 'extra', 'news']
    const apart: Decision[] = []
    for (const rid of rids) apart.push(await askOne('kim', rid))
    expect(await ask('kim', ...rids)).toEqual(apart)
  })
})
