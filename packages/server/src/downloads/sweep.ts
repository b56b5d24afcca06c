import type { Db, Trx } from '../db/database.ts'
import type { FileTable, Millis, Seconds } from '../db/tables.ts'
import { type FileDesk, lockFiles } from './files.ts'
import type { Stores } from './storage.ts'

const DAY_MS = 86_400_000

export interface SweepingDesk extends FileDesk {
  stores: Stores
  clock(): Seconds
}

/** Forgets files that no record has named for a day, and uses of links that are over. Returns how many
 * files went. */
export async function sweepDownloads(desk: SweepingDesk): Promise<number> {
  const { database, stores } = desk
  const until = desk.wall() - DAY_MS
  const old = await listDropped(database.read, until)
  const failures: unknown[] = []
  for (const file of old) {
    await sweepFile(desk, stores, file, until).catch((error) => failures.push(error))
  }
  await database.write((trx) => forgetUses(trx, desk.clock()))
  // After the others: a store that is away must not keep those of another from being swept.
  if (failures.length > 0) throw failures[0]
  return old.length
}

async function listDropped(db: Db, until: Millis): Promise<FileTable[]> {
  return await db.selectFrom('files').selectAll().where('dropped', '<', until).execute()
}

async function sweepFile(
  { database }: SweepingDesk,
  stores: Stores,
  file: FileTable,
  until: Millis,
): Promise<void> {
  const store = stores.of(file.store)
  await store.discard(file.id)
  if (!store.sharesContent) await store.remove(file)
  await database.write(async (trx) => {
    await lockFiles(trx)
    const gone = await trx
      .deleteFrom('files')
      .where('id', '=', file.id)
      .where('dropped', '<', until)
      .returning('id')
      .execute()
    // In the transaction: nobody else names the same bytes meanwhile. Whoever does so next brings them.
    if (gone.length > 0 && store.sharesContent && !(await isKept(trx, file))) {
      await store.remove(file)
    }
  })
}

/** Whether another file has the same bytes, and with them the same place. */
async function isKept(trx: Trx, { store, sha256 }: FileTable): Promise<boolean> {
  if (sha256 === null) return true
  const same = await trx
    .selectFrom('files')
    .select('id')
    .where('store', '=', store)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return same !== undefined
}

async function forgetUses(trx: Trx, now: Seconds): Promise<void> {
  await trx.deleteFrom('download_uses').where('ends', '<=', now).execute()
}
