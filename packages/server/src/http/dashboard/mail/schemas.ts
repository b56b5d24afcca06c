import { Type } from 'typebox'
import type { MailKind, Millis } from '../../../db/tables.ts'
import { MAIL_COLUMNS, type MailState } from '../../../domain/mail/search.ts'
import { LAST_SECOND } from '../../../fields.ts'
import { paging, searchTextSchema, sortSchema } from '../schemas.ts'

const time = Type.Optional(Type.Integer({ minimum: 0, maximum: LAST_SECOND * 1000 }))

export const MailQuery = Type.Object({
  ...paging,
  status: Type.Optional(Type.Enum(['waiting', 'sent', 'kept', 'dead'])),
  uid: Type.Optional(Type.String({ maxLength: 255 })),
  /** In milliseconds of the environment's clock, like `created_at`. */
  from: time,
  to: time,
  sort: sortSchema(MAIL_COLUMNS),
  q: searchTextSchema,
})

export interface MailItem {
  id: string
  uid: string
  kind: MailKind
  /** Empty if the person was erased. */
  to: string
  /** Where it goes if it is resent: the address that the person has now. Empty if the person was erased. */
  resend_to: string
  status: MailState
  attempts: number
  created_at: Millis
  /** The time of the next attempt; null unless the mail is waiting. */
  due_at: Millis | null
  sent_at: Millis | null
  last_error: string | null
}

/** A mail in a list, with the name of the person, which may be empty. */
export interface ListedMail extends MailItem {
  name: string
}

export interface MailDetails extends MailItem {
  /** The mail as its reader gets it; null if it can no longer be built. */
  content: MailContent | null
  /** Why it can't be built. */
  problem: string | null
}

export interface MailContent {
  headers: { name: string; value: string }[]
  subject: string
  text: string
  html: string
}
