import { Type } from 'typebox'
import type { MailKind, Millis } from '../../db/tables.ts'
import type { MailState } from '../../outbox/search.ts'
import { paging, searched } from './shapes.ts'

const time = Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799_000 }))

export const MailQuery = Type.Object({
  ...paging,
  status: Type.Optional(Type.Enum(['waiting', 'sent', 'kept', 'dead'])),
  uid: Type.Optional(Type.String({ maxLength: 255 })),
  /** In milliseconds, as `created_at` is. */
  from: time,
  to: time,
  q: searched,
})

export interface ShownMail {
  id: string
  uid: string
  kind: MailKind
  /** Empty once the person was erased. */
  to: string
  status: MailState
  attempts: number
  created_at: Millis
  /** When it is tried next; null unless it waits. */
  due_at: Millis | null
  sent_at: Millis | null
  last_error: string | null
}

export interface MailDetails extends ShownMail {
  /** As its reader gets it; null if it can't be put together any more. */
  content: MailContent | null
  /** Why it can't. */
  problem: string | null
}

export interface MailContent {
  headers: { name: string; value: string }[]
  subject: string
  text: string
  html: string
}
