import { Type } from 'typebox'
import type { MailKind, Millis } from '../../../db/tables.ts'
import { MAIL_COLUMNS, type MailState } from '../../../domain/mail/search.ts'
import { LAST_SECOND } from '../../../fields.ts'
import { paging, searchTextSchema, sortSchema } from '../schemas.ts'

const time = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: LAST_SECOND * 1000, description }))

export const MailQuery = Type.Object({
  ...paging,
  status: Type.Optional(
    Type.Enum(['waiting', 'sent', 'kept', 'dead'], {
      description: 'Only emails in this state.',
    }),
  ),
  uid: Type.Optional(Type.String({ maxLength: 255 })),
  from: time(
    "Only emails since this time, in milliseconds of the environment's clock, as `created_at`.",
  ),
  to: time(
    "Only emails before this time, in milliseconds of the environment's clock, as `created_at`.",
  ),
  sort: sortSchema(MAIL_COLUMNS),
  q: searchTextSchema,
})

export interface MailItem {
  /** The id of the email. */
  id: string
  /** The id of the person. */
  uid: string
  /** The kind of email. */
  kind: MailKind
  /** Empty if the person was erased. */
  to: string
  /** Where it goes if it is resent: the address that the person has now. Empty if the person was erased. */
  resend_to: string
  /** `kept`: not sent, because no mail server was set. `dead`: failed. */
  status: MailState
  /** How often it was tried. */
  attempts: number
  /** In milliseconds since 1970. */
  created_at: Millis
  /** The time of the next attempt; null unless the mail is waiting. */
  due_at: Millis | null
  /** In milliseconds; null if it was not sent. */
  sent_at: Millis | null
  /** The error of the last attempt; null if it had none. */
  last_error: string | null
}

/** A mail in a list, with the name of the person, which may be empty. */
export interface ListedMail extends MailItem {
  /** First and last name of the person; may be empty. */
  name: string
}

export interface MailDetails extends MailItem {
  /** The mail as its reader gets it; null if it can no longer be built. */
  content: MailContent | null
  /** Why it can't be built. */
  problem: string | null
}

export interface MailContent {
  /** From, To and others, in their order. */
  headers: {
    /** The name of the header. */
    name: string
    /** The value of the header. */
    value: string
  }[]
  /** The subject line. */
  subject: string
  /** The body as plain text. */
  text: string
  /** The body as HTML. */
  html: string
}

export interface ResentMails {
  /** How many emails are sent again. */
  queued: number
}
