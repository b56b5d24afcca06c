import type { DecisionCode } from '../../../domain/decision/codes.ts'
import type { RefundItem } from '../payments/schemas.ts'
import type { Money, Page } from '../schemas.ts'

/** `ending`: live, but ends within seven days, and no subscription renews it. */
export type AccessState = 'live' | 'ending' | 'expired' | 'revoked'

export interface AccessItem {
  /** The id of the access record. */
  id: string
  /** The id of the resource, as your site names it. */
  rid: string
  /** The name of the resource. */
  resource_name: string
  /** The id of the person. */
  uid: string
  /** The person's verified email address; empty if none is verified, or the person was erased. */
  email: string
  /** The person's first and last name; may be empty. */
  name: string
  /** The user_ref of the last grant; null if it had none. */
  user_ref: string | null
  /** The tags of the access record, in the order in which they are shown. */
  tags: string[]
  /** When access was granted, in seconds since 1970. */
  created: number
  /** When access ends, in seconds since 1970; null for access with no end date. */
  expires: number | null
  /** When a subscription next renews the access, in seconds since 1970; null if none does, or if it has no end date. */
  renews: number | null
  /** When access was revoked, in seconds since 1970; null if it was not. */
  revoked: number | null
  /** The current state. `ending`: live, but ends within seven days, and no subscription renews it. */
  state: AccessState
  /** The amount paid for the access; null if nothing was paid. */
  paid: Money | null
}

export type AccessList = Page<AccessItem>

/** The effect that a grant would have. */
export interface GrantPreview {
  /** The effect of the grant. `new`: the person has no access yet. `changed`: only details other than the end change. */
  outcome: 'new' | 'extended' | 'shortened' | 'changed' | 'unchanged'
  /** The id of the person; null for a new person. */
  uid: string | null
  /** The end of the access before the grant, in seconds since 1970; null if there is no access yet, or it has no end date. */
  expires_before: number | null
  /** The end of the access after the grant, in seconds since 1970; null for no end date. */
  expires: number | null
  /** Whether the grant sends an email. `none`: it does not. `kept`: it would, but no mail server is configured. */
  mail: 'none' | 'queued' | 'kept'
}

export interface SourceItem {
  /** The id of the source. */
  id: string
  /** The kind of source. */
  kind: 'grant' | 'purchase' | 'subscription'
  /** When the source began, in seconds since 1970. */
  created: number
  /** When a purchased period starts, in seconds since 1970, if later than the purchase; null otherwise. */
  starts: number | null
  /** When the source stops granting access, in seconds since 1970; null for no end date. */
  expires: number | null
  /** When the source stopped granting access before its end, in seconds since 1970; null if it did not. */
  closed: number | null
  /** The payment of a purchase; null for other sources. */
  payment: {
    /** The id of the payment. */
    id: string
    /** The amount paid. */
    amount: Money
    /** The state of the payment, as in the list of payments. */
    status: string
  } | null
  /** The subscription that pays for the access; null for other sources. */
  subscription: {
    /** The id of the subscription. */
    id: string
    /** The state of the subscription, as in the list of subscriptions. */
    status: string
    /** When the paid period ends, in seconds since 1970. */
    current_period_end: number
  } | null
}

export interface AccessDetails extends AccessItem {
  /** All sources that give or gave the access: grants, purchases and subscriptions. */
  sources: SourceItem[]
}

/** The effect that a revoke would have. */
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

/** A source of access, as in the check of the access API. */
export interface ExplainedSource {
  /** The kind of source. */
  kind: 'grant' | 'purchase' | 'subscription'
  /** The id of the subscription, of the payment of a purchase, or of the access record of a grant. */
  id: string
  /** When the source starts to give access, in seconds since 1970; in the future for a queued period. */
  from: number
  /** When the source stops giving access, in seconds since 1970; left out if it has no end. */
  until?: number
  /** The rid of the pass through which the source gives access; left out if it is of the resource itself. */
  via?: string
}

/** A price that a reader could buy, as in the check of the access API. */
export interface ExplainedOffer {
  /** The id of the price. */
  price: string
  /** The rid of what is sold: the resource, or a pass that opens it. */
  rid: string
  /** The price, in major units of the currency: 9.99 is 9.99 EUR. */
  amount: number
  /** ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** Whether the offer is a subscription. */
  recurring: boolean
  /** The length of the free trial in days; 0 without a trial. */
  trial_days: number
  /** The period that is paid for, such as `1 month`; left out for access with no end date. */
  period?: string
}

