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
  /** The address that the email was made for; empty if the person was erased. */
  to: string
  /** The address that the email goes to if it is resent: the one that the person has now. Empty if the person was erased. */
  resend_to: string
  /** The state of the email. `kept`: not sent, because no mail server was set. `dead`: failed. */
  status: MailState
  /** The number of attempts to send the email. */
  attempts: number
  /** When the email was created, in milliseconds since 1970. */
  created_at: Millis
  /** When the next attempt is made, in milliseconds since 1970; null unless the email is waiting. */
  due_at: Millis | null
  /** When the email was sent, in milliseconds since 1970; null if it was not sent. */
  sent_at: Millis | null
  /** The error of the last attempt to send the email; null if it had none. */
  last_error: string | null
}

/** A mail in a list, with the name of the person, which may be empty. */
export interface ListedMail extends MailItem {
  /** The person's first and last name; may be empty. */
  name: string
}

export interface MailDetails extends MailItem {
  /** The email as the person gets it; null if it can no longer be built. */
  content: MailContent | null
  /** Why the email can't be built; null if it can. */
  problem: string | null
}

export interface MailContent {
  /** The headers of the email, such as From and To, in their order. */
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
  /** The number of emails that are sent again. */
  queued: number
}
