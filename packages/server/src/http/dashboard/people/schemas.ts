import type { DecisionCode } from '../../../domain/decision/codes.ts'
import type { AccessDetails } from '../access/schemas.ts'
import type { PaymentItem, SubscriptionItem } from '../payments/schemas.ts'
import type { Money, Page } from '../schemas.ts'

export interface PersonItem {
  uid: string
  /** Empty if no email is verified, or the person was erased. */
  email: string
  /** Typed at a checkout and unverified: mails are sent to it, but it identifies nobody. */
  contact_email: string
  first_name: string
  last_name: string
  created: number
  erased: number | null
}

export type PeoplePage = Page<PersonItem & { live: number }>

/** Why a person can or can't read one resource. */
export interface Reading {
  rid: string
  resource_name: string
  access: boolean
  /** As in a check of the API. */
  code: DecisionCode | 'application_archived'
  /** The rid and the name of the pass that decides; null if none does. */
  via: string | null
  pass_name: string | null
  /** When access ended; null if it is granted, or never was. */
  since: number | null
  /** The end of the relevant access record; null if it has no end date, or there is no record. */
  expires: number | null
}

export interface PersonMail {
  id: string
  kind: string
  /** The name of the resource that it is about; empty if it is about none. */
  resource: string
  to: string
  /** Where it goes if it is resent: the address that the person has now. */
  resend_to: string
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

/** What staff wrote about a person. Times are in seconds. */
export interface NoteItem {
  id: string
  /** Plain text with line breaks. */
  text: string
  /** Who wrote it, and who changed it last, as `staff:ID`. */
  actor: string
  created: number
  changed: number | null
  changed_by: string | null
}

/** Access checks for one resource that were refused for one reason. Times are in seconds. */
export interface RefusedCheckItem {
  rid: string
  /** Empty if there is no such resource. */
  resource_name: string
  code: 'expired' | 'revoked' | 'never_granted' | 'no_resource'
  /** When the access ended or was revoked. */
  since: number | null
  /** The name of the pass through which there had been access. */
  via_name: string | null
  first_at: number
  last_at: number
  times: number
}

export interface PersonDetails {
  person: PersonItem & {
    refs: string[]
    /** The uids and user_refs of users merged into this one, which now refer to this user. */
    aliases: string[]
    /** The uid of the user this one was merged into. */
    merged_into: string | null
  }
  reading: Reading[]
  access: AccessDetails[]
  subscriptions: SubscriptionItem[]
  payments: PaymentItem[]
  mails: PersonMail[]
  downloads: PersonDownload[]
  /** Newest first. */
  notes: NoteItem[]
  /** Of the last 30 days, latest first. */
  refused_checks: RefusedCheckItem[]
}

/** `what` is meant for programs: the action of a change, or the status or outcome of other events. */
export interface TimelineItem {
  at: number
  kind: 'change' | 'expired' | 'payment' | 'refund' | 'mail' | 'download'
  what: string
  /** The records it concerns; most have a page in the app. */
  rid: string | null
  access_id: string | null
  payment_id: string | null
  mail_id: string | null
  /** The name of the resource that a mail is about; null for everything else. */
  about: string | null
  actor: string | null
  money: Money | null
  /** The end of the access before and after a change; null if there is none. */
  expires_before: number | null
  expires: number | null
  /** The parts of a refund, oldest first. */
  steps: TimelineItem[]
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
  /** The person's uid, if the result has one. */
  uid: string | null
}
