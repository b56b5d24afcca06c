import { beforeEach, describe, expect, it, vi } from 'vitest'
import { getInstallationId } from '../../../db/installation.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { useDomainShop } from '../../../testing/payments/use-domain-shop.ts'
import { DAY } from '../../../testing/time.ts'
import { addPeriods } from '../../resources/periods.ts'
import type { Labels, RenewalCharge } from '../labels.ts'
import { getPayment, type PaymentRow } from '../payments.ts'
import type { LedgerCharge, PaymentFinding, PaymentProvider } from '../provider.ts'
import { dismissFinding, listOpenFindings, recordFindings } from '../reconcile/findings.ts'
import { findEarlierCharge, renewalChargeOf } from './earlier-charges.ts'

const { shop, env, db } = useDomainShop()

/** The renewal that is about to be charged: the first after the period that was bought. */
let order: PaymentRow
let renewal: RenewalCharge
/** The charge of the period that was bought. */
let recorded: string

beforeEach(async () => {
  const bought = await shop.buy({ rid: 'pass', userRef: 'ann', terms: MONTHLY })
  const payment = await getPayment(db().read, shop.aid, bought.payment_id)
  recorded = payment.provider_ref as string
  order = {
    ...payment,
    ...{ id: 'order', status: 'pending', attempts: 1, provider_ref: null, method: 'card' },
    period_start: payment.period_end,
  }
  renewal = await renewalChargeOf(env(), order)
})

const money = { amount: 499, currency: 'EUR' }

/** A charge at the provider, made when the period began. */
const chargeOf = (ref: string, labels: Labels, more: Partial<LedgerCharge> = {}): LedgerCharge => ({
  ...{ ref, labels, money, status: 'succeeded', method: undefined },
  ...{ created: order.period_start as number, ...more },
})

const ofRenewal = (more: Labels = {}): Labels => ({
  ...{ installation: renewal.installation, subscriptionId: renewal.subscriptionId },
  ...{ aid: shop.aid, periodStart: renewal.periodStart, ...more },
})

/** Looks for the order's charge at a provider that has these, and returns what was looked up there. */
async function search(charges: LedgerCharge[], changes: Partial<PaymentRow> = {}, ctx = env()) {
  const payment = vi.fn<PaymentProvider['find']['payment']>(
    async ({ ref }): Promise<PaymentFinding> => ({ status: 'succeeded', ref, money }),
  )
  const listCharges = vi.fn(async () => charges)
  const provider = { find: { payment, charges: listCharges } } as unknown as PaymentProvider
  const found = await findEarlierCharge(ctx, provider, { ...order, ...changes }, renewal)
  return { ref: found?.ref, payment, listCharges }
}

const refOf = async (charges: LedgerCharge[], ctx = env()) => (await search(charges, {}, ctx)).ref

it('knows the renewal by what is the same after a restore', async () => {
  const { subscription_id: subscriptionId, period_start: periodStart } = order
  const installation = await getInstallationId(db())
  expect(renewal).toEqual({ installation, subscriptionId, periodStart, attempt: 0 })
})

describe('an order that was sent before', () => {
  it('is looked up by its own id', async () => {
    const { payment, listCharges } = await search([], { attempts: 2 })
    expect(payment.mock.calls).toEqual([[{ paymentId: 'order', ref: undefined, method: 'card' }]])
    expect(listCharges).not.toHaveBeenCalled()
  })

  it('is looked up by the provider’s id if that is known', async () => {
    const { ref, payment } = await search([], { provider_ref: 'ch_1' })
    expect(ref).toBe('ch_1')
    expect(payment.mock.calls).toEqual([[{ paymentId: undefined, ref: 'ch_1', method: 'card' }]])
  })
})

