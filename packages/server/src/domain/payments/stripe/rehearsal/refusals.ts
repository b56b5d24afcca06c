import type Stripe from 'stripe'
import { type StripeApi, unlessMissing } from '../api.ts'
import { chargeCard } from '../charges.ts'
import { decodeSavedCard } from '../saved-card.ts'
import { saveCard } from './sale.ts'
import {
  AMOUNT,
  cardOf,
  chargeOrder,
  outcomeOf,
  type Rehearsal,
  requireResult,
  type Step,
} from './step.ts'

const DECLINED = 'the payment fails: declined'

/** Stripe's test cards that are declined, with the codes that https://docs.stripe.com/testing names. */
const DECLINED_CARDS: readonly (readonly [card: string, code: string, declineCode?: string])[] = [
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc'],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error'],
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_declined', 'card_velocity_exceeded'],
  ['pm_card_radarBlock', 'card_declined', 'fraudulent'],
]

/** These cards can't be saved, so they are charged without. */
const declineSteps = DECLINED_CARDS.map(
  ([card, code, declineCode]): Step => ({
    name: `charge ${card}`,
    expected: {
      answer: {
        status: 402,
        type: 'card_error',
        code,
        ...(declineCode === undefined ? {} : { decline_code: declineCode }),
      },
      outcome: DECLINED,
    },
    run: async (rehearsal) => {
      const method = cardOf(requireResult(rehearsal, 'customer'), card)
      return await outcomeOf(
        'payment',
        chargeCard(rehearsal.api, chargeOrder(rehearsal, card, method)),
      )
    },
  }),
)

const savedCardSteps: readonly Step[] = [
  {
    name: 'charge a saved card that is declined',
    expected: {
      answer: { status: 402, type: 'card_error', code: 'card_declined' },
      outcome: DECLINED,
    },
    run: async (rehearsal) => {
      const card = await saveCard(rehearsal, 'pm_card_chargeCustomerFail')
      const order = chargeOrder(rehearsal, 'declined', card)
      rehearsal.sale.declined = order
      return await outcomeOf('payment', chargeCard(rehearsal.api, order))
    },
  },
  {
    name: 'repeat the declined charge under its key',
    expected: { answer: { status: 402, code: 'card_declined', replayed: true }, outcome: DECLINED },
    run: (rehearsal) =>
      outcomeOf('payment', chargeCard(rehearsal.api, requireResult(rehearsal, 'declined'))),
  },
  {
    name: 'change the declined charge under its key',
    expected: {
      answer: { status: 400, type: 'idempotency_error' },
      outcome: 'the key belongs to another request',
    },
    run: async (rehearsal) => {
      const money = { ...AMOUNT, amount: AMOUNT.amount + 1 }
      const order = { ...requireResult(rehearsal, 'declined'), money }
      return await outcomeOf('payment', chargeCard(rehearsal.api, order))
    },
  },
  {
    name: 'charge a saved card that asks for its holder',
    expected: {
      answer: { status: 402, type: 'card_error', code: 'authentication_required' },
      outcome: 'the payment fails: needs_payer',
    },
    run: async (rehearsal) => {
      const card = await saveCard(rehearsal, 'pm_card_authenticationRequired')
      const order = chargeOrder(rehearsal, 'authentication', card)
      return await outcomeOf('payment', chargeCard(rehearsal.api, order))
    },
  },
]

const lostCardSteps: readonly Step[] = [
  {
    name: 'charge a detached card',
    expected: {
      answer: {
        status: 400,
        type: 'invalid_request_error',
        code: undefined,
        param: 'payment_method',
      },
      outcome: 'the payment fails: no_card',
    },
    run: async (rehearsal) => {
      const card = await saveCard(rehearsal, 'pm_card_visa')
      await rehearsal.more.detachMethod(decodeSavedCard(card)?.paymentMethod as string)
      return await outcomeOf(
        'payment',
        chargeCard(rehearsal.api, chargeOrder(rehearsal, 'detached', card)),
      )
    },
  },
  {
    name: 'charge a customer who was deleted',
    expected: {
      answer: { status: 400, code: 'resource_missing', param: 'customer' },
      outcome: 'the payment fails: no_card',
    },
    run: async (rehearsal) => {
      const { api, more, run, sale } = rehearsal
      const customer = (await more.createCustomer(run)).id
      const method = await more.attachMethod('pm_card_visa', customer)
      await more.deleteCustomer(customer)
      sale.deletedCustomer = customer
      const card = cardOf(customer, method.id)
      return await outcomeOf('payment', chargeCard(api, chargeOrder(rehearsal, 'deleted', card)))
    },
  },
  {
    name: 'list the charges of the deleted customer',
    expected: { answer: { status: 400, code: 'resource_missing', param: 'customer' } },
    run: async (rehearsal) => {
      const customer = requireResult(rehearsal, 'deletedCustomer')
      const count = await unlessMissing(async () => {
        let found = 0
        for await (const _ of rehearsal.api.intentsOf(customer)) found++
        return found
      })
      return count === undefined ? 'there is no such customer' : `${count} charges`
    },
  },
]

/** Charges as Gatehouse makes them, with some parameters changed. */
const changedSteps: readonly Step[] = [
  {
    name: 'charge without return_url',
    expected: { answer: { status: 200 }, outcome: 'the payment is succeeded' },
    run: (rehearsal) =>
      chargeChanged(rehearsal, 'no-url', ({ return_url: _, ...params }) => params),
  },
  {
    name: 'charge with return_url',
    expected: { answer: { status: 200 }, outcome: 'the payment is succeeded' },
    run: (rehearsal) =>
      chargeChanged(rehearsal, 'url', (params) => ({
        ...params,
        return_url: 'https://gatehouse.example/',
      })),
  },
  {
    name: 'charge one cent',
    expected: { answer: { status: 400, code: 'amount_too_small' }, outcome: DECLINED },
    run: (rehearsal) => chargeChanged(rehearsal, 'cent', (params) => ({ ...params, amount: 1 })),
  },
  {
    name: 'charge in a currency that Stripe refuses',
    expected: { answer: { status: 400, type: 'invalid_request_error', param: 'currency' } },
    run: (rehearsal) =>
      chargeChanged(rehearsal, 'currency', (params) => ({
        ...params,
        amount: 50_000,
        currency: 'lyd',
      })),
  },
]

type Params = Stripe.PaymentIntentCreateParams

async function chargeChanged(
  rehearsal: Rehearsal,
  name: string,
  change: (params: Params) => Params,
): Promise<string> {
  const { api } = rehearsal
  const createIntent: StripeApi['createIntent'] = (params, key) =>
    api.createIntent(change(params), key)
  const order = chargeOrder(rehearsal, name, requireResult(rehearsal, 'card'))
  return await outcomeOf('payment', chargeCard({ ...api, createIntent }, order))
}

export const refusalSteps: readonly Step[] = [
  ...changedSteps,
  ...declineSteps,
  ...savedCardSteps,
  ...lostCardSteps,
]
