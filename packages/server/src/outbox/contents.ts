import type { Seconds } from '../db/tables.ts'

/** All that the grant's mail says; the application's name, sender and template are read when it is
 * sent. */
export interface GrantMail {
  rid: string
  resource: string
  url: string
  message: string
  first_name: string
  ends: Seconds
}

/** The seller, as a receipt names it: kept with the mail, since settings change and receipts don't. */
export interface Seller {
  name: string
  address: string
  tax_line: string
}

interface MoneyMail {
  /** The moment of what it tells of, in business time. */
  at: Seconds
  resource: string
  first_name: string
  amount: number
  currency: string
}

export interface ReceiptMail extends MoneyMail {
  payment: string
  url: string
  /** Until when this payment holds the access open; FOREVER if it always does. */
  ends: Seconds
  /** Null for a one-time purchase. */
  subscription: string | null
  /** Null where nothing is charged again. */
  period: string | null
  /** What a period costs; a trial is over nothing, and then it costs this. */
  price: number
  seller: Seller
}

export interface PaymentFailedMail extends MoneyMail {
  subscription: string
  failure: string
  /** When the card is tried again; null if it is not: the subscription ends with `ends`, or has ended. */
  retry: Seconds | null
  /** The end of the access if nothing is paid. */
  ends: Seconds
}

export interface TrialEndsMail extends MoneyMail {
  subscription: string
  period: string
  ends: Seconds
}

export interface CanceledMail extends MoneyMail {
  subscription: string
  /** The end of what was paid for. */
  ends: Seconds
}

export interface RefundedMail extends MoneyMail {
  payment: string
  /** `late` and `duplicate` were refunded without anybody asking. */
  reason: string | null
  seller: Seller
}

export interface MailPayloads {
  grant: GrantMail
  receipt: ReceiptMail
  payment_failed: PaymentFailedMail
  trial_ends: TrialEndsMail
  canceled: CanceledMail
  refunded: RefundedMail
}
