import type { Seconds } from '../../db/tables.ts'

/** The content of a grant mail. The application's name, sender and template are read when it is sent. */
export interface GrantMail {
  rid: string
  resource: string
  url: string
  message: string
  first_name: string
  ends: Seconds
}

/** The seller as named on a receipt. Stored with the mail, because settings change and receipts don't. */
export interface Seller {
  name: string
  address: string
  tax_line: string
}

interface PaymentMail {
  /** When the event happened, in business time. */
  at: Seconds
  resource: string
  first_name: string
  amount: number
  currency: string
}

export interface ReceiptMail extends PaymentMail {
  payment: string
  url: string
  /** When the access from this payment ends; FOREVER for lifetime access. */
  ends: Seconds
  /** Null for a one-time purchase. */
  subscription: string | null
  /** Null if nothing will be charged again. */
  period: string | null
  /** The price of a period. During a free trial the amount is 0, and this is charged afterwards. */
  price: number
  seller: Seller
}

export interface PaymentFailedMail extends PaymentMail {
  subscription: string
  failure: string
  /** When the card is charged again; null if it is not, and the subscription ends at `ends` or has ended. */
  retry: Seconds | null
  /** When access ends if nothing is paid. */
  ends: Seconds
}

export interface TrialEndsMail extends PaymentMail {
  subscription: string
  period: string
  ends: Seconds
}

export interface CanceledMail extends PaymentMail {
  subscription: string
  /** When the paid period ends, or the time of cancellation if that is later. */
  ends: Seconds
}

export interface RefundedMail extends PaymentMail {
  payment: string
  /** `late` and `duplicate` are automatic refunds. */
  reason: string | null
  seller: Seller
}

/** Goes to the old and to the new address. Neither learns the other one in full: one of them may be a stranger's. */
export interface AddressChangedMail {
  at: Seconds
  first_name: string
  /** Whether the recipient is the address that was removed or the one that was added. */
  role: 'removed' | 'added'
  /** The other address with most of its characters left out; empty if there was none. */
  other: string
}

export interface MailPayloads {
  grant: GrantMail
  receipt: ReceiptMail
  payment_failed: PaymentFailedMail
  trial_ends: TrialEndsMail
  canceled: CanceledMail
  refunded: RefundedMail
  address_changed: AddressChangedMail
}
