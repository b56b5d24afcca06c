import type { IncomingHttpHeaders } from 'node:http'
import type { Millis, Seconds } from '../../db/tables.ts'
import type { Labels, RenewalCharge } from './labels.ts'

/** An amount in minor units of an ISO 4217 currency. */
export interface Money {
  amount: number
  currency: string
}

/**
 * The payment provider: the smallest interface that we call. The provider saves cards, charges them and pays back; we
 * decide when, how much and how often.
 *
 * Every order carries our own id as its idempotency key, and labels by which `find` and `ledger` recognize it. An
 * order whose call ends with a `ProviderError` may or may not have been carried out; after `OrderRefused` that call was not,
 * and an earlier one has to be looked for before the next.
 */
export interface PaymentProvider {
  readonly name: string
  /** The currencies in which it takes payments; undefined if it takes all. */
  readonly currencies?: ReadonlySet<string>
  /** Creates a page where the payer enters a card, and pays if something is due now. */
  startCheckout(order: CheckoutOrder): Promise<StartedCheckout>
  /** Closes that page, so that it can no longer be paid, and returns the state of the checkout afterwards: the
   * payer may have been faster. */
  expireCheckout(ref: string): Promise<CheckoutFinding>
  /** Charges a saved card without the payer present. */
  charge(order: ChargeOrder): Promise<PaymentFinding>
  refund(order: RefundOrder): Promise<RefundFinding>
  find: {
    checkout(ref: string): Promise<CheckoutFinding>
    /** Returns undefined if the provider does not know the payment. */
    payment(query: PaymentQuery): Promise<PaymentFinding | undefined>
    /** Returns the charges of a subscription, as far as they can be recognized, and all other charges of ours to
     * the card, in any order. */
    charges(query: ChargesQuery): Promise<LedgerCharge[]>
    refund(query: RefundQuery): Promise<RefundFinding | undefined>
  }
  /** Returns what an event is about; undefined unless its signature is valid and recent. An event only says where
   * to look: the provider is asked for the state, since events arrive twice, late and in any order. */
  readEvent(event: ReceivedEvent): Promise<EventSubject[] | undefined>
  /** Makes a harmless request; throws a `ProviderError` that says what is wrong. */
  check(): Promise<void>
  /** Returns what keeps the account from taking payments or paying them out; undefined if that is nothing, or can't be
   * told. */
  accountProblem?(): Promise<AccountProblem | undefined>
  /** How many reads the provider allows in 30 days: for each sale, and at least. Undefined if any number. */
  readAllowance?: { perSale: number; minimum: number }
  /** Undefined if the provider keeps its records in our own database. */
  ledger?: ProviderLedger
}

/** `details_missing`: the provider still has to be told about the business. `charges_off`, `cards_off`, `payouts_off`: the
 * provider doesn't allow any payments, payments by card, payouts. */
export type AccountProblem = 'details_missing' | 'charges_off' | 'cards_off' | 'payouts_off'

/** The provider's own records, read page by page. Times are real time, in the sandbox too. */
export interface ProviderLedger {
  /** Charges that carry our labels, from any installation. */
  charges(since: Seconds): AsyncIterable<ListedRecord<LedgerCharge>>
  /** Returns undefined for a charge without our labels. */
  charge(ref: string): Promise<LedgerCharge | undefined>
  /** All refunds of any system on the account, including those made by hand in the provider's dashboard. */
  refunds(since: Seconds): AsyncIterable<ListedRecord<LedgerRefund> & { paymentRef: string }>
  refund(ref: string): Promise<LedgerRefund | undefined>
  /** The provider's ids of payments of any system that were disputed. */
  disputes(since: Seconds): AsyncIterable<string>
  /** Returns the checkout page on which a charge was paid. */
  checkoutOf(paymentRef: string): Promise<LedgerCheckout | undefined>
}

/** A record of the provider's. Only what tells whose it is has been read: those of other systems may look like anything. */
export interface ListedRecord<T> {
  ref: string
  labels: Labels
  created: Seconds | undefined
  /** Reads the rest; throws an `UnreadableObject`. */
  read(): T
}

export interface LedgerCharge {
  ref: string
  status: PaymentFinding['status']
  money: Money
  created: Seconds
  labels: Labels
  /** The provider's reference to the card that was saved with this charge; undefined if none was. */
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
  /** The email address that we passed when the page was created. */
  email: string | undefined
}

/** The page that was created for a checkout. */
export interface StartedCheckout {
  ref: string
  url: string
  /** Whether the page may offer Link although it should not, because the provider refused to turn it off. */
  showsLink?: boolean
}

