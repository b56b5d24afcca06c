import type { Money, Page } from './shapes.ts'
import type { AccessDetails } from './shapes-access.ts'
import type { ShownPayment, ShownSubscription } from './shapes-money.ts'

export interface PersonItem {
  uid: string
  /** Empty where none is proven, or the person was erased. */
  email: string
  /** Typed at a checkout and unproven: mails go there, and it names nobody. */
  contact_email: string
  first_name: string
  last_name: string
  created: number
  erased: number | null
}

export type PeoplePage = Page<PersonItem & { live: number }>

/** Why she can read one thing, or can't. */
export interface Reading {
  rid: string
  resource_name: string
  access: boolean
  code:
    | 'live'
    | 'expired'
    | 'revoked'
    | 'never_granted'
    | 'user_not_found'
    | 'resource_not_found'
    | 'application_archived'
  /** One sentence. */
  reason: string
  /** Of the record that counts; null for one without an end, and where there is none. */
  expires: number | null
}

export interface PersonMail {
  id: string
  kind: string
  to: string
  status: 'queued' | 'sending' | 'sent' | 'dead' | 'kept'
  created_at: number
  sent_at: number | null
  last_error: string | null
}

export interface PersonDownload {
  id: string
  rid: string
  at: number
  answers: number
  bytes: number
  outcome: 'complete' | 'partial' | 'redirected'
}

export interface PersonDetails {
  person: PersonItem & {
    refs: string[]
    /** Uids and references of users who were merged into this one: they name this user too. */
    aliases: string[]
    /** The uid of the user whom this one became part of. */
    merged_into: string | null
  }
  reading: Reading[]
  access: AccessDetails[]
  subscriptions: ShownSubscription[]
  payments: ShownPayment[]
  mails: PersonMail[]
  downloads: PersonDownload[]
}

/** `what` says it for programs: of a change its action, of others their status or outcome. */
export interface TimelineItem {
  at: number
  kind: 'change' | 'expired' | 'payment' | 'refund' | 'mail' | 'download'
  what: string
  /** Of what it was; the app has a page for most. */
  rid: string | null
  access_id: string | null
  payment_id: string | null
  mail_id: string | null
  actor: string | null
  money: Money | null
  /** Ends as they were and are, of a change of access; null for none. */
  expires_before: number | null
  expires: number | null
}

export type Timeline = Page<TimelineItem>

export interface EraseDone {
  uid: string
  revoked: number
  references: number
  mails: number
}

export interface MergeDone {
  from: string
  into: string
  references: number
  moved: number
  joined: number
}

export interface Hit {
  kind: 'person' | 'access' | 'resource' | 'payment' | 'subscription'
  id: string
  title: string
  detail: string
  /** The person's page, where there is one. */
  uid: string | null
}
