import { beforeEach, describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import type { CheckoutTable } from '../../../db/tables.ts'
import { useDomainCheckouts } from '../../../testing/payments/use-domain-checkouts.ts'
import { DAY } from '../../../testing/time.ts'
import { putOnHold, removeHold } from '../../installation/hold.ts'
import type { PaymentContext } from '../context.ts'
import type { CheckoutFinding } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { type CheckoutRow, getCheckout, startCheckout } from './checkouts.ts'
import {
  expireCheckouts,
  findNextPoll,
  pollDueCheckouts,
  refreshCheckout,
} from './poll-checkouts.ts'

const { service, shop, env, db, open, pay } = useDomainCheckouts()
const urls = { done: 'http://localhost/', back: 'http://localhost/' }
const HOUR = 3_600

/** Ends the checkouts of the tests before: they would be due as well. */
beforeEach(async () => {
  service.clock.advance(50 * DAY)
  await expireCheckouts(env())
  await pollDueCheckouts(env())
})

async function start(): Promise<CheckoutRow> {
  const checkout = await open()
  await startCheckout(env(), checkout, urls)
  return await getCheckout(db().read, checkout)
}

async function change(row: CheckoutRow, values: Partial<CheckoutTable>): Promise<CheckoutRow> {
  const { aid, id } = row
  await db().write((trx) => updateRows(trx, 'checkouts', { aid, id }, values))
  return await getCheckout(db().read, row)
}

/** An environment whose provider gives these answers. */
function answering(find: (ref: string) => CheckoutFinding): PaymentContext {
  const { cards } = shop
  const checkout = async (ref: string) => find(ref)
  return { ...env(), provider: { ...cards, find: { ...cards.find, checkout } } }
}
const silent = () =>
  answering(() => {
    throw new ProviderError('no answer')
  })

describe('a checkout that is looked at', () => {
  it.each([
    [0, 60],
    [119, 60],
    [300, 150],
    [1_200, 600],
    [5_000, 2_500],
    [20_000, 3_600],
    [82_000, 860],
  ])('is asked about again later the older it is: after %s seconds, in %s', async (age, pause) => {
    const checkout = await start()
    service.clock.advance(age)
    const seen = await refreshCheckout(env(), checkout)
    expect(seen).toEqual({ ...checkout, due: env().realTime() + pause * 1000 })
  })

  it('stays as it is if it has no page, or has one of another provider', async () => {
    const checkout = await open()
    expect(await refreshCheckout(silent(), checkout)).toEqual(checkout)
    const other = await change(await start(), { provider: 'other' })
    expect(await refreshCheckout(silent(), other)).toEqual(other)
    expect(await refreshCheckout({ ...env(), provider: undefined }, other)).toEqual(other)
  })

  it('is known without the provider once it was paid', async () => {
    const paid = await pay(await start())
    expect(await refreshCheckout(silent(), paid)).toEqual(paid)
  })

  it('expires once its page has closed by everybody’s clock, unless a payment is under way', async () => {
    const checkout = await start()
    const isOpen = answering(() => ({ status: 'open' }))
    const money = { amount: 499, currency: 'EUR' }
    const payment = { status: 'pending', ref: undefined, money } as const
    service.clock.advance(24 * HOUR - 1)
    expect(await refreshCheckout(isOpen, checkout)).toMatchObject({ status: 'open' })
    service.clock.advance(1)
    const isPaying = answering(() => ({ status: 'open', payment }))
    expect(await refreshCheckout(isPaying, checkout)).toMatchObject({ status: 'open' })
    expect(await refreshCheckout(isOpen, checkout)).toMatchObject({ status: 'expired', due: null })
  })

  it('that was rebuilt, so that the end of its page is unknown, expires at its own end', async () => {
    const checkout = await change(await start(), { page_ends: null })
    const isOpen = answering(() => ({ status: 'open' }))
    service.clock.advance(23 * HOUR - 1)
    expect(await refreshCheckout(isOpen, checkout)).toMatchObject({ status: 'open' })
    service.clock.advance(1)
    expect(await refreshCheckout(isOpen, checkout)).toMatchObject({ status: 'expired' })
  })

  it('expires if the provider says so', async () => {
    const isExpired = answering(() => ({ status: 'expired' }))
    const seen = await refreshCheckout(isExpired, await start())
    expect(seen).toMatchObject({ status: 'expired', due: null })
  })
})

describe('the worker', () => {
  const dueOf = async (row: CheckoutRow) => (await getCheckout(db().read, row)).due

  /** Two checkouts, the first of which is due first. */
  async function startTwo(): Promise<[CheckoutRow, CheckoutRow]> {
    const first = await start()
    service.clock.advance(1)
    const second = await start()
    expect(await findNextPoll(db().read)).toBe(first.due)
    service.clock.advance(60)
    return [first, second]
  }

  it('asks about a checkout when it is due, and not before', async () => {
    const { due } = await start()
    service.clock.advance(59)
    expect(await pollDueCheckouts(env())).toBe(0)
    service.clock.advance(1)
    expect(due).toBe(env().realTime())
    expect(await pollDueCheckouts(env())).toBe(1)
    expect(await findNextPoll(db().read)).toBe(env().realTime() + 60_000)
  })

  it('asks about none without a provider, of another provider, or on hold', async () => {
    await startTwo()
    const { cards } = shop
    const other = { ...env(), provider: { ...cards, name: 'other' } }
    expect(await pollDueCheckouts({ ...env(), provider: undefined })).toBe(0)
    expect(await pollDueCheckouts(other)).toBe(0)
    const { control } = service.ctx
    await control.write((trx) => putOnHold(trx, { cause: 'restored', since: service.clock.now }))
    expect(await pollDueCheckouts(env())).toBe(0)
    await control.write(removeHold)
    expect(await pollDueCheckouts(env())).toBe(2)
  })

  it('leaves the others for later once the provider does not answer', async () => {
    const [first, second] = await startTwo()
    await pollDueCheckouts(silent())
    expect(await dueOf(first)).toBe(env().realTime() + 60_000)
    expect(await dueOf(second)).toBe(second.due)
  })

  it('asks about a checkout that can’t be read again later the older it is', async () => {
    const checkout = await start()
    for (const pause of [60, 60, 90, 135]) {
      service.clock.advance(
        Math.ceil(((await dueOf(checkout)) ?? 0) / 1000) - Math.floor(env().realTime() / 1000),
      )
      await pollDueCheckouts(silent())
      expect(await dueOf(checkout)).toBe(env().realTime() + pause * 1000)
    }
  })

  it('goes on with the others when one causes an error, and reports it', async () => {
    const [first, second] = await startTwo()
    const polling = answering((ref) => {
      if (ref === first.provider_ref) throw new Error('not understood')
      return { status: 'expired' }
    })
    await expect(pollDueCheckouts(polling)).rejects.toThrow('not understood')
    expect(await dueOf(first)).toBe(env().realTime() + 60_000)
    expect(await getCheckout(db().read, second)).toMatchObject({ status: 'expired', due: null })
  })

  it('ends at once when the database is out of order', async () => {
    const [first, second] = await startTwo()
    const broken = Object.assign(new Error('disk I/O error'), { errcode: 10 })
    const polling = answering(() => {
      throw broken
    })
    await expect(pollDueCheckouts(polling)).rejects.toBe(broken)
    expect([await dueOf(first), await dueOf(second)]).toEqual([first.due, second.due])
  })
})

describe('a checkout that nobody pays', () => {
  const stateAfter = async (row: CheckoutRow, context = env() as PaymentContext) => {
    await expireCheckouts(context)
    return await getCheckout(db().read, row).then(
      ({ status }) => status,
      ({ code }) => code,
    )
  }

  it('expires without a page when its time is over', async () => {
    const checkout = await open()
    service.clock.advance(23 * HOUR - 1)
    expect(await stateAfter(checkout)).toBe('open')
    service.clock.advance(1)
    expect(await stateAfter(checkout)).toBe('expired')
  })

  it('waits for the provider if it has a page, but only for a week if that was replaced', async () => {
    const [own, other] = [await start(), await change(await start(), { provider: 'other' })]
    service.clock.advance(23 * HOUR + 7 * DAY - 1)
    expect(await stateAfter(other)).toBe('open')
    service.clock.advance(1)
    expect(await stateAfter(own)).toBe('open')
    expect(await getCheckout(db().read, other)).toMatchObject({ status: 'expired', due: null })
  })

  it('is deleted a month later', async () => {
    const checkout = await change(await open(), { status: 'expired' })
    service.clock.advance(23 * HOUR + 30 * DAY - 1)
    expect(await stateAfter(checkout)).toBe('expired')
    service.clock.advance(1)
    expect(await stateAfter(checkout)).toBe('checkout_not_found')
  })

  it('expires in the same pass in which an older one is deleted', async () => {
    const old = await change(await open(), { status: 'expired' })
    service.clock.advance(30 * DAY)
    const checkout = await open()
    service.clock.advance(23 * HOUR)
    expect(await stateAfter(checkout)).toBe('expired')
    expect(await stateAfter(old)).toBe('checkout_not_found')
  })

  it('is not deleted before its page is closed, unless the provider was replaced', async () => {
    const due = env().realTime()
    const own = await change(await open(), { status: 'expired', due })
    const other = await change(await open(), { status: 'expired', due, provider: 'other' })
    service.clock.advance(40 * DAY)
    expect(await stateAfter(own)).toBe('expired')
    expect(await stateAfter(other)).toBe('checkout_not_found')
    expect(await stateAfter(own, { ...env(), provider: undefined })).toBe('checkout_not_found')
  })

  it('is not deleted while its page may be open by the real time', async () => {
    const page_ends = env().realTime() + 60 * DAY * 1000
    const checkout = await change(await open(), { status: 'expired', page_ends })
    service.clock.advance(60 * DAY + HOUR - 1)
    expect(await stateAfter(checkout)).toBe('expired')
    service.clock.advance(1)
    expect(await stateAfter(checkout)).toBe('checkout_not_found')
  })
})
