import type { Db } from '../../db/database.ts'
import type { DeliveryTable, NoteTable, RefusedCheckTable, Seconds } from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'
import { type AccessRow, selectAccess } from '../access/details.ts'
import { listSourceDetails, type SourceDetails } from '../access/source-details.ts'
import { getApplication } from '../apps/applications.ts'
import { type Decision, decide } from '../decision/decide.ts'
import { listDeliveries } from '../downloads/deliveries.ts'
import { type HistoryRow, listHistory } from '../history/history.ts'
import type { MailRow } from '../mail/outbox.ts'
import { listMailsOfUser } from '../mail/user-mails.ts'
import { findOpens } from '../passes/opens.ts'
import { listRefusedChecks } from '../refusals/refused-checks.ts'
import { listResources } from '../resources/resources.ts'
import { listUsers } from '../users/find.ts'
import { listFormerAddresses } from '../users/former-addresses.ts'
import { listNotes } from '../users/notes.ts'
import { listNames, type UserNames, type UserRow } from '../users/users.ts'
import { ACTION_MERGED_AWAY } from './merge.ts'

/** Everything on a person's page except the timeline. */
export interface PersonPage extends UserNames {
  user: UserRow
  /** Addresses of users who were merged into this one. */
  formerAddresses: string[]
  /** The uid of the user whom this one was merged into. */
  mergedInto: string | undefined
  access: { row: AccessRow; sources: SourceDetails[] }[]
  /** Why the person can or can't read each resource that they ever had access to, and those that are open through a
   * pass. */
  decisions: Decision[]
  /** Whether every request of the application is refused. */
  isArchived: boolean
  mails: MailRow[]
  deliveries: DeliveryTable[]
  /** Newest first. */
  notes: NoteTable[]
  /** Access checks of the last 30 days that were refused, latest first. */
  refusedChecks: RefusedCheckTable[]
}

/** Maximum rows of each kind. Nearly everyone has fewer. */
const MAX_ROWS = 200
/** How many resources are decided about at a time: SQL limits the values of a statement. */
const DECIDED_AT_ONCE = 500

/** Works for erased users too. Pass a snapshot, because it runs many queries. */
export async function readPersonPage(
  db: Db,
  aid: string,
  uid: string,
  now: Seconds,
): Promise<PersonPage> {
  const user = await getAnyUser(db, aid, uid)
  const names = await listNames(db, aid, uid)
  const formerAddresses = await listFormerAddresses(db, aid, uid)
  const rows = await listAccessOf(db, aid, uid)
  const access: PersonPage['access'] = []
  for (const row of rows) access.push({ row, sources: await listSourceDetails(db, aid, row.id) })
  const decisions = await decideAll(db, { aid, uid, names, rows }, now)
  const { archived } = await getApplication(db, aid)
  const mails = (await listMailsOfUser(db, aid, uid)).slice(-MAX_ROWS).reverse()
  const deliveries = await listDeliveries(db, { aid, uid, limit: MAX_ROWS })
  const mergedInto = user.erased === null ? undefined : await findMergedInto(db, aid, uid)
  const notes = await listNotes(db, aid, uid)
  const isArchived = archived !== null
  const refusedChecks = await listRefusedChecks(db, aid, uid, now)
  const records = { access, mails, deliveries, notes, refusedChecks }
  return { user, ...names, formerAddresses, mergedInto, decisions, isArchived, ...records }
}

/** Decides about what the person ever had and, if one of that is a pass, about everything else on sale. */
async function decideAll(
  db: Db,
  { aid, uid, names, rows }: { aid: string; uid: string; names: UserNames; rows: AccessRow[] },
  now: Seconds,
): Promise<Decision[]> {
  const had = new Set(rows.map(({ rid }) => rid))
  const hasPass = (await findOpens(db, aid, [...had])).size > 0
  const resources = hasPass ? await listResources(db, aid) : []
  const others = resources.map(({ rid }) => rid).filter((rid) => !had.has(rid))
  const all = [...had, ...others]
  const decisions: Decision[] = []
  for (let from = 0; from < all.length; from += DECIDED_AT_ONCE) {
    const rids = all.slice(from, from + DECIDED_AT_ONCE)
    const question = { aid, userRef: names.references[0] ?? uid, rids }
    decisions.push(...(await decide(db, question, now)))
  }
  return decisions.filter(({ rid, granted }) => granted || had.has(rid))
}

/** Like `getUser`, but also returns erased users. */
export async function getAnyUser(db: Db, aid: string, uid: string): Promise<UserRow> {
  const [user] = await listUsers(db, aid, [uid])
  return requireFound(user, 'user_not_found')
}

/** Includes revoked records; newest first. */
async function listAccessOf(db: Db, aid: string, uid: string): Promise<AccessRow[]> {
  return await selectAccess(db)
    .where((eb) => eb.and({ 'a.aid': aid, 'a.uid': uid }))
    .orderBy('a.created', 'desc')
    .orderBy('a.id')
    .limit(MAX_ROWS)
    .execute()
}

async function findMergedInto(db: Db, aid: string, uid: string): Promise<string | undefined> {
  const changes = await listHistory(db, aid, { uid })
  const last = changes.findLast(({ action }) => action === ACTION_MERGED_AWAY)
  return last === undefined ? undefined : uidIn(last)
}

const uidIn = ({ after }: HistoryRow) => (JSON.parse(after ?? '{}') as { uid?: string }).uid