export interface CheckoutOrder {
  aid: string
  checkoutId: string
  paymentId: string
  /** Labels that rebuild the purchase if a restore loses it. */
  labels: Labels
  /** The sum that is charged now; undefined if only a card is saved (a trial, a new card). */
  charge: Money | undefined
  /** The currency of future charges, also if nothing is charged now. */
  currency: string
  /** Whether the card is saved for later charges. */
  keepCard: boolean
  /** The name of the purchase, displayed to the payer. */
  title: string
  email: string | undefined
  /** Where the payer is sent after paying, and after giving up. */
  doneUrl: string
  backUrl: string
  /** When the checkout was opened and its page expires; fixed, so that a repeated request is identical. */
  created: Millis
  expires: Millis
}

export interface ChargeOrder {
  aid: string
  paymentId: string
  money: Money
  /** As returned in `CheckoutFinding.method`. */
  method: string
  title: string
  labels: Labels
  /** How often this order was refused with `OrderRefused`. Each number has an idempotency key of its own. */
  refusals: number
}

export interface RefundOrder {
  aid: string
  refundId: string
  labels: Labels
  paymentRef: string
  money: Money
  /** As in `ChargeOrder`. */
  refusals: number
}

export interface PaymentQuery {
  /** Our id, which the payment must carry. Undefined if our own record has the provider's id: an adopted payment
   * may carry another id of ours. */
  paymentId: string | undefined
  /** The provider's id, if known. */
  ref: string | undefined
  /** The card that was to be charged, if any. */
  method: string | undefined
}

export interface ChargesQuery {
  renewal: RenewalCharge
  /** The card that is about to be charged. */
  method: string
}

/** Which refund to look up at the provider: by our id, or by the provider's. */
export interface RefundQuery {
  refundId: string
  paymentRef: string
  /** The provider's id, if known. */
  ref?: string | undefined
}

/** Why a card could not be charged: it was declined, its holder has to confirm, or it no longer exists. `ended`:
 * nothing was charged, because the subscription had ended, or was canceled while the order waited. */
export type ChargeFailure = 'declined' | 'needs_payer' | 'no_card' | 'ended'

export interface PaymentFinding {
  /** `pending`: the provider itself does not know yet. */
  status: 'pending' | 'succeeded' | 'failed'
  /** Undefined if it was refused before the provider created anything. */
  ref: string | undefined
  money: Money
  failure?: ChargeFailure
  /** Undefined if the payment was never disputed. */
  dispute?: DisputeFinding
}

/** How all disputes of a payment stand together: it can be disputed more than once, and in part. Amounts are minor units
 * of the payment's currency. */
export interface DisputeFinding {
  /** Disputes, inquiries and appeals that are undecided; undefined if there is none. */
  open?: OpenDispute
  /** What lost disputes took. */
  lost: number
}

export interface OpenDispute {
  amount: number
  /** Whether the provider takes refunds meanwhile, as it does while a bank only inquires. */
  isRefundable: boolean
}

export interface CheckoutFinding {
  status: 'open' | 'paid' | 'expired'
  /** Where the payer continues while the checkout is open. */
  url?: string
  /** The charge that was part of the checkout. */
  payment?: PaymentFinding
  /** Identifies the saved card in later charges, if it was kept. */
  method?: string
  /** The same each time a card is used, if the provider can tell cards apart. */
  fingerprint?: string
}

export interface RefundFinding {
  status: 'pending' | 'succeeded' | 'failed'
  /** Undefined if it was refused before the provider created anything. */
  ref: string | undefined
  money: Money
  /** Why it failed: `disputed`, `already_refunded`, `refused`. */
  failure?: string
}

export interface ReceivedEvent {
  headers: IncomingHttpHeaders
  /** The raw bytes, which the signature covers. */
  body: Buffer
  realTime: Millis
}

export type EventSubject =
  | { kind: 'checkout'; checkoutId: string; isComplete?: boolean; page?: EventCheckout }
  | { kind: 'payment'; paymentId?: string; ref?: string; owner?: EventOwner }
  | { kind: 'refund'; refundId?: string; ref?: string; paymentRef?: string; owner?: EventOwner }

/** Which installation and application the event belongs to, as it says itself. */
export type EventOwner = Pick<Labels, 'installation' | 'aid'>

/** The checkout as the event itself describes it, in case we have no record of it. */
export interface EventCheckout {
  ref: string
  owner: EventOwner
  created: Seconds
  /** The charge that was part of the checkout. */
  paymentRef: string | undefined
}
