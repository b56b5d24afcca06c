import type { DecisionCode } from '../../../domain/decision/codes.ts'
import type { AccessDetails } from '../access/schemas.ts'
import type { PaymentItem, SubscriptionItem } from '../payments/schemas.ts'
import type { Money, Page } from '../schemas.ts'

export interface PersonItem {
  /** The id of the person. */
  uid: string
  /** The person's verified email address; empty if none is verified, or the person was erased. */
  email: string
  /** The unverified email address that was typed at a checkout: emails are sent to it, but it identifies nobody. May be empty. */
  contact_email: string
  /** The person's first name; may be empty. */
  first_name: string
  /** The person's last name; may be empty. */
  last_name: string
  /** When the person was first seen, in seconds since 1970. */
  created: number
  /** When the person was erased, in seconds since 1970; null if not. */
  erased: number | null
}

export type PeoplePage = Page<
  PersonItem & {
    /** The number of live access records that the person has. */
    live: number
  }
>

/** Why a person can or can't read one resource. */
export interface Reading {
  /** The id of the resource, as your site names it. */
  rid: string
  /** The name of the resource. */
  resource_name: string
  /** Whether the person can read the resource now. */
  access: boolean
  /** The reason, as in `GET /r2/access/check` of the access API. */
  code: DecisionCode | 'application_archived'
  /** The rid of the pass that the decision is based on; null if it is not based on a pass. */
  via: string | null
  /** The name of the pass that the decision is based on; null if it is not based on a pass. */
  pass_name: string | null
  /** When access ended, in seconds since 1970; null if access is granted, or never was. */
  since: number | null
  /** When the access record behind the decision ends, in seconds since 1970; null if it has no end date, or there is no record. */
  expires: number | null
}

export interface PersonMail {
  /** The id of the email. */
  id: string
  /** The kind of email. */
  kind: string
  /** The name of the resource that the email is about; empty if it is about none. */
  resource: string
  /** The address that the email was made for. */
  to: string
  /** The address that the email goes to if it is resent: the one that the person has now. */
  resend_to: string
  /** The state of the email. `kept`: not sent, because no mail server was set. `dead`: failed. */
  status: 'queued' | 'sending' | 'sent' | 'dead' | 'kept'
  /** When the email was created, in milliseconds since 1970. */
  created_at: number
  /** When the email was sent, in milliseconds since 1970; null if it was not sent. */
  sent_at: number | null
  /** The error of the last attempt to send the email; null if it had none. */
  last_error: string | null
}

export interface PersonDownload {
  /** The id of the delivery. */
  id: string
  /** The id of the resource, as your site names it. */
  rid: string
  /** When the download began, in seconds since 1970. */
  at: number
  /** The number of HTTP responses that are counted as this delivery. */
  answers: number
  /** The number of bytes that were sent. */
  bytes: number
  /** The outcome of the delivery. `redirected`: another server delivers the file, and only it knows the outcome. */
  outcome: 'complete' | 'partial' | 'redirected'
}

/** A note by staff about a person. Times are in seconds. */
export interface NoteItem {
  /** The id of the note. */
  id: string
  /** The text of the note: plain text with line breaks. */
  text: string
  /** The author of the note, such as `staff:ID`. */
  actor: string
  /** When the note was written, in seconds since 1970. */
  created: number
  /** When the note was last changed, in seconds since 1970; null if it never was. */
  changed: number | null
  /** The last actor to change the note, such as `staff:ID`; null if it was never changed. */
  changed_by: string | null
}

/** Access checks for one resource that were refused for one reason. Times are in seconds. */
export interface RefusedCheckItem {
  /** The rid that was asked for. */
  rid: string
  /** The name of the resource; empty if there is no such resource. */
  resource_name: string
  /** Why access was refused. */
  code: 'expired' | 'revoked' | 'never_granted' | 'no_resource'
  /** When the access ended or was revoked, in seconds since 1970; null if there never was any. */
  since: number | null
  /** The name of the pass through which there had been access; null if there is none. */
  via_name: string | null
  /** When the check was first refused, in seconds since 1970. */
  first_at: number
  /** When the check was last refused, in seconds since 1970. */
  last_at: number
  /** The number of times that the check was refused. */
  times: number
}

export interface PersonDetails {
  /** The person, with all IDs. */
  person: PersonItem & {
    /** Your site's user_refs for the person. */
    refs: string[]
    /** The uids and user_refs of users merged into this one, which now refer to this user. */
    aliases: string[]
    /** The email addresses of users merged into this one, which now refer to this user. */
    former_addresses: string[]
    /** The uid of the user this one was merged into; null if it was not merged. */
    merged_into: string | null
  }
  /** The resources that the person can or cannot read, each with the reason. */
  reading: Reading[]
  /** All access records, including expired and revoked ones. */
  access: AccessDetails[]
  /** The person's subscriptions, including ended ones; at most 200. */
  subscriptions: SubscriptionItem[]
  /** The person's newest 200 payments; the list of payments has the rest. */
  payments: PaymentItem[]
  /** The emails to the person. */
  mails: PersonMail[]
  /** The files that the person downloaded. */
  downloads: PersonDownload[]
  /** The notes of staff about the person, newest first. */
  notes: NoteItem[]
  /** The refused checks of the last 30 days, latest first. */
  refused_checks: RefusedCheckItem[]
}

/** `what` is meant for programs: the action of a change, or the status or outcome of other events. */
export interface TimelineItem {
  /** When the event happened, in seconds since 1970. */
  at: number
  /** The kind of event. */
  kind: 'change' | 'expired' | 'payment' | 'refund' | 'mail' | 'download'
  /** The action of a change, or the status or outcome of another kind of event; a code for programs. */
  what: string
  /** The id of the resource, as your site names it; null if the event is about none. */
  rid: string | null
  /** The id of the access record; null if the event is about none. */
  access_id: string | null
  /** The id of the payment; null if the event is about none. */
  payment_id: string | null
  /** The id of the email; null if the event is about none. */
  mail_id: string | null
  /** The name of the resource that an email is about; null for other kinds of events. */
  about: string | null
  /** The actor of the event, such as `staff:ID`; null if there is none, as for an expiry. */
  actor: string | null
  /** The amount of money; null if the event is not about money. */
  money: Money | null
  /** The end of the access before a change, in seconds since 1970; null if there is none. */
  expires_before: number | null
  /** The end of the access after a change, in seconds since 1970; null if there is none. */
  expires: number | null
  /** The parts of a refund, oldest first. */
  steps: TimelineItem[]
}

export type Timeline = Page<TimelineItem>

export interface EraseDone {
  /** The id of the person, which remains. */
  uid: string
  /** The number of access records that were revoked. */
  revoked: number
  /** The number of references that were removed. */
  references: number
  /** The number of emails whose content was removed. */
  mails: number
}

export interface LinksEnded {
  /** The id of the person. */
  uid: string
  /** When the links ended, in seconds since 1970. */
  ended: number
}

export interface MergeDone {
  /** The id of the person who was merged. */
  from: string
  /** The id of the person who remains. */
  into: string
  /** The number of references that were moved. */
  references: number
  /** The number of access records that only the merged person had, and that were moved. */
  moved: number
  /** The number of resources for which both had an access record, and now have one. */
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
  /** The results: at most 10, grouped by kind. */
  data: Hit[]
}
