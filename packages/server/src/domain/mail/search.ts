import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { exceedsLimit, limitEach, startsWith } from '../../db/queries/prefix.ts'
import { selectWindow, type Window } from '../../db/queries/rows.ts'
import { newestByIdIndex, orderBy, type SortedFilter } from '../../db/queries/sort.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'
import { findMail, isFailedSql, isOpenSql, type MailRow } from './outbox.ts'

/** The state of a mail as staff see it. */
export type MailState = 'waiting' | 'sent' | 'kept' | 'dead'

const isIn = {
  waiting: isOpenSql,
  sent: sql<boolean>`status = 'sent'`,
  kept: sql<boolean>`status = 'kept'`,
  dead: isFailedSql,
} as const satisfies Record<MailState, unknown>

/** The columns that a list of mails can be sorted by. */
export const MAIL_COLUMNS = ['created'] as const
const INDEXES = { created: newestByIdIndex('created', 'id') }

export interface MailSearch extends SortedFilter<typeof INDEXES> {
  state?: MailState | undefined
  uid?: string | undefined
  /** Creation time by the environment's clock: `from` is inclusive, `to` exclusive. */
  from?: Millis | undefined
  to?: Millis | undefined
  /** How far that clock is ahead of real time now. It was never further ahead. */
  clockOffset?: Seconds | undefined
  /** The mail's id, the uid, or the beginning of the recipient's address. */
  text?: string | undefined
  /** Selects the uids of people whom the text may name besides. */
  people?: RawBuilder<string> | undefined
}

/** Returns a page of an application's mails, and the total count. `isCut` means that there are
 * more matches than the search considers. */
export async function searchMails(
  db: Db,
  filter: MailSearch,
  window: Window,
): Promise<{ rows: MailRow[]; total: number; isCut: boolean }> {
  const { aid, text, sort = '-created' } = filter
  const isCut = text !== undefined && (await exceedsLimit(db, prefixQueries(aid, text)))
  const matching = selectMatching(db, filter).orderBy(orderBy(sort, INDEXES))
  return { ...(await selectWindow(matching, window)), isCut }
}

function selectMatching(db: Db, filter: MailSearch) {
  const { aid, state, uid, from, to, clockOffset = 0, text, people } = filter
  const created = sql<Millis>`created + clock_offset * 1000`
  let query = db.selectFrom('outbox').selectAll().where('aid', '=', aid)
  if (state !== undefined) query = query.where(isIn[state])
  if (uid !== undefined) query = query.where('uid', '=', uid)
  // The first condition of each is redundant, but a range of an index.
  if (from !== undefined) {
    query = query.where('created', '>=', from - clockOffset * 1000).where(created, '>=', from)
  }
  if (to !== undefined) query = query.where('created', '<', to).where(created, '<', to)
  if (text === undefined) return query
  return query.where(
    sql<boolean>`id in (${limitEach('id', prefixQueries(aid, text))} ${people ? mailsTo(aid, people) : sql``})`,
  )
}

const mailsTo = (aid: string, people: RawBuilder<string>) => sql`union
  select o.id from ${people} as n cross join outbox o where o.aid = ${aid} and o.uid = n.uid`

/** Matches by id, uid and recipient, each with its own index. */
const prefixQueries = (aid: string, text: string): RawBuilder<unknown>[] => [
  sql`select o.id from outbox o where o.aid = ${aid} and o.id = ${text}`,
  sql`select o.id from outbox o where o.aid = ${aid} and o.uid = ${text}`,
  sql`select o.id from outbox o
    where o.aid = ${aid} and ${startsWith(sql`lower(o.recipient)`, text.toLowerCase())}
    order by lower(o.recipient)`,
]

export async function getMail(db: Db, aid: string, id: string): Promise<MailRow> {
  return requireFound(await findMail(db, aid, id), 'mail_not_found')
}
