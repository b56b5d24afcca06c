import { sql } from 'kysely'
import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import { countAffected, deleteRows } from '../../db/queries/rows.ts'
import type { FileTable, Millis, Seconds, StoreName } from '../../db/tables.ts'
import { listDueApplications, readDueRows } from '../apps/turns.ts'
import { CLAIMED_BY_SWEEP, type FileContext, lockFiles } from './files.ts'
import { type Store, type Stores, StoreUnreachable } from './storage/storage.ts'

const DAY_MS = 86_400_000
/** How many files one pass removes. */
const MAX_FILES = 10_000

export interface SweepContext extends FileContext {
  stores: Stores
  clock(): Seconds
}

/** Removes files that no record has referenced for a day, and the uses of expired links. Returns the number
 * of files removed. A file that can't be removed does not stop the others; the first error is thrown at the
 * end. */
export async function sweepDownloads(ctx: SweepContext, stopping?: AbortSignal): Promise<number> {
  const { database, stores } = ctx
  const until = ctx.realTime() - DAY_MS
  const inTrouble = new Set<StoreName>()
  const failures: unknown[] = []
  let swept = 0
  for (const file of await takeDropped(database, until)) {
    if (stopping?.aborted) return swept
    if (inTrouble.has(file.store)) continue
    try {
      if (await sweepFile(ctx, stores.of(file.store), file, until)) swept++
    } catch (error) {
      failures.push(error)
      // The store's other files would fail too, and each may take long to do so.
      if (error instanceof StoreUnreachable) inTrouble.add(file.store)
    }
  }
  await forgetUses(database, ctx.clock())
  if (failures.length > 0) throw failures[0]
  return swept
}

async function takeDropped(database: EnvironmentDatabase, until: Millis): Promise<FileTable[]> {
  const isDue = sql<boolean>`dropped < ${until}`
  const work = { name: 'dropped files', table: 'files', isDue } as const
  return await readDueRows(database, work, MAX_FILES, ['dropped'])
}

async function sweepFile(
  { database }: SweepContext,
  store: Store,
  file: FileTable,
  until: Millis,
): Promise<boolean> {
  if (!(await database.write((trx) => claim(trx, file, until)))) return false
  // The file is removed also where the remains of its upload can't be.
  const [discarded] = await Promise.allSettled([store.discard(file.id)])
  if (!store.sharesContent) await store.remove(file)
  if (discarded.status === 'rejected') throw discarded.reason
  return await database.write(async (trx) => {
    await lockFiles(trx)
    const gone = await deleteRows(trx, 'files', { aid: file.aid, id: file.id })
    // Removed inside the transaction, so that no record can reference the same bytes meanwhile. A later
    // upload stores them again.
    if (gone > 0 && store.sharesContent && !(await isKept(trx, file))) {
      await store.remove(file)
    }
    return gone > 0
  })
}

/** Marks the file so that no record can reference it anymore, however long the store takes to remove it.
 * Returns false if it was referenced, or its upload made progress, since it was listed. */
async function claim(trx: Trx, { aid, id }: FileTable, until: Millis): Promise<boolean> {
  const unclaimed = trx
    .updateTable('files')
    .set({ dropped: CLAIMED_BY_SWEEP })
    .where((eb) => eb.and({ aid, id }))
    .where('dropped', '<', until)
  return (await countAffected(unclaimed)) > 0
}

/** Whether another row, of any application, has the same bytes, and therefore shares the file on disk. */
async function isKept(trx: Trx, { store, sha256 }: FileTable): Promise<boolean> {
  if (sha256 === null) return true
  const same = await trx
    .selectFrom('files')
    .select('id')
    .where((eb) => eb.and({ store, sha256 }))
    .executeTakeFirst()
  return same !== undefined
}

/** Waits a day after the link's end: a machine whose clock is behind must not mistake a used link for a new
 * one. */
async function forgetUses(database: EnvironmentDatabase, now: Seconds): Promise<void> {
  const isDue = sql<boolean>`ends < ${now - DAY_MS / 1000}`
  for (const aid of await listDueApplications(database.read, { table: 'download_uses', isDue })) {
    await database.write((trx) =>
      trx.deleteFrom('download_uses').where('aid', '=', aid).where(isDue).execute(),
    )
  }
}
