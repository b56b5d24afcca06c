import { describe, expect, it } from 'vitest'
import { formatTime } from '../../format-time.ts'
import { databases } from '../../testing/databases.ts'
import { MONTHLY, type Purchase } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useService, useShop } from '../../testing/use-service.ts'
import { setOpens } from '../passes/opens.ts'
import { applyEvent } from '../payments/events.ts'
import { findPayment } from '../payments/payments.ts'
import { addPeriods } from '../resources/periods.ts'
import { explainAccess } from './explain.ts'

describe.each(databases)('why somebody who paid has access, or not, on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'news', 'pass')

  const seconds = () => shop.environment.clock()
  const now = () => formatTime(seconds())
  const reasonOf = async (userRef: string, rid = 'news') => {
    const key = { aid: shop.aid, rid, userRef }
    const { access, reason } = await explainAccess(shop.environment.database.read, key, seconds())
    expect(access).toBe(await shop.client.hasAccess({ rid, user_ref: userRef }))
    return reason
  }
  const buy = (userRef: string, terms = {}, more: Partial<Purchase> = {}) =>
    shop.buy({ rid: 'news', userRef, terms, ...more })
  const subscribe = (userRef: string, terms = {}, more: Partial<Purchase> = {}) =>
    buy(userRef, { ...MONTHLY, ...terms }, { rid: 'pass', ...more })
  const paymentOf = async (user_ref: string) => {
    const { data } = await shop.client.searchPayments({ user_ref })
    return data[0]?.id as string
  }
  const dispute = async (userRef: string, outcome: 'opened' | 'lost') => {
    const id = await paymentOf(userRef)
    const payment = await findPayment(shop.environment.database.read, shop.aid, id)
    await shop.cards.dispute(payment?.provider_ref as string, outcome)
    await applyEvent(shop.environment, { kind: 'payment', paymentId: id })
  }

  it('names a purchase with what was paid, and its end once that has passed', async () => {
    await buy('ann', { period: '30 days' })
    const bought = now()
    const ends = formatTime(seconds() + 30 * DAY)
    expect(await reasonOf('ann')).toBe(
      `ann has access to news until ${ends}, because of the purchase of 4.99 EUR on ${bought}.`,
    )
    await shop.advance(30 * DAY)
    expect(await reasonOf('ann')).toBe(
      `The access of ann to news expired on ${ends}, as the purchase of 4.99 EUR on ${bought} said.`,
    )
  })

  it('names all that holds it open, what lasts longest first', async () => {
    const grantEnds = seconds() + DAY
    await shop.client.grantAccess({
      ...{ rid: 'news', email: 'bob@example.com', user_ref: 'bob', expiration: grantEnds },
    })
    await buy('bob', { period: '30 days' })
    await buy('bob', { period: '30 days' })
    const purchase = `the purchase of 4.99 EUR on ${now()}`
    expect(await reasonOf('bob')).toBe(
      `bob has access to news until ${formatTime(seconds() + 60 * DAY)}, because of ` +
        `${purchase}, which begins on ${formatTime(seconds() + 30 * DAY)} and ${purchase} and the grant on ${now()} by api.`,
    )
    const bought = now()
    await shop.advance(2 * DAY)
    expect(await reasonOf('bob')).not.toContain('the grant')
    await shop.advance(30 * DAY)
    expect(await reasonOf('bob')).toMatch(
      new RegExp(`because of the purchase of 4.99 EUR on ${bought}\\.$`),
    )
  })

  it('says until when a subscription is paid, on trial or canceled', async () => {
    const monthEnds = formatTime(addPeriods(seconds(), '1 month'))
    const trialEnds = formatTime(seconds() + 14 * DAY)
    await subscribe('cid')
    await subscribe('dan', { trial_days: 14 })
    await subscribe('eve')
    await shop.client.cancelSubscription({ rid: 'pass', user_ref: 'eve' })
    const because = (who: string, until: string, what: string) =>
      `${who} has access to pass until ${until}, because of a subscription ${what} until ${until}.`
    expect(await reasonOf('cid', 'pass')).toBe(because('cid', monthEnds, 'paid'))
    expect(await reasonOf('dan', 'pass')).toBe(because('dan', trialEnds, 'on trial'))
    expect(await reasonOf('eve', 'pass')).toBe(
      because('eve', monthEnds, 'that was canceled and is paid'),
    )
    await shop.advance(32 * DAY)
    expect(await reasonOf('eve', 'pass')).toBe(
      `The access of eve to pass expired on ${monthEnds}, because the subscription was canceled ` +
        'and what was paid has run out.',
    )
  })

  it('names the pass that a resource is or was open through', async () => {
    const { database } = shop.environment
    const opens = { rids: [], prefixes: ['issue/'], all: false }
    await database.write((trx) =>
      setOpens(trx, { aid: shop.aid, rid: 'pass' }, opens, seconds(), 'test'),
    )
    const ends = seconds() + DAY
    await shop.client.grantAccess({
      ...{ rid: 'pass', email: 'pat@example.com', user_ref: 'pat', expiration: ends },
    })
    const key = { aid: shop.aid, rid: 'issue/1', userRef: 'pat' }
    const told = async () => await explainAccess(database.read, key, seconds())
    expect(await told()).toMatchObject({
      ...{ access: true, code: 'live', history: [{ action: 'granted' }] },
      reason: `pat has access to issue/1 through pass until ${formatTime(ends)}, because of the grant on ${now()} by api.`,
    })
    const granted = now()
    await shop.advance(DAY)
    expect(await told()).toMatchObject({
      ...{ access: false, code: 'expired' },
      reason: `The access of pat to issue/1 through pass expired on ${formatTime(ends)}, as the grant on ${granted} by api said.`,
    })
  })

  it('says that a renewal is unpaid, and that the access ended for it', async () => {
    await subscribe('fay', {}, { card: 'declined_later' })
    const paid = addPeriods(seconds(), '1 month')
    await shop.advance(paid + DAY - seconds())
    expect(await reasonOf('fay', 'pass')).toBe(
      `fay has access to pass until ${formatTime(paid + 7 * DAY)}, because of a subscription paid ` +
        `until ${formatTime(paid)}, whose renewal is unpaid.`,
    )
    await shop.advance(7 * DAY)
    expect(await reasonOf('fay', 'pass')).toBe(
      `The access of fay to pass expired on ${formatTime(paid + 7 * DAY)}, because the renewal of the ` +
        'subscription was unpaid.',
    )
  })

  it('names the grant of the pass, not that of the resource itself, which is over', async () => {
    const { database } = shop.environment
    const opens = { rids: ['news'], prefixes: [], all: false }
    const setPass = (more = {}) =>
      database.write((trx) =>
        setOpens(trx, { aid: shop.aid, rid: 'pass' }, { ...opens, ...more }, seconds(), 'test'),
      )
    await setPass()
    const who = { email: 'pia@example.com', user_ref: 'pia' }
    await shop.client.grantAccess({ rid: 'pass', ...who })
    const granted = now()
    await shop.advance(60)
    await shop.client.grantAccess({ rid: 'news', ...who, expiration: seconds() + 60 })
    await shop.advance(60)
    const reason = `pia has access to news through pass without an end, because of the grant on ${granted} by api.`
    expect(await reasonOf('pia')).toBe(reason)
    await setPass({ rids: [] })
  })

  it('says that it was refunded', async () => {
    await buy('gil')
    const bought = now()
    await subscribe('gus')
    await shop.advance(DAY)
    for (const who of ['gil', 'gus']) {
      await shop.client.refundPayment({ payment: await paymentOf(who) })
    }
    const on = now()
    await shop.advance(DAY)
    expect(await reasonOf('gil')).toBe(
      `The access of gil to news expired on ${on}, because the purchase of 4.99 EUR on ${bought} ` +
        'was refunded.',
    )
    expect(await reasonOf('gus', 'pass')).toBe(
      `The access of gus to pass expired on ${on}, because the payment of the subscription was refunded.`,
    )
    const key = { aid: shop.aid, rid: 'news', userRef: 'gil' }
    const told = await explainAccess(shop.environment.database.read, key, seconds())
    expect(told).toMatchObject({ code: 'expired', decision: { code: 'refunded' } })
  })

  it('says that a payment is disputed, and that the dispute was lost', async () => {
    await buy('hal')
    await subscribe('hew')
    const bought = now()
    await dispute('hal', 'opened')
    expect(await reasonOf('hal')).toBe(
      `hal has access to news without an end, because of the purchase of 4.99 EUR on ${bought}, ` +
        'which is disputed.',
    )
    for (const who of ['hal', 'hew']) await dispute(who, 'lost')
    expect(await reasonOf('hal')).toBe(
      `The access of hal to news expired on ${now()}, because the dispute about the purchase of ` +
        `4.99 EUR on ${bought} was lost.`,
    )
    expect(await reasonOf('hew', 'pass')).toBe(
      `The access of hew to pass expired on ${now()}, because the dispute about the payment of the ` +
        'subscription was lost.',
    )
  })

  it('names the last of several that ended, whatever the record shows', async () => {
    await buy('ida', { period: '1 day' }, { rid: 'pass' })
    await subscribe('ida')
    await shop.advance(10 * DAY)
    const { data } = await shop.client.searchPayments({ user_ref: 'ida' })
    const payment = data.find(({ subscription_id }) => subscription_id)?.id as string
    await shop.client.refundPayment({ payment })
    expect(await reasonOf('ida', 'pass')).toBe(
      `The access of ida to pass expired on ${now()}, because the payment of the subscription was refunded.`,
    )
  })

  it('says of a revoke who made it, whatever was paid', async () => {
    await subscribe('jan')
    await shop.client.revokeAccess({ rid: 'pass', user_ref: 'jan', refund: true })
    expect(await reasonOf('jan', 'pass')).toBe(
      `The access of jan to pass was revoked on ${now()} by api.`,
    )
  })
})
