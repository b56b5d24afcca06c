import type { DecisionCode } from '../../../domain/decision/codes.ts'
import type { AccessDetails } from '../access/schemas.ts'
import type { PaymentItem, SubscriptionItem } from '../payments/schemas.ts'
import type { Money, Page } from '../schemas.ts'

export interface PersonItem {
  /** The id of the person. */
  uid: string
  /** Empty if no email is verified, or the person was erased. */
  email: string
  /** Typed at a checkout and unverified: mails are sent to it, but it identifies nobody. */
  contact_email: string
  /** May be empty. */
  first_name: string
  /** May be empty. */
  last_name: string
  /** When the person was first seen, in seconds since 1970. */
  created: number
  /** When the person was erased, in seconds; null if not. */
  erased: number | null
}

export type PeoplePage = Page<
  PersonItem & {
    /** How many live access records the person has. */
    live: number
  }
>

/** Why a person can or can't read one resource. */
export interface Reading {
  /** The id of the resource, as your site names it. */
  rid: string
  /** The name of the resource. */
  resource_name: string
  /** Whether the person can read it now. */
  access: boolean
  /** The reason, as in a check of the API. */
  code: DecisionCode | 'application_archived'
  /** The rid of the pass that decides; null if none does. */
  via: string | null
  /** The name of the pass that decides; null if none does. */
  pass_name: string | null
  /** When access ended; null if it is granted, or never was. */
  since: number | null
  /** The end of the relevant access record; null if it has no end date, or there is no record. */
  expires: number | null
}

export interface PersonMail {
  /** The id of the email. */
  id: string
  /** The kind of email. */
  kind: string
  /** The name of the resource that it is about; empty if it is about none. */
  resource: string
  /** The address that it was made for. */
  to: string
  /** Where it goes if it is resent: the address that the person has now. */
  resend_to: string
  /** `kept`: not sent, because no mail server was set. `dead`: failed. */
  status: 'queued' | 'sending' | 'sent' | 'dead' | 'kept'
  /** In milliseconds since 1970. */
  created_at: number
  /** In milliseconds; null if it was not sent. */
  sent_at: number | null
  /** The error of the last attempt; null if it had none. */
  last_error: string | null
}

export interface PersonDownload {
  /** The id of the delivery. */
  id: string
  /** The id of the resource, as your site names it. */
  rid: string
  /** When it began, in seconds since 1970. */
  at: number
  /** How many responses are counted together here. */
  answers: number
  /** How many bytes were sent. */
  bytes: number
  /** `redirected`: another server delivers the file, and only it knows the outcome. */
  outcome: 'complete' | 'partial' | 'redirected'
}

/** A note by staff about a person. Times are in seconds. */
export interface NoteItem {
  /** The id of the note. */
  id: string
  /** Plain text with line breaks. */
  text: string
  /** The author, such as `staff:ID`. */
  actor: string
  /** When it was written. */
  created: number
  /** When it was last changed; null if it never was. */
  changed: number | null
  /** The last actor to change it, such as `staff:ID`; null if it was never changed. */
  changed_by: string | null
}

/** Access checks for one resource that were refused for one reason. Times are in seconds. */
export interface RefusedCheckItem {
  /** The resource that was asked for. */
  rid: string
  /** Empty if there is no such resource. */
  resource_name: string
  /** Why it was refused. */
  code: 'expired' | 'revoked' | 'never_granted' | 'no_resource'
  /** When the access ended or was revoked. */
  since: number | null
  /** The name of the pass through which there had been access. */
  via_name: string | null
  /** When it was first refused. */
  first_at: number
  /** When it was last refused. */
  last_at: number
  /** How often it was refused. */
  times: number
}

export interface PersonDetails {
  /** The person, with all IDs. */
  person: PersonItem & {
    /** References of your site for the person. */
    refs: string[]
    /** The uids and user_refs of users merged into this one, which now refer to this user. */
    aliases: string[]
    /** The uid of the user this one was merged into. */
    merged_into: string | null
  }
  /** The resources that the person can or cannot read, each with the reason. */
  reading: Reading[]
  /** All access records, including expired and revoked ones. */
  access: AccessDetails[]
  /** Up to 200, including ended ones. */
  subscriptions: SubscriptionItem[]
  /** The newest 200; the list of payments has the rest. */
  payments: PaymentItem[]
  /** The emails to the person. */
  mails: PersonMail[]
  /** The files that the person downloaded. */
  downloads: PersonDownload[]
  /** Newest first. */
  notes: NoteItem[]
  /** The refused checks of the last 30 days, latest first. */
  refused_checks: RefusedCheckItem[]
}

/** `what` is meant for programs: the action of a change, or the status or outcome of other events. */
export interface TimelineItem {
  /** When it happened, in seconds since 1970. */
  at: number
  /** The kind of event. */
  kind: 'change' | 'expired' | 'payment' | 'refund' | 'mail' | 'download'
  /** For programs: the action of a change, or the status or outcome of other events. */
  what: string
  /** The id of the resource, as your site names it; null if it is about none. */
  rid: string | null
  /** The access record; null if it is about none. */
  access_id: string | null
  /** The payment; null if it is about none. */
  payment_id: string | null
  /** The email; null if it is about none. */
  mail_id: string | null
  /** The name of the resource that a mail is about; null for everything else. */
  about: string | null
  /** The actor, such as `staff:ID`; null if there is none, as for an expiry. */
  actor: string | null
  /** How much; null if it is not about money. */
  money: Money | null
  /** The end of the access before a change; null if there is none. */
  expires_before: number | null
  /** The end of the access after a change; null if there is none. */
  expires: number | null
  /** The parts of a refund, oldest first. */
  steps: TimelineItem[]
}

export type Timeline = Page<TimelineItem>

export interface EraseDone {
  /** The id of the person, which stays. */
  uid: string
  /** How many access records were revoked. */
  revoked: number
  /** How many references were removed. */
  references: number
  /** How many emails were emptied. */
  mails: number
}

export interface MergeDone {
  /** The id of the person who was merged. */
  from: string
  /** The id of the person who remains. */
  into: string
  /** How many references were moved. */
  references: number
  /** Access records that only the first person had. */
  moved: number
  /** Access records that both had, and that became one. */
  joined: number
}

export interface Hit {
  /** The kind of record. */
  kind: 'person' | 'access' | 'resource' | 'payment' | 'subscription'
  /** The id of the record, the uid of a person or the rid of a resource. */
  id: string
  /** The main text of the result. */
  title: string
  /** The text below the title. */
  detail: string
  /** The person's uid, if the result has one. */
  uid: string | null
}

export interface Hits {
  /** At most 10, grouped by kind. */
  data: Hit[]
}
