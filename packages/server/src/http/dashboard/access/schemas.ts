import type { RefundItem } from '../payments/schemas.ts'
import type { Money, Page } from '../schemas.ts'

/** `ending`: live, but ends within seven days, and no subscription renews it. */
export type AccessState = 'live' | 'ending' | 'expired' | 'revoked'

export interface AccessItem {
  id: string
  rid: string
  resource_name: string
  uid: string
  /** Empty if no email is verified, or the person was erased. */
  email: string
  /** First and last name; may be empty. */
  name: string
  /** The user_ref of the last grant; null if it had none. */
  user_ref: string | null
  tags: string[]
  created: number
  /** Null for access with no end date. */
  expires: number | null
  /** When a subscription renews it next; null if none does, or if it has no end date. */
  renews: number | null
  revoked: number | null
  state: AccessState
  /** Null if nothing was paid. */
  paid: Money | null
}

export type AccessList = Page<AccessItem>

/** What a grant would do. */
export interface GrantPreview {
  outcome: 'new' | 'extended' | 'shortened' | 'changed' | 'unchanged'
  /** Null for a new person. */
  uid: string | null
  expires_before: number | null
  expires: number | null
  /** `none`: the grant sends no mail; `kept`: no mail server is configured, so the mail would not be sent. */
  mail: 'none' | 'queued' | 'kept'
}

export interface SourceItem {
  id: string
  kind: 'grant' | 'purchase' | 'subscription'
  created: number
  /** When a purchased period starts, if later than the purchase. */
  starts: number | null
  expires: number | null
  /** When this source stopped granting access, if before its end. */
  closed: number | null
  payment: { id: string; amount: Money; status: string } | null
  subscription: { id: string; status: string; current_period_end: number } | null
}

export interface AccessDetails extends AccessItem {
  sources: SourceItem[]
}

/** What a revoke would do. */
export interface RevokePreview {
  access: AccessItem
  /** The sources that currently grant the access, and would end. */
  sources: SourceItem[]
  /** Subscriptions that would end immediately. */
  subscriptions: {
    id: string
    status: string
    amount: Money
    period: string
    current_period_end: number
  }[]
  /** Payments that could be refunded. Disputed ones would not be: the bank decides on them. */
  refundable: { payment_id: string; amount: Money; created: number; disputed: boolean }[]
  /** Where the email about each refund goes. The revoke itself sends none. Null if no address is known. */
  refund_mail_to: string | null
}

export interface RevokedCounts {
  access: AccessItem
  refunds: RefundItem[]
}

export interface RevokedManyCounts {
  revoked: number
  /** The number of refunds ordered; they are made within a minute. */
  refunds: number
  /** Records that were not revoked, and why. */
  refused: { id: string; code: string; message: string }[]
}

export interface ImportRow {
  /** The line in the file where the row starts, counted from 1. */
  line: number
  outcome: 'new' | 'changed' | 'unchanged' | 'refused'
  rid: string
  email: string
  /** Everything that is wrong with the row. */
  reason?: string
}

export interface ImportDone {
  dry_run: boolean
  rows: number
  granted: number
  unchanged: number
  refused: number
  lines: ImportRow[]
}
