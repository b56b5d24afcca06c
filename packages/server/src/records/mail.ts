import type { Seconds } from '../db/tables.ts'
import type { MailRow } from '../domain/mail/outbox.ts'
import { withoutNulls } from './without-nulls.ts'

const itemOf = (row: MailRow) => ({
  ...{ id: row.id, uid: row.uid, kind: row.kind, to: row.recipient },
  ...{ status: row.status, attempts: row.attempts },
})

const dueOf = ({ status, due }: MailRow) => (status === 'queued' ? due : null)

/** An email for the dashboard. Times are in milliseconds, by the clock of the environment: `clockOffset` is how far that
 * is ahead of real time now. */
export function mailItem(row: MailRow, clockOffset: Seconds) {
  const past = row.clock_offset * 1000
  const due = dueOf(row)
  return {
    ...itemOf(row),
    created_at: row.created + past,
    due_at: due === null ? null : due + clockOffset * 1000,
    sent_at: row.sent === null ? null : row.sent + past,
    last_error: row.last_error,
  }
}

const toSeconds = (millis: number) => Math.floor(millis / 1000)
const toSecondsOrNull = (millis: number | null) => (millis === null ? null : toSeconds(millis))

/** The same for the command line, in seconds. */
export function mailDetails(row: MailRow, clockOffset: Seconds) {
  const { uid, created_at, due_at, sent_at, last_error, ...item } = mailItem(row, clockOffset)
  const [due, sent] = [toSecondsOrNull(due_at), toSecondsOrNull(sent_at)]
  return {
    ...{ aid: row.aid, uid, ...item },
    created: toSeconds(created_at),
    ...withoutNulls({ due, sent, last_error }),
  }
}

/** The same in an export of a person's data, with what the email was made from. */
export function exportedMail(row: MailRow) {
  const { id, kind, to: recipient, status, attempts } = itemOf(row)
  const { created, sent, last_error } = row
  const content = JSON.parse(row.payload) as unknown
  return { id, kind, recipient, content, status, attempts, created, sent, last_error }
}
