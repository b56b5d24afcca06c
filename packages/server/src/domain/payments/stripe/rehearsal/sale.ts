import { chargeCard } from '../charges.ts'
import { findCharges } from '../ledger.ts'
import { METADATA_KEYS } from '../metadata.ts'
import { createRefund } from '../refunds.ts'
import {
  AMOUNT,
  cardOf,
  chargeOrder,
  failed,
  outcomeOf,
  type Rehearsal,
  requireResult,
  type Step,
} from './step.ts'

/** Stripe's test card that can always be charged. */
const GOOD_CARD = 'pm_card_visa'
/** Its charges can be paid back at once. A new test account has nothing to pay refunds and disputes from. */
const AVAILABLE_CARD = 'pm_card_bypassPending'
const PART = 200

export const accountSteps: readonly Step[] = [
  {
    name: 'key',
    run: async ({ api }) => {
      await api.check()
      return 'Stripe takes the key'
    },
  },
  {
    name: 'account',
    isOptional: true,
    run: async ({ more }) => {
      const { id, country } = await more.findAccount()
      return `the account is ${id}${country ? ` (${country})` : ''}`
    },
  },
]

export const chargeSteps: readonly Step[] = [
  {
    name: 'create a customer',
    run: async ({ run, more, sale }) => {
      sale.customer = (await more.createCustomer(run)).id
      return sale.customer
    },
  },
  {
    name: 'save a test card',
    run: async (rehearsal) => {
      rehearsal.sale.card = await saveCard(rehearsal, GOOD_CARD)
      return 'the card is saved'
    },
  },
  {
    name: 'fill the balance',
    expected: { outcome: 'the payment is succeeded' },
    run: async (rehearsal) => {
      const card = cardOf(requireResult(rehearsal, 'customer'), AVAILABLE_CARD)
      const money = { ...AMOUNT, amount: 20 * AMOUNT.amount }
      const order = chargeOrder(rehearsal, 'balance', card, money)
      return await outcomeOf('payment', chargeCard(rehearsal.api, order))
    },
  },
  { name: 'charge the card while nobody is there', run: chargeOnce },
  {
    name: 'repeat the charge under the same key',
    expected: { answer: { status: 200, replayed: true } },
    run: chargeTwice,
  },
  {
    name: 'refuse another charge under the same key',
    expected: {
      answer: { status: 400, type: 'idempotency_error' },
      outcome: 'the key belongs to another request',
    },
    run: (rehearsal) => {
      requireResult(rehearsal, 'charge')
      const money = { ...AMOUNT, amount: AMOUNT.amount + 1 }
      return outcomeOf('payment', chargeCard(rehearsal.api, renewalOf(rehearsal, money)))
    },
  },
  { name: 'find the charge by its metadata', run: findAgain },
]

/** Saves one of Stripe's test cards for the customer of the rehearsal. */
export async function saveCard(rehearsal: Rehearsal, card: string): Promise<string> {
  const customer = requireResult(rehearsal, 'customer')
  const { id } = await rehearsal.more.attachMethod(card, customer)
  return cardOf(customer, id)
}

const renewalOf = (rehearsal: Rehearsal, money = AMOUNT) =>
  chargeOrder(rehearsal, 'renewal', requireResult(rehearsal, 'card'), money)

async function chargeOnce(rehearsal: Rehearsal): Promise<string> {
  const { status, ref } = await chargeCard(rehearsal.api, renewalOf(rehearsal))
  if (status !== 'succeeded') throw failed(`the payment is ${status}`)
  rehearsal.sale.charge = ref as string
  return `${ref} succeeded`
}

async function chargeTwice(rehearsal: Rehearsal): Promise<string> {
  const first = requireResult(rehearsal, 'charge')
  const { ref } = await chargeCard(rehearsal.api, renewalOf(rehearsal))
  if (ref !== first) throw failed(`a second charge was made: ${ref}`)
  return 'it is the same charge'
}

async function findAgain(rehearsal: Rehearsal): Promise<string> {
  const { run, api } = rehearsal
  const ref = requireResult(rehearsal, 'charge')
  const renewal = { installation: run, subscriptionId: run, periodStart: 0, attempt: 0 }
  const found = await findCharges(api, { renewal, method: requireResult(rehearsal, 'card') })
  if (!found.some((one) => one.ref === ref)) throw failed('the charge is not in the lists')
  return `found among ${found.length}`
}

export const refundSteps: readonly Step[] = [
  {
    name: 'refund a part',
    expected: { outcome: 'the refund is succeeded' },
    run: (rehearsal) => refund(rehearsal, 'part', PART),
  },
  {
    name: 'refund the rest',
    expected: { outcome: 'the refund is succeeded' },
    run: (rehearsal) => refund(rehearsal, 'rest', AMOUNT.amount - PART),
  },
  {
    name: 'list the refunds',
    run: async (rehearsal) => {
      const found: string[] = []
      for await (const one of rehearsal.api.refundsOf(requireResult(rehearsal, 'charge'))) {
        if (one.metadata?.[METADATA_KEYS.installation] === rehearsal.run) found.push(one.id)
      }
      if (found.length !== 2) throw failed(`${found.length} refunds are listed, and not 2`)
      return 'both are there'
    },
  },
  {
    name: 'refund again what is refunded',
    expected: {
      answer: { status: 400, type: 'invalid_request_error', code: 'charge_already_refunded' },
      outcome: 'the refund fails: already_refunded',
    },
    run: (rehearsal) => refund(rehearsal, 'again', AMOUNT.amount),
  },
]

const refund = (rehearsal: Rehearsal, name: string, amount: number) =>
  outcomeOf(
    'refund',
    createRefund(
      rehearsal.api,
      refundOrder(rehearsal, name, requireResult(rehearsal, 'charge'), amount),
    ),
  )

export const refundOrder = (
  { run }: Rehearsal,
  name: string,
  paymentRef: string,
  amount = AMOUNT.amount,
) => ({
  aid: 'rehearsal',
  refundId: `${run}-${name}`,
  labels: { installation: run },
  paymentRef,
  money: { ...AMOUNT, amount },
  refusals: 0,
})
