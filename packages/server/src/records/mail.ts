import type { MailRow } from '../domain/mail/outbox.ts'
import { withoutNulls } from './without-nulls.ts'

/** An email for the dashboard, whose times are in milliseconds. */
export function mailItem(row: MailRow) {
  const { id, uid, kind, attempts, last_error } = row
  return {
    ...{ id, uid, kind, to: row.recipient, status: row.status, attempts },
    created_at: row.created,
    due_at: row.status === 'queued' ? row.due : null,
    sent_at: row.sent,
    last_error,
  }
}

const toSeconds = (millis: number) => Math.floor(millis / 1000)
const toSecondsOrNull = (millis: number | null) => (millis === null ? null : toSeconds(millis))

/** The same for the command line, whose times are in seconds. */
export function mailDetails(row: MailRow) {
  const { created_at, due_at, sent_at, last_error, uid, ...item } = mailItem(row)
  return {
    ...{ aid: row.aid, uid, ...item },
    created: toSeconds(created_at),
    ...withoutNulls({ due: toSecondsOrNull(due_at), sent: toSecondsOrNull(sent_at), last_error }),
  }
}

/** The same in an export of a person's data, with what the email was made from. */
export function exportedMail(row: MailRow) {
  const { id, kind, to: recipient, status, attempts, last_error } = mailItem(row)
  const { created, sent } = row
  const content = JSON.parse(row.payload) as unknown
  return { id, kind, recipient, content, status, attempts, created, sent, last_error }
}
