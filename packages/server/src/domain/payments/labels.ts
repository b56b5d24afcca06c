import type { Seconds } from '../../db/tables.ts'

/** Identifies the charge of a saved card for one period of a subscription. The values are the same before and after a
 * crash or a restore, so that a charge that was already made is found. */
export interface RenewalCharge {
  installation: string
  subscriptionId: string
  /** The first second of the paid period. */
  periodStart: Seconds
  /** How many earlier charges for this period were refused. */
  attempt: number
}

/** Terms of a checkout that its amount and currency do not show. */
export interface LabeledTerms {
  recurring: 0 | 1
  period: string | null
  trial_days: number
  /** Whether the application vouches for the email address. */
  isVouched: boolean
}

/** Metadata that we write on an order at the provider and read back. Orders of older versions lack most of it. */
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
  /** The caller's own id for a refund. */
  reference?: string | undefined
  terms?: LabeledTerms | undefined
}
