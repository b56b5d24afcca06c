import { sql } from 'kysely'
import type { ControlDatabase, Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { deleteRows, updateRows } from '../../db/queries/rows.ts'
import type { ErasureTable, Millis, Tables } from '../../db/tables.ts'
import { findEarliest, readDueRows } from '../apps/turns.ts'
import { redactEvents } from '../events/redact.ts'
import { redactHistory } from '../history/redact.ts'
import { eraseAnswers } from '../idempotency/reader-answers.ts'
import { eraseMails } from '../mail/user-mails.ts'
import { eraseRefusedChecks } from '../refusals/refused-checks.ts'
import { eraseFormerAddresses } from '../users/former-addresses.ts'
import { eraseNotes } from '../users/notes.ts'
import { eraseResponses } from '../webhooks/erase-attempts.ts'
import { eraseAccess } from './erase-access.ts'
import { eraseCheckouts } from './erase-checkouts.ts'
import { eraseMoney, isMoneyUnsettled } from './erase-money.ts'
import { listUids } from './person-data.ts'

/** The databases that a person is erased from. */
interface ErasureContext {
  database: EnvironmentDatabase
  control: ControlDatabase
  realTime(): Millis
}

/** Tables in which an erasure deletes or overwrites rows. */
const ERASED_TABLES: readonly (keyof Tables)[] = [
  ...(['users', 'user_refs', 'former_addresses', 'access', 'access_tags'] as const),
  ...(['access_changes', 'access_counts', 'sources', 'history', 'outbox'] as const),
  ...(['checkouts', 'payments', 'refunds', 'subscriptions', 'notes'] as const),
  ...(['refused_checks', 'events', 'handled_requests', 'webhook_attempts'] as const),
]

/** Transactions that ran during the erasure have ended after this time, so that their rows are visible. */
const SETTLED_AFTER_MS: Millis = 60_000
const FIRST_PAUSE_MS: Millis = 5_000
const MAX_PAUSE_MS: Millis = 3_600_000
const BATCH_SIZE = 50

/** Queues the follow-up work of an erasure for the worker, in the same transaction. */
export async function enqueueErasureFollowUp(
  trx: Trx,
  { aid, uid }: { aid: string; uid: string },
  realTime: Millis,
): Promise<void> {
  const row = { aid, uid, created: realTime, due: realTime, attempts: 0, scrubbed: 0 as const }
  await trx.insertInto('erasures').values(row).execute()
}

/**
 * Runs the erasures that are due and returns how many. Removes personal data that concurrent transactions or older
 * versions left behind, then scrubs the database files. An erasure is done when no payment, refund or checkout
 * page is pending at the provider.
 */
export async function finishErasures(place: ErasureContext): Promise<number> {
  const { database, realTime } = place
  const due = await takeDue(database, realTime())
  const erased: ErasedRest[] = []
  for (const row of due) erased.push(await eraseRest(database, row))
  const isScrubbed = await scrub(place, erased)
  for (const { row, isSettled } of erased) {
    const progress = { isDone: isScrubbed && isSettled, isScrubbed }
    await database.write((trx) => rescheduleOrRemoveErasure(trx, row, progress, realTime()))
  }
  return due.length
}

/** Returns when the next erasure is due. */
export const findNextErasure = (db: Db): Promise<Millis | undefined> =>
  findEarliest(db, 'erasures', 'due', sql`true`)

async function takeDue(database: EnvironmentDatabase, realTime: Millis): Promise<ErasureTable[]> {
  const isDue = sql<boolean>`due <= ${realTime}`
  const work = { name: 'erasures', table: 'erasures', isDue } as const
  return await readDueRows(database, work, BATCH_SIZE, ['due'])
}

interface ErasedRest {
  row: ErasureTable
  /** Whether anything was left to remove. */
  isChanged: boolean
  isSettled: boolean
}

async function eraseRest(database: EnvironmentDatabase, row: ErasureTable): Promise<ErasedRest> {
  const { aid, uid } = row
  return await database.write(async (trx) => {
    const uids = await listUids(trx, aid, uid)
    const changes = [
      await eraseAccess(trx, aid, uid),
      await eraseCheckouts(trx, aid, uid),
      await eraseFormerAddresses(trx, aid, uid),
      await eraseMoney(trx, aid, uid),
      await eraseMails(trx, aid, uid),
      await eraseNotes(trx, aid, uid),
      await eraseRefusedChecks(trx, aid, uid),
      await eraseAnswers(trx, aid, uid),
      await redactEvents(trx, aid, uids),
      await eraseResponses(trx, aid, uids),
      await redactHistory(trx, aid, uids),
    ]
    const isSettled = !(await isMoneyUnsettled(trx, aid, uid))
    return { row, isChanged: changes.some((count) => count > 0), isSettled }
  })
}

/** Scrubs both databases, because the audit log and saved views are in the control database. */
async function scrub(
  { database, control }: ErasureContext,
  erased: readonly ErasedRest[],
): Promise<boolean> {
  const isNeeded = erased.some(({ row, isChanged }) => isChanged || row.scrubbed === 0)
  if (!isNeeded) return true
  const isOwnDone = await database.scrub(ERASED_TABLES)
  return (await control.scrub(['audit', 'saved_views'])) && isOwnDone
}

async function rescheduleOrRemoveErasure(
  trx: Trx,
  { aid, uid, created, attempts }: ErasureTable,
  { isDone, isScrubbed }: { isDone: boolean; isScrubbed: boolean },
  realTime: Millis,
): Promise<void> {
  const isLate = realTime >= created + SETTLED_AFTER_MS
  if (isDone && isLate) {
    await deleteRows(trx, 'erasures', { aid, uid })
    return
  }
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS)
  await updateRows(
    trx,
    'erasures',
    { aid, uid },
    {
      attempts: attempts + 1,
      scrubbed: isScrubbed ? 1 : 0,
      due: isDone ? created + SETTLED_AFTER_MS : realTime + pause,
    },
  )
}

/** Counts the unfinished erasures that began at this time or earlier. */
export async function countUnfinishedErasures(db: Db, begunBy: Millis): Promise<number> {
  const { count } = await db
    .selectFrom('erasures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created', '<=', begunBy)
    .executeTakeFirstOrThrow()
  return Number(count)
}