describe('an order that was not sent yet', () => {
  it('has no charge if the provider has none', async () => {
    const { ref, payment, listCharges } = await search([])
    expect(ref).toBeUndefined()
    expect(payment).not.toHaveBeenCalled()
    expect(listCharges.mock.calls).toEqual([[{ renewal, method: 'card' }]])
  })

  it('has the charge with its own id, also if that failed', async () => {
    const other = chargeOf('ch_other', ofRenewal())
    const own = chargeOf('ch_own', { paymentId: 'order' }, { status: 'failed' })
    const { ref, payment } = await search([other, own])
    expect(ref).toBe('ch_own')
    expect(payment.mock.calls).toEqual([[{ paymentId: undefined, ref: 'ch_own', method: 'card' }]])
  })

  it('has the first charge of this subscription that is not recorded here', async () => {
    const later = ofRenewal({ periodStart: renewal.periodStart + 31 * DAY })
    const last = ofRenewal({ periodStart: renewal.periodStart + 62 * DAY })
    const charges = [
      chargeOf('ch_last', last),
      chargeOf('ch_first', ofRenewal(), { status: 'pending' }),
      chargeOf('ch_later', later),
    ]
    expect(await refOf(charges)).toBe('ch_first')
  })

  it.each([
    ['failed', () => chargeOf('ch', ofRenewal(), { status: 'failed' })],
    ['is recorded', () => chargeOf(recorded, ofRenewal())],
    ['is of another installation', () => chargeOf('ch', ofRenewal({ installation: 'other' }))],
    ['is of another subscription', () => chargeOf('ch', ofRenewal({ subscriptionId: 'other' }))],
    ['says no period', () => chargeOf('ch', ofRenewal({ periodStart: undefined }))],
  ])('has no charge if the only one %s', async (_, charge) => {
    expect(await refOf([charge()])).toBeUndefined()
  })

  it('has no charge if the only one is of the period that is paid', async () => {
    const { period_start } = await getPaid()
    const periodStart = period_start as number
    expect(await refOf([chargeOf('ch', ofRenewal({ periodStart }))])).toBeUndefined()
    expect(await refOf([chargeOf('ch', ofRenewal({ periodStart: periodStart + 1 }))])).toBe('ch')
  })

  it('has the charge of a trial’s end, of which no period was paid yet', async () => {
    await db().write((trx) =>
      trx.updateTable('payments').set({ status: 'failed' }).where('aid', '=', shop.aid).execute(),
    )
    expect(await refOf([chargeOf('ch', ofRenewal({ periodStart: undefined }))])).toBe('ch')
  })
})

const getPaid = () =>
  db().read.selectFrom('payments').selectAll().where('aid', '=', shop.aid).executeTakeFirstOrThrow()

describe('a charge without the labels of a renewal', () => {
  const unlabeled = (ref: string, created: number, labels: Labels = {}) =>
    chargeOf(ref, { aid: shop.aid, ...labels }, { created })
  const starts = () => order.period_start as number
  const ends = () => addPeriods(starts(), '1 month')
  /** The clocks of production, which are the same. */
  const ctx = () => ({ ...env(), clock: starts, realTime: () => starts() * 1000 })

  it.each([
    ['a day before the period', () => starts() - DAY],
    ['in its last second', () => ends() - 1],
  ])('is the renewal’s if it was made %s', async (_, created) => {
    expect(await refOf([unlabeled('ch', created())], ctx())).toBe('ch')
  })

  it('is not the renewal’s if it was made earlier', async () => {
    expect(await refOf([unlabeled('ch', starts() - DAY - 1)], ctx())).toBeUndefined()
  })

  it('is compared by the real time, which the provider’s clock shows', async () => {
    const ahead = 100 * DAY
    const sandbox = { ...ctx(), realTime: () => (starts() - ahead) * 1000 + 999 }
    expect(await refOf([unlabeled('ch', ends() - ahead - 1)], sandbox)).toBe('ch')
    expect(await refOf([unlabeled('ch', starts() - ahead - DAY - 1)], sandbox)).toBeUndefined()
    const late = [unlabeled('ch', ends() - ahead)]
    await expect(search(late, {}, sandbox)).rejects.toMatchObject({ name: 'ChargeInDoubt' })
  })

  it.each([
    ['a subscription', { subscriptionId: 'other' }],
    ['a checkout', { checkoutId: 'other' }],
    ['another application', { aid: 'other' }],
  ])('is not the renewal’s if it says that it is of %s', async (_, labels) => {
    expect(await refOf([unlabeled('ch', starts(), labels)], ctx())).toBeUndefined()
  })

  it.each([
    ['amount', { amount: 498, currency: 'EUR' }],
    ['currency', { amount: 499, currency: 'USD' }],
  ])('is not the renewal’s if it has another %s', async (_, other) => {
    const charge = { ...unlabeled('ch', starts()), money: other }
    expect(await refOf([charge], ctx())).toBeUndefined()
  })

  it('is left to staff if there are two, or if it was made after the period', async () => {
    const two = [unlabeled('ch_1', starts()), unlabeled('ch_2', starts() + 1)]
    const late = [unlabeled('ch', ends())]
    for (const charges of [two, late]) {
      await expect(search(charges, {}, ctx())).rejects.toMatchObject({
        ...{ name: 'ChargeInDoubt', charges, retryAfter: 3_600_000 },
        message: 'earlier charges of this card may be for the same period',
      })
    }
  })

  it('is not counted if staff have decided about it', async () => {
    const charges = [unlabeled('ch_1', starts()), unlabeled('ch_2', starts() + 1)]
    const about = { message: '', aid: shop.aid, at: starts(), providerRef: 'ch_1' }
    await db().write((trx) =>
      recordFindings(trx, [{ kind: 'charge_in_doubt', ...about }], env().realTime()),
    )
    const [finding] = await listOpenFindings(db().read)
    await db().write((trx) => dismissFinding(trx, finding?.id as string, env().realTime()))
    expect(await refOf(charges, ctx())).toBe('ch_2')
  })
})
