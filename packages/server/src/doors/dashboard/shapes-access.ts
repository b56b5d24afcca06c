import type { Money, Page } from './shapes.ts'

/** `ending`: live, and over within seven days. */
export type AccessState = 'live' | 'ending' | 'expired' | 'revoked'

export interface AccessItem {
  id: string
  rid: string
  resource_name: string
  uid: string
  /** Empty where no address is proven, or the person was erased. */
  email: string
  /** First and last name; may be empty. */
  name: string
  /** The reference of the last grant; null if it had none. */
  user_ref: string | null
  tags: string[]
  created: number
  /** Null for access without an end. */
  expires: number | null
  revoked: number | null
  state: AccessState
  /** Null where nothing was paid. */
  paid: Money | null
}

export type AccessList = Page<AccessItem>

/** What a grant would do; `message` says why it would be refused. */
export interface GrantPreview {
  outcome: 'new' | 'extended' | 'shortened' | 'changed' | 'unchanged'
  /** Null for somebody who is not known yet. */
  uid: string | null
  expires_before: number | null
  expires: number | null
  /** `none`: it calls for no mail; `kept`: no server is set, and it would only be kept. */
  mail: 'none' | 'queued' | 'kept'
}

export interface SourceItem {
  id: string
  kind: 'grant' | 'purchase' | 'subscription'
  created: number
  /** When a period that was bought begins, if that is later. */
  starts: number | null
  expires: number | null
  /** When it stopped to hold the access open, if it did before its end. */
  closed: number | null
  payment: { id: string; amount: Money; status: string } | null
  subscription: { id: string; status: string; current_period_end: number } | null
}

export interface AccessDetails extends AccessItem {
  sources: SourceItem[]
}

/** What a revoke would do. */
export interface RevokeEffect {
  access: AccessItem
  /** What holds it open, and would not any more. */
  sources: SourceItem[]
  /** Would end at once. */
  subscriptions: {
    id: string
    status: string
    amount: Money
    period: string
    current_period_end: number
  }[]
  /** Would be paid back, if that is wanted. What is in dispute would not: the bank decides on it. */
  refundable: { payment_id: string; amount: Money; created: number; disputed: boolean }[]
}

export interface RefundItem {
  id: string
  payment_id: string
  amount: Money
  status: 'pending' | 'succeeded' | 'failed'
  reason: string | null
  created: number
}

export interface RevokeDone {
  access: AccessItem
  refunds: RefundItem[]
}

export interface RevokeManyDone {
  revoked: number
  /** Ordered; they are carried out within a minute. */
  refunds: number
  /** Those that were not revoked, and why. */
  refused: { id: string; code: string; message: string }[]
}

export interface ImportRow {
  /** Where it begins in the file, counted from 1. */
  line: number
  outcome: 'new' | 'changed' | 'unchanged' | 'refused'
  rid: string
  email: string
  /** All that is wrong with it. */
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
