import { type RawBuilder, sql } from 'kysely'
import { beginsWith, isMany, ofMany } from '../db/beginning.ts'
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

/** A stretch of the mails of an application, the newest first, and the count of all. `isCut`: more fit
 * what was typed than are looked at. */
export async function searchMails(
  db: Db,
  filter: MailSearch,
  window: { offset: number; limit: number },
): Promise<{ rows: MailRow[]; total: number; isCut: boolean }> {
  const { aid, text } = filter
  const isCut = text !== undefined && (await isMany(db, waysToMean(aid, text)))
  const query = selectMatching(db, filter)
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  if (window.offset >= total) return { rows: [], total, isCut }
  const rows = await query
    .selectAll()
    .orderBy('created', 'desc')
    .orderBy('id')
    .limit(window.limit)
    .offset(window.offset)
    .execute()
  return { rows, total, isCut }
}

function selectMatching(db: Db, { aid, state, uid, from, to, text }: MailSearch) {
  let query = db.selectFrom('outbox').where('aid', '=', aid)
  if (state !== undefined) query = query.where(isIn[state])
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (from !== undefined) query = query.where('created', '>=', from)
  if (to !== undefined) query = query.where('created', '<', to)
  if (text === undefined) return query
  return query.where(sql<boolean>`id in (${ofMany('id', waysToMean(aid, text))})`)
}

/** By id, by uid, and by where it goes to: each by an index of its own. */
const waysToMean = (aid: string, text: string): RawBuilder<unknown>[] => [
  sql`select o.id from outbox o where o.id = ${text}`,
  sql`select o.id from outbox o where o.aid = ${aid} and o.uid = ${text}`,
  sql`select o.id from outbox o
    where o.aid = ${aid} and ${beginsWith(sql`lower(o.recipient)`, text.toLowerCase())}
    order by lower(o.recipient)`,
]

export async function getMail(db: Db, aid: string, id: string): Promise<MailRow> {
  const row = await findMail(db, id)
  if (row?.aid !== aid) throw fail('mail_not_found')
  return row
}
