import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { findMail, isGivenUp, isOpen, type MailRow } from './outbox.ts'

/** What became of a mail, as people see it. */
export type MailState = 'waiting' | 'sent' | 'kept' | 'dead'

const isIn = {
  waiting: isOpen,
  sent: sql<boolean>`status = 'sent'`,
  kept: sql<boolean>`status = 'kept'`,
  dead: isGivenUp,
} as const satisfies Record<MailState, unknown>

export interface MailSearch {
  aid: string
  state?: MailState | undefined
  uid?: string | undefined
  /** When it was called for: from then on, and before then. */
  from?: Millis | undefined
  to?: Millis | undefined
  /** Its id, or the beginning of the address that it goes to. */
  text?: string | undefined
}

/** Comes after every other character, in the order of bytes. */
const LAST = '\u{10FFFF}'

/** A stretch of the mails of an application, the newest first, and the count of all. */
export async function searchMails(
  db: Db,
  filter: MailSearch,
  window: { offset: number; limit: number },
): Promise<{ rows: MailRow[]; total: number }> {
  const query = selectMatching(db, filter)
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  if (window.offset >= total) return { rows: [], total }
  const rows = await query
    .selectAll()
    .orderBy('created', 'desc')
    .orderBy('id')
    .limit(window.limit)
    .offset(window.offset)
    .execute()
  return { rows, total }
}

function selectMatching(db: Db, { aid, state, uid, from, to, text }: MailSearch) {
  let query = db.selectFrom('outbox').where('aid', '=', aid)
  if (state !== undefined) query = query.where(isIn[state])
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (from !== undefined) query = query.where('created', '>=', from)
  if (to !== undefined) query = query.where('created', '<', to)
  if (text === undefined) return query
  const start = text.toLowerCase()
  return query.where((eb) =>
    eb.or([
      eb('id', '=', text),
      eb('uid', '=', text),
      eb.and([
        eb(eb.fn<string>('lower', ['recipient']), '>=', start),
        eb(eb.fn<string>('lower', ['recipient']), '<', start + LAST),
      ]),
    ]),
  )
}

export async function getMail(db: Db, aid: string, id: string): Promise<MailRow> {
  const row = await findMail(db, id)
  if (row?.aid !== aid) throw fail('mail_not_found')
  return row
}
