import type { Seconds } from '../db/tables.ts'

/** What a charge of a saved card is for: the same before and after a crash or a restore. */
export interface Purpose {
  installation: string
  subscriptionId: string
  /** The first second of the period that is paid for. */
  periodStart: Seconds
  /** How many charges for this period were refused before. */
  attempt: number
}

/** What a checkout sells, where the price alone does not say it. */
export interface LabeledTerms {
  recurring: 0 | 1
  period: string | null
  trial_days: number
  /** Whether the application vouches for the address. */
  isVouched: boolean
}

/** What we write onto an order at the provider, and read back. Orders of older versions lack most of it. */
export interface Labels {
  installation?: string | undefined
  aid?: string | undefined
  rid?: string | undefined
  uid?: string | undefined
  userRef?: string | undefined
  subscriptionId?: string | undefined
  periodStart?: Seconds | undefined
  attempt?: number | undefined
  checkoutId?: string | undefined
  paymentId?: string | undefined
  refundId?: string | undefined
  /** The caller's own name for a refund. */
  reference?: string | undefined
  terms?: LabeledTerms | undefined
}
