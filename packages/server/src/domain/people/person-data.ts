import type { Db } from '../../db/database.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { CheckoutTable, EventTable, NoteTable, RefusedCheckTable } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { endOrNull } from '../../records/end.ts'
import { exportedChange } from '../../records/history.ts'
import { exportedMail } from '../../records/mail.ts'
import { exportedSource } from '../../records/source.ts'
import { listDeliveriesOfUser } from '../downloads/person.ts'
import { listEventsOf } from '../events/list.ts'
import { bySeq, type HistoryRow, listHistory } from '../history/history.ts'
import { listMailsOfUser } from '../mail/user-mails.ts'
import { listStoredChecks } from '../refusals/refused-checks.ts'
import { listFormerAddresses } from '../users/former-addresses.ts'
import { listNotes } from '../users/notes.ts'
import { listNames } from '../users/users.ts'
import { listCheckoutsOfUser } from './erase-checkouts.ts'
import { MERGED_IN } from './merge.ts'
import { collectMoney } from './person-money.ts'

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json))

/** Returns a user with all names and access records. Pass a snapshot, because it runs many queries. */
export async function describePerson(db: Db, aid: string, uid: string) {
  const user = await db
    .selectFrom('users')
    .select(['aid', 'uid', 'email', 'first_name', 'last_name', 'created', 'erased'])
    .select(['contact_email', 'link_number'])
    .where((eb) => eb.and({ aid, uid }))
    .executeTakeFirst()
  if (!user) throw fail('user_not_found')
  const names = await listNames(db, aid, uid)
  const former_addresses = await listFormerAddresses(db, aid, uid)
  const { link_number, ...shown } = user
  // The number is the time of the ending.
  const links_ended = link_number === 0 ? null : link_number
  const access = await collectAccess(db, aid, uid)
  return { ...shown, links_ended, ...names, former_addresses, access }
}

/** Returns everything that is stored about one person. */
export async function collectPerson(db: Db, aid: string, uid: string) {
  const { references, aliases, former_addresses, access, ...user } = await describePerson(
    db,
    aid,
    uid,
  )
  const past = await collectHistory(db, aid, uid)
  const mails = (await listMailsOfUser(db, aid, uid)).map(exportedMail)
  // Includes merged uids: a delivery that was running during a merge is recorded after it, under the old uid.
  const deliveries = await listDeliveriesOfUser(db, aid, past.uids)
  const money = await collectMoney(db, aid, uid)
  const checkouts = (await listCheckoutsOfUser(db, aid, uid)).map(showCheckout)
  const notes = (await listNotes(db, aid, uid)).map(exportedNote)
  const refused_checks = (await listStoredChecks(db, aid, uid)).map(exportedCheck)
  const events = (await listEventsOf(db, aid, past.uids)).map(exportedEvent)
  const records = { ...money, checkouts, deliveries, notes, refused_checks, events }
  return {
    ...{ user, references, aliases, former_addresses, access, ...records },
    history: past.rows.map(exportedChange),
    mails,
  }
}

async function collectAccess(db: Db, aid: string, uid: string) {
  const records = await listRows(db, 'access', { aid, uid }, ['created', 'id'])
  const sources = await db
    .selectFrom('sources as s')
    .innerJoin('access as a', (join) =>
      join.onRef('a.aid', '=', 's.aid').onRef('a.id', '=', 's.access_id'),
    )
    .selectAll('s')
    .where((eb) => eb.and({ 'a.aid': aid, 'a.uid': uid }))
    .orderBy('s.created')
    .orderBy('s.id')
    .execute()
  return records.map(({ ends, tags, ...record }) => ({
    ...record,
    expires: endOrNull(ends),
    tags: parsed(tags),
    sources: sources.filter((source) => source.access_id === record.id).map(exportedSource),
  }))
}

/** Includes the history of users who were merged into this one, because they are the same person. */
export async function collectHistory(
  db: Db,
  aid: string,
  uid: string,
): Promise<{ uids: string[]; rows: HistoryRow[] }> {
  const rows: HistoryRow[] = []
  const uids = [uid]
  for (const one of uids) {
    const own = await listHistory(db, aid, { uid: one })
    rows.push(...own)
    for (const { action, before } of own) {
      const merged = action === MERGED_IN ? (parsed(before) as { uid: string }).uid : undefined
      if (merged !== undefined && !uids.includes(merged)) uids.push(merged)
    }
  }
  return { uids, rows: rows.sort(bySeq) }
}

/** Lists the uids of a person: their own, and those of users who were merged into this one. */
export async function listUids(db: Db, aid: string, uid: string): Promise<string[]> {
  return (await collectHistory(db, aid, uid)).uids
}

const exportedNote = ({ id, text, actor, created, changed, changed_by }: NoteTable) => ({
  ...{ id, text, actor, created, changed, changed_by },
})

const exportedEvent = ({ body }: EventTable) => parsed(body)

const exportedCheck = ({ aid: _, uid: __, ...check }: RefusedCheckTable) => check

function showCheckout({ status, typed_email, vouched_email, ...row }: CheckoutTable) {
  const { id, rid, purpose, amount, currency, period, trial_days, created, expires, paid } = row
  const { user_ref, first_name, last_name, return_url, payment_id, subscription_id } = row
  const who = { user_ref, vouched_email, typed_email, first_name, last_name, return_url }
  const what = { rid, purpose, amount, currency, period, trial_days }
  return { id, status, created, expires, paid, ...what, ...who, payment_id, subscription_id }
}
