import type { IncomingHttpHeaders } from 'node:http'
import type { Millis, Seconds } from '../db/tables.ts'
import type { Labels, Purpose } from './labels.ts'

/** Minor units of an ISO 4217 currency. */
export interface Money {
  amount: number
  currency: string
}

/**
 * Whoever moves the money: the smallest interface that we call. The provider is asked to take a card, to
 * charge it and to pay back; when, how much and how often is ours to say.
 *
 * Every order carries our own id, as the key under which a repeat is the same order, and labels by which
 * `find` and `ledger` recognize it. A call that ends with a `ProviderTrouble` may have happened or not.
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
    /** What a subscription was charged, as far as it can be recognized, and whatever else of ours the
     * card was charged for. In any order. */
    charges(wanted: WantedCharges): Promise<LedgerCharge[]>
    refund(wanted: WantedRefund): Promise<RefundFinding | undefined>
  }
  /** What an event is about, once it has proven to be the provider's and recent; undefined if it has not.
   * It says only where to look: what is true is asked for, since events come twice, late and in any order. */
  readEvent(event: ReceivedEvent): Promise<EventSubject[] | undefined>
  /** Asks for something harmless; throws a `ProviderTrouble` that says what is wrong. */
  check(): Promise<void>
  /** Undefined where the provider has no books outside of our own database. */
  ledger?: ProviderLedger
}

/** The provider's own books, read page by page. Times are real ones, also in the sandbox. */
export interface ProviderLedger {
  /** Charges with a label of ours, whichever installation made them. */
  charges(since: Seconds): AsyncIterable<LedgerCharge>
  /** One of them. */
  charge(ref: string): Promise<LedgerCharge | undefined>
  /** All refunds, also those that somebody made by hand at the provider. */
  refunds(since: Seconds): AsyncIterable<LedgerRefund>
  refund(ref: string): Promise<LedgerRefund | undefined>
  /** The payments that were disputed, by the provider's names for them. */
  disputes(since: Seconds): AsyncIterable<string>
  /** The page at which a charge was paid. */
  checkoutOf(paymentRef: string): Promise<LedgerCheckout | undefined>
}

export interface LedgerCharge {
  ref: string
  status: PaymentFinding['status']
  money: Money
  created: Seconds
  labels: Labels
  /** The card, where it was kept. */
  method: string | undefined
}

export interface LedgerRefund {
  finding: RefundFinding & { ref: string }
  paymentRef: string
  created: Seconds
  labels: Labels
}

export interface LedgerCheckout {
  ref: string
  /** As we named it when the page was made. */
  email: string | undefined
}

export interface CheckoutOrder {
  aid: string
  checkoutId: string
  paymentId: string
  /** What is needed to write the purchase down again, should a restore lose it. */
  labels: Labels
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
  /** When the checkout was begun, and until when the page is good. Fixed, so that a repeat asks for the
   * very same page. */
  created: Millis
  expires: Millis
}

export interface ChargeOrder {
  aid: string
  paymentId: string
  money: Money
  /** As a `CheckoutFinding` named it. */
  method: string
  title: string
  labels: Labels
}

export interface RefundOrder {
  aid: string
  refundId: string
  labels: Labels
  paymentRef: string
  money: Money
}

export interface WantedPayment {
  /** Must be on it. Undefined where our own records hold the name: what was adopted may carry another id. */
  paymentId: string | undefined
  /** The provider's own name for it, where we know it. */
  ref: string | undefined
  /** The card that was to be charged, where there was one. */
  method: string | undefined
}

export interface WantedCharges {
  purpose: Purpose
  /** The card that is to be charged now. */
  method: string
}

export interface WantedRefund {
  refundId: string
  paymentRef: string
  /** The provider's own name for it, where we know it. */
  ref?: string | undefined
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
  | { kind: 'checkout'; checkoutId: string; isComplete?: boolean; page?: EventPage }
  | { kind: 'payment'; paymentId?: string; ref?: string; mark?: EventMark }
  | { kind: 'refund'; refundId?: string; ref?: string; paymentRef?: string }

/** Whose it is, as the event says. */
export type EventMark = Pick<Labels, 'installation' | 'aid'>

/** What the event itself tells of a checkout, for the case that we have no record of it. */
export interface EventPage {
  ref: string
  mark: EventMark
  created: Seconds
  /** The charge that was part of it. */
  paymentRef: string | undefined
}

/** What an operator can do something about. */
export type TroubleKind = 'key_refused' | 'no_permission' | 'unreachable'

/** No answer, or one that tells nothing: the order may have been carried out. */
export class ProviderTrouble extends Error {
  override name = 'ProviderTrouble'
  /** Milliseconds after which the provider wants to be asked again. */
  readonly retryAfter: Millis | undefined
  readonly kind: TroubleKind | undefined

  constructor(
    message: string,
    options?: ErrorOptions & { retryAfter?: Millis; kind?: TroubleKind },
  ) {
    super(message, options)
    this.retryAfter = options?.retryAfter
    this.kind = options?.kind
  }
}