/** Why a person can or can't read a resource, as in the check of the access API. */
export interface ExplainedCheck {
  /** The time for which the answer holds, by the environment's clock, in seconds since 1970. */
  now: number
  /** The user_ref of the request; left out if it named the reader by uid or email. */
  user_ref?: string
  /** The email address of the request; left out if it named the reader otherwise. */
  email?: string
  /** The uid of the reader; left out if the request names nobody. */
  uid?: string
  /** The meaning of `code`, as a sentence. */
  meaning: string
  /** The rid of the resource, as in the request. */
  rid: string
  /** Whether the reader may see the resource. */
  granted: boolean
  /** The reason, as in `GET /r2/access/check` of the access API. */
  code: DecisionCode
  /** The sources that give access now or later; empty if access is not granted. */
  sources: ExplainedSource[]
  /** The prices at which the reader could buy access; empty if access is granted. */
  offers: ExplainedOffer[]
  /** When access ended, in seconds since 1970; left out if access is granted, or never was. */
  since?: number
  /** When access ends, in seconds since 1970; left out if it has no end or is not granted. */
  until?: number
  /** The earliest time at which the answer can change by itself, in seconds since 1970; left out if it can't. */
  next_change?: number
  /** The rid of the pass that the answer is based on; left out if it is not based on a pass. */
  via?: string
  /** The id of the access record that gives access; left out if access is not granted. */
  access_id?: string
}

export interface RevokedCounts {
  /** The access record after the revoke. */
  access: AccessItem
  /** The refunds that were ordered with the revoke. */
  refunds: RefundItem[]
}

export interface RevokedManyCounts {
  revoked: number
  /** The number of refunds ordered; they are made within a minute. */
  refunds: number
  /** Records that were not revoked, and why. */
  refused: { id: string; code: string; message: string }[]
}

/** The effect of a row of an imported file. `changed`: only details other than the end have changed. */
export type ImportOutcome = 'new' | 'extended' | 'shortened' | 'changed' | 'unchanged' | 'refused'

export interface ImportRow {
  /** The number of the row in a spreadsheet, counted from 1. */
  row: number
  outcome: ImportOutcome
  email: string
  /** The resource's name, or what the file calls it. */
  resource: string
  /** The end of the access, as `2026-12-31` or with a time, in the application's time zone; empty for no end date. */
  until?: string
  /** The end of the access so far; missing for new access. */
  before?: string
  /** Everything that is wrong with the row. */
  reason?: string
  /** The cells of a refused row, unchanged. */
  cells?: string[]
}

export interface ImportResult {
  dry_run: boolean
  rows: number
  /** Rows that were granted: new, extended, shortened or changed. */
  granted: number
  unchanged: number
  refused: number
  counts: Record<ImportOutcome, number>
  /** Granted rows without an end date. */
  endless: number
  /** Granted rows whose end is in the past. */
  over: number
  /** Emails that the import sends, or would send, if it notifies. */
  mails: number
  /** `kept`: no mail server is configured, so emails would not be sent. */
  delivery: 'queued' | 'kept'
}

/** A line of the response to an import. */
export type ImportEvent =
  | { row: ImportRow }
  | { progress: { done: number; total: number } }
  | { done: ImportResult }

/** The kind of data in a column; empty for columns that are ignored. */
export type ImportColumn =
  | ''
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'full_name'
  | 'resource'
  | 'until'
  | 'tags'
  | 'user_ref'
  | 'state'

/** How a file is understood. */
export interface SheetReading {
  rows: number
  /** The names of the columns. */
  names: string[]
  /** Whether it is an exact export, which needs no columns to be assigned. */
  machine: boolean
  time_zone: string
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  delimiter: 'comma' | 'semicolon' | 'tab'
  header: boolean
  columns: ImportColumn[]
  order: 'dmy' | 'mdy' | null
  /** Whether dates can be read in two ways, so that somebody must choose. */
  order_unclear: boolean
  delivery: 'queued' | 'kept'
  sample: {
    row: number
    cells: string[]
    understood: { email: string; name: string; resource: string; until: string } | null
    problem: string | null
  }[]
}

export interface RecentImport {
  /** In milliseconds. */
  at: number
  by: string
  /** `begun`: it is running, or the server was stopped during it. */
  outcome: 'done' | 'stopped' | 'failed' | 'begun'
  /** Rows in the file. */
  total: number
  /** Rows that were dealt with. */
  rows: number
  granted: number
  unchanged: number
  refused: number
}
