import { chargeCard } from '../charges.ts'
import { createRefund } from '../refunds.ts'
import { refundOrder } from './sale.ts'
import {
  AMOUNT,
  cardOf,
  chargeOrder,
  failed,
  outcomeOf,
  type Rehearsal,
  requireResult,
  type Step,
  waitFor,
} from './step.ts'

const OVERSIZED = {
  status: 400,
  type: 'invalid_request_error',
  code: undefined,
  param: 'amount',
} as const

/** Refunds that Stripe should refuse, and those of disputed charges. */
export const contestedSteps: readonly Step[] = [
  {
    name: 'refund more than was charged',
    expected: { answer: OVERSIZED, outcome: 'the refund fails: refused' },
    run: async (rehearsal) => {
      rehearsal.sale.partlyRefundable = await charge(rehearsal, 'pm_card_visa')
      return await refundTooMuch(rehearsal)
    },
  },
  {
    name: 'repeat the refused refund under its key',
    expected: {
      answer: { ...OVERSIZED, replayed: true },
      outcome: 'the refund fails: refused',
    },
    run: refundTooMuch,
  },
  ...disputeSteps('disputed', 'pm_card_createDispute', {
    noun: 'a disputed charge',
    observed: 'disputed true, status needs_response, is_charge_refundable false',
    refund: {
      answer: { status: 400, type: 'invalid_request_error', code: 'charge_disputed' },
      outcome: 'the refund fails: disputed',
    },
  }),
  ...disputeSteps('inquired', 'pm_card_createDisputeInquiry', {
    noun: 'a charge with an inquiry',
    observed: 'disputed true, status warning_needs_response, is_charge_refundable true',
    refund: { answer: { status: 200 }, outcome: 'the refund is succeeded' },
  }),
]

function refundTooMuch(rehearsal: Rehearsal): Promise<string> {
  const ref = requireResult(rehearsal, 'partlyRefundable')
  const order = refundOrder(rehearsal, 'too-much', ref, AMOUNT.amount + 1)
  return outcomeOf('refund', createRefund(rehearsal.api, order))
}

/** Charges a card without saving it, and returns Stripe's id of the charge. */
async function charge(rehearsal: Rehearsal, card: string): Promise<string> {
  const method = cardOf(requireResult(rehearsal, 'customer'), card)
  const { status, ref } = await chargeCard(
    rehearsal.api,
    chargeOrder(rehearsal, `refundable-${card}`, method),
  )
  if (status !== 'succeeded') throw failed(`the payment is ${status}`)
  return ref as string
}

interface Contested {
  noun: string
  observed: string
  refund: NonNullable<Step['expected']>
}

function disputeSteps(
  name: 'disputed' | 'inquired',
  card: string,
  { noun, observed, refund }: Contested,
): Step[] {
  return [
    {
      name: `create ${noun}`,
      run: async (rehearsal) => {
        rehearsal.sale[name] = await charge(rehearsal, card)
        return `${rehearsal.sale[name]} succeeded`
      },
    },
    {
      name: `look at ${noun}`,
      expected: { observed },
      run: (rehearsal) => describeDispute(rehearsal, requireResult(rehearsal, name)),
    },
    {
      name: `refund ${noun}`,
      expected: refund,
      run: (rehearsal) => {
        const order = refundOrder(rehearsal, name, requireResult(rehearsal, name))
        return outcomeOf('refund', createRefund(rehearsal.api, order))
      },
    },
  ]
}

/** Test cards are disputed a moment after the charge. */
async function describeDispute(rehearsal: Rehearsal, ref: string): Promise<string> {
  const { more } = rehearsal
  const { found, seconds } = await waitFor(rehearsal, () => more.findDispute(ref))
  if (!found) throw failed(`there is no dispute after ${seconds} s`)
  const facts = [
    `disputed ${await more.isDisputed(ref)}`,
    `status ${found.status}`,
    `is_charge_refundable ${found.is_charge_refundable}`,
  ]
  return facts.join(', ')
}
