import type { IncomingHttpHeaders } from 'node:http'
import type { Millis } from '../db/tables.ts'

/** Minor units of an ISO 4217 currency. */
export interface Money {
  amount: number
  currency: string
}

/**
 * Whoever moves the money: the smallest interface that we call. The provider is asked to take a card, to
 * charge it and to pay back; when, how much and how often is ours to say.
 *
 * Every order carries our own id, as the key under which a repeat is the same order and in the metadata
 * by which `find` knows it again. A call that ends with a `ProviderTrouble` may have happened or not.
 */
export interface PaymentProvider {
  readonly name: string
  /** A page where the payer enters a card, and pays where there is something to pay now. */
  startCheckout(order: CheckoutOrder): Promise<{ ref: string; url: string }>
  /** Closes that page, so that it can't be paid any more, and tells how the checkout stands afterwards: the
   * payer may have been faster. */
  expireCheckout(ref: string): Promise<CheckoutFinding>
  /** Charges a saved card while nobody is there. */
  charge(order: ChargeOrder): Promise<PaymentFinding>
  refund(order: RefundOrder): Promise<RefundFinding>
  find: {
    checkout(ref: string): Promise<CheckoutFinding>
    /** Undefined if the provider never heard of it. */
    payment(wanted: WantedPayment): Promise<PaymentFinding | undefined>
    refund(wanted: WantedRefund): Promise<RefundFinding | undefined>
  }
  /** What an event is about, once it has proven to be the provider's and recent; undefined if it has not.
   * It says only where to look: what is true is asked for, since events come twice, late and in any order. */
  readEvent(event: ReceivedEvent): Promise<EventSubject[] | undefined>
}

export interface CheckoutOrder {
  aid: string
  checkoutId: string
  paymentId: string
  /** What is charged now; undefined where only a card is saved (a trial, a new card). */
  charge: Money | undefined
  /** Of the currency in which the card will be charged, also where nothing is charged now. */
  currency: string
  /** Whether the card is kept for later charges. */
  keepCard: boolean
  /** What is bought, for the payer to read. */
  title: string
  email: string | undefined
  /** Where the payer is sent when done, and when giving up. */
  doneUrl: string
  backUrl: string
  /** The page is good until then. */
  expires: Millis
}

export interface ChargeOrder {
  aid: string
  paymentId: string
  money: Money
  /** As a `CheckoutFinding` named it. */
  method: string
  title: string
}

export interface RefundOrder {
  aid: string
  refundId: string
  paymentRef: string
  money: Money
}

export interface WantedPayment {
  paymentId: string
  /** The provider's own name for it, where we know it. */
  ref: string | undefined
  /** The card that was to be charged, where there was one. */
  method: string | undefined
}

export interface WantedRefund {
  refundId: string
  paymentRef: string
}

/** Why a card could not be charged: refused, or its holder has to confirm, or gone. `ended`: nobody was asked
 * to charge it, since the subscription had ended by then. */
export type ChargeFailure = 'declined' | 'needs_payer' | 'no_card' | 'ended'

export interface PaymentFinding {
  /** `pending`: the provider itself does not know yet. */
  status: 'pending' | 'succeeded' | 'failed'
  /** Undefined where it was refused before the provider made anything of it. */
  ref: string | undefined
  money: Money
  failure?: ChargeFailure
  dispute?: 'opened' | 'won' | 'lost'
}

export interface CheckoutFinding {
  status: 'open' | 'paid' | 'expired'
  /** Where the payer goes on, while it is open. */
  url?: string
  /** The charge that was part of it. */
  payment?: PaymentFinding
  /** What later charges name, where the card was kept. */
  method?: string
  /** The same for one card each time it is used, where the provider tells cards apart. */
  fingerprint?: string
}

export interface RefundFinding {
  status: 'pending' | 'succeeded' | 'failed'
  /** Undefined where it was refused before the provider made anything of it. */
  ref: string | undefined
  money: Money
  /** Why it failed: `disputed`, `already_refunded`, `refused`. */
  failure?: string
}

export interface ReceivedEvent {
  headers: IncomingHttpHeaders
  /** As it came: the signature covers these bytes. */
  body: Buffer
  wall: Millis
}

export type EventSubject =
  | { kind: 'checkout'; checkoutId: string }
  | { kind: 'payment'; paymentId?: string; ref?: string }
  | { kind: 'refund'; refundId: string }

/** No answer, or one that tells nothing: the order may have been carried out. */
export class ProviderTrouble extends Error {
  override name = 'ProviderTrouble'
  /** Milliseconds after which the provider wants to be asked again. */
  readonly retryAfter: Millis | undefined

  constructor(message: string, options?: ErrorOptions & { retryAfter?: Millis }) {
    super(message, options)
    this.retryAfter = options?.retryAfter
  }
}
