import { beforeEach, describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { cardNumber } from '../../../testing/payments/shop.ts'
import { useDomainCheckouts } from '../../../testing/payments/use-domain-checkouts.ts'
import { putOnHold, removeHold } from '../../installation/hold.ts'
import type { PaymentContext } from '../context.ts'
import type { CheckoutFinding } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { type CheckoutRow, getCheckout, startCheckout } from './checkouts.ts'
import { closeDuePages, findNextClosing } from './close-pages.ts'

const { service, shop, env, db, open } = useDomainCheckouts()
const urls = { done: 'http://localhost/', back: 'http://localhost/' }
const later = () => env().realTime() + 60_000

/** Closes the pages of the tests before: they would be due as well. */
beforeEach(async () => {
  service.clock.advance(3_600)
  await closeDuePages(env())
})

/** A checkout that was ended early, whose page is still open. */
async function end(due = env().realTime()): Promise<CheckoutRow> {
  const checkout = await open()
  const { aid, id } = checkout
  await startCheckout(env(), checkout, urls)
  const ended = { status: 'expired', due } as const
  await db().write((trx) => updateRows(trx, 'checkouts', { aid, id }, ended))
  return await getCheckout(db().read, checkout)
}

const dueOf = async (row: CheckoutRow) => (await getCheckout(db().read, row)).due
const payOn = (row: CheckoutRow) => shop.cards.pay(row.provider_ref as string, cardNumber('good'))

/** An environment whose provider answers like this when it is told to close a page. */
const answering = (expire: (ref: string) => CheckoutFinding): PaymentContext => ({
  ...env(),
  provider: { ...shop.cards, expireCheckout: async (ref) => expire(ref) },
})

describe('the page of a checkout that was ended early', () => {
  it('is closed when it is due, and not before', async () => {
    const checkout = await end(later())
    expect(await findNextClosing(db().read)).toBe(checkout.due)
    service.clock.advance(59)
    expect(await closeDuePages(env())).toBe(0)
    service.clock.advance(1)
    expect(await closeDuePages(env())).toBe(1)
    expect(await getCheckout(db().read, checkout)).toEqual({ ...checkout, due: null })
    expect(await payOn(checkout)).toBe('expired')
    expect(await findNextClosing(db().read)).toBeUndefined()
  })

  it('is not closed without a provider, by another provider, or on hold', async () => {
    const checkout = await end()
    const other = { ...env(), provider: { ...shop.cards, name: 'other' } }
    expect(await closeDuePages({ ...env(), provider: undefined })).toBe(0)
    expect(await closeDuePages(other)).toBe(0)
    const { control } = service.ctx
    await control.write((trx) => putOnHold(trx, { cause: 'restored', since: service.clock.now }))
    expect(await closeDuePages(env())).toBe(0)
    await control.write(removeHold)
    expect(await dueOf(checkout)).toBe(checkout.due)
  })

  it('is closed a minute later if a payment is still under way there', async () => {
    const checkout = await end()
    expect(await closeDuePages(answering(() => ({ status: 'open' })))).toBe(1)
    expect(await getCheckout(db().read, checkout)).toEqual({ ...checkout, due: later() })
    await payOn(checkout)
    service.clock.advance(60)
    await closeDuePages(env())
    expect(await getCheckout(db().read, checkout)).toMatchObject({ status: 'paid', due: null })
  })
})

describe('of two such pages', () => {
  const endTwo = async () => [await end(env().realTime() - 1), await end()] as const

  it('the second waits for later if the provider does not answer', async () => {
    const [first, second] = await endTwo()
    const silent = answering(() => {
      throw new ProviderError('no answer')
    })
    expect(await closeDuePages(silent)).toBe(2)
    expect([await dueOf(first), await dueOf(second)]).toEqual([later(), second.due])
  })

  it('the second is closed if the first causes an error, which is reported', async () => {
    const [first, second] = await endTwo()
    const closing = answering((ref) => {
      if (ref === first.provider_ref) throw new Error('not understood')
      return { status: 'expired' }
    })
    await expect(closeDuePages(closing)).rejects.toThrow('not understood')
    expect([await dueOf(first), await dueOf(second)]).toEqual([later(), null])
  })

  it('both wait as they are if the database is out of order', async () => {
    const [first, second] = await endTwo()
    const broken = Object.assign(new Error('disk I/O error'), { errcode: 10 })
    const closing = answering(() => {
      throw broken
    })
    await expect(closeDuePages(closing)).rejects.toBe(broken)
    expect([await dueOf(first), await dueOf(second)]).toEqual([first.due, second.due])
  })
})
