import { newId } from '../../ids.ts'
import { createJudge } from './judge/judge.ts'
import type {
  FakeCard,
  FakeCharge,
  FakeCustomer,
  FakeDispute,
  FakeEndpoint,
  FakeEvent,
  FakeIntent,
  FakeMethod,
  FakeRefund,
  FakeSession,
  FakeSetupIntent,
  Metadata,
  SessionInput,
} from './objects.ts'

export type * from './objects.ts'

/** Stripe's search lags by about a minute, and up to an hour. */
export const DEFAULT_SEARCH_DELAY_MS = 60_000

/** Everything that Stripe would store. It lives in the test's process, so that it outlives the service, a restore of
 * its database, and the fake server, which can be restarted with the same ledger. */
export class Ledger {
  /** The clock for creation times, in milliseconds. */
  now: () => number = Date.now
  /** The account that all keys belong to. */
  account = {
    ...{ id: 'acct_fake1', name: 'Fake Magazine' },
    ...{ charges_enabled: true, details_submitted: true, payouts_enabled: true },
    card_payments: 'active',
  }
  /** Addresses that Stripe refuses although they look fine. */
  readonly refusedEmails = new Set<string>()
  /** Whether Stripe refuses to turn Link off, as it may for some kinds of pages. */
  refusesWalletOptions = false
  readonly endpoints = new Map<string, FakeEndpoint>()
  readonly customers = new Map<string, FakeCustomer>()
  readonly methods = new Map<string, FakeMethod>()
  readonly sessions = new Map<string, FakeSession>()
  readonly sessionInputs = new Map<string, SessionInput>()
  readonly setups = new Map<string, FakeSetupIntent>()
  readonly intents = new Map<string, FakeIntent>()
  readonly charges = new Map<string, FakeCharge>()
  readonly refunds = new Map<string, FakeRefund>()
  readonly disputes = new Map<string, FakeDispute>()
  readonly events: FakeEvent[] = []
  /** How long new charges stay unknown to the search. */
  searchDelayMs = DEFAULT_SEARCH_DELAY_MS
  readonly #odd = new Map<string, string>()
  /** Compares requests, answers and events with Stripe's types. */
  readonly judge = createJudge((id) => typeof id === 'string' && this.#odd.has(id))
  /** Whether charges are refused without a `return_url`, as they are where the account accepts payment methods that
   * redirect. */
  demandsReturnUrl = false
  /** The status that new refunds get. */
  newRefundStatus: FakeRefund['status'] = 'succeeded'

  /**
   * Marks an object that contradicts Stripe's types on purpose, such as a refund without what the types promise. It is
   * judged neither in answers nor in events; everything else in them is.
   */
  markOdd(id: string, reason: string): void {
    this.#odd.set(id, reason)
  }

  seconds(): number {
    return Math.floor(this.now() / 1000)
  }

  /** Successful charges for one period of a subscription of ours. More than one is a double charge. */
  chargesFor(subscriptionId: string, periodStart: number): FakeCharge[] {
    return [...this.charges.values()].filter(
      ({ metadata, paid }) =>
        paid &&
        metadata.gatehouse_subscription === subscriptionId &&
        metadata.gatehouse_period === String(periodStart),
    )
  }

  /** Successful charges for one payment of ours. More than one is a double charge. */
  chargesOf(paymentId: string): FakeCharge[] {
    return [...this.charges.values()].filter(
      ({ metadata, paid }) => paid && metadata.gatehouse_payment === paymentId,
    )
  }

  /** The provider's refunds for one refund of ours, except failed ones. */
  refundsOf(refundId: string): FakeRefund[] {
    return [...this.refunds.values()].filter(
      ({ metadata, status }) => status !== 'failed' && metadata.gatehouse_refund === refundId,
    )
  }

  chargeOf(intent: FakeIntent): FakeCharge | undefined {
    return intent.latest_charge === null ? undefined : this.charges.get(intent.latest_charge)
  }

  emitEvent(type: string, about: object): void {
    this.judge.noteEvent(type, about)
    this.events.push({
      object: 'event',
      id: `evt_${newId()}`,
      type,
      api_version: this.judge.apiVersion,
      created: this.seconds(),
      livemode: false,
      data: { object: structuredClone(about) },
    })
  }

  addCustomer(email: string | null): FakeCustomer {
    const customer = { object: 'customer' as const, id: `cus_${newId()}`, email }
    this.customers.set(customer.id, customer)
    return customer
  }

  addMethod(card: FakeCard, customer: string | null): FakeMethod {
    const type = card === 'link' ? ('link' as const) : ('card' as const)
    const method = { object: 'payment_method' as const, id: `pm_${newId()}`, customer, type, card }
    this.methods.set(method.id, method)
    return method
  }

  addIntent(
    given: Pick<FakeIntent, 'amount' | 'currency' | 'metadata'> & Partial<FakeIntent>,
  ): FakeIntent {
    const id = `pi_${newId()}`
    const intent: FakeIntent = {
      object: 'payment_intent',
      id,
      amount_received: 0,
      status: 'requires_confirmation',
      created: this.seconds(),
      description: null,
      customer: null,
      payment_method: null,
      setup_future_usage: null,
      last_payment_error: null,
      latest_charge: null,
      client_secret: `${id}_secret_${newId()}`,
      ...given,
    }
    this.intents.set(id, intent)
    this.emitEvent('payment_intent.created', intent)
    return intent
  }

  /** The intent of a page that saves a card. */
  addSetup(metadata: Metadata): FakeSetupIntent {
    const setup: FakeSetupIntent = {
      object: 'setup_intent',
      id: `seti_${newId()}`,
      status: 'requires_payment_method',
      metadata,
      customer: null,
      payment_method: null,
    }
    this.setups.set(setup.id, setup)
    this.emitEvent('setup_intent.created', setup)
    return setup
  }

  /** Charges the payer. */
  capture(intent: FakeIntent): void {
    this.#addCharge(intent, 'succeeded')
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      last_payment_error: null,
    })
    this.emitEvent('payment_intent.succeeded', intent)
  }

  decline(intent: FakeIntent, code: string, declineCode?: string): void {
    this.#addCharge(intent, 'failed')
    Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: {
        type: 'card_error',
        code,
        ...(declineCode === undefined ? {} : { decline_code: declineCode }),
        doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
        message: MESSAGES[code],
        charge: intent.latest_charge,
      },
    })
    this.emitEvent('payment_intent.payment_failed', intent)
  }

  addRefund(charge: FakeCharge, amount: number, metadata: Metadata): FakeRefund {
    charge.amount_refunded += amount
    charge.refunded = charge.amount_refunded === charge.amount
    const refund: FakeRefund = {
      object: 'refund',
      id: `re_${newId()}`,
      amount,
      currency: charge.currency,
      status: this.newRefundStatus,
      payment_intent: charge.payment_intent,
      charge: charge.id,
      created: this.seconds(),
      metadata,
    }
    this.refunds.set(refund.id, refund)
    this.emitEvent('refund.created', refund)
    this.emitEvent('charge.refunded', charge)
    return refund
  }

  #addCharge(intent: FakeIntent, status: FakeCharge['status']): void {
    const method = this.methods.get(intent.payment_method ?? '')
    const charge: FakeCharge = {
      object: 'charge',
      id: `ch_${newId()}`,
      amount: intent.amount,
      currency: intent.currency,
      status,
      paid: status === 'succeeded',
      disputed: false,
      refunded: false,
      amount_refunded: 0,
      payment_intent: intent.id,
      payment_method_details: method ? { type: method.type } : null,
      created: this.seconds(),
      metadata: { ...intent.metadata },
    }
    this.charges.set(charge.id, charge)
    intent.latest_charge = charge.id
    this.emitEvent(`charge.${status}`, charge)
  }
}

const MESSAGES: Record<string, string> = {
  card_declined: 'Your card was declined.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
}
