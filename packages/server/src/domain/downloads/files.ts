import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import { setMeta } from '../../db/meta.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { FileTable, Millis } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { type Store, type StoredFile, StoreUnavailable } from './storage/storage.ts'

/** A file that is in the store but not yet referenced by a record. */
export interface UnreferencedFile extends StoredFile {
  /** Makes it the file of a record, inside the transaction that writes the record. */
  attach(trx: Trx): Promise<void>
}

type FileKey = Pick<FileTable, 'aid' | 'id'>

export interface FileContext {
  database: EnvironmentDatabase
  realTime(): Millis
}

/** How often a running upload renews its `dropped` time. */
const SIGN_OF_LIFE_MS = 3600_000

/** The `dropped` time of a file the sweep is about to remove. No record can reference it anymore. */
export const CLAIMED_BY_SWEEP: Millis = 0

/**
 * Stores a file and passes it to `use`, which references it from a record in its own transaction. The file
 * is invisible until that commits. If it never does, the sweep removes the file, and also the remains of an
 * incomplete upload: a remote store may still be working on an upload we have abandoned.
 */
export async function storeFile<R>(
  ctx: FileContext,
  aid: string,
  store: Store,
  bytes: AsyncIterable<Uint8Array>,
  use: (file: UnreferencedFile) => Promise<R>,
): Promise<R> {
  const id = await insertFileRow(ctx, aid, store)
  const key = { aid, id }
  try {
    const taken = await store.take(id, withHeartbeat(ctx, key, bytes))
    // Saved before the file is placed, so that the sweep knows where to look.
    await ctx.database.write((trx) => change(trx, key, { ...taken, dropped: ctx.realTime() }))
    const file: StoredFile = { id, ...taken }
    return await use({ ...file, attach: (trx) => attachFile(trx, aid, store, file) })
  } finally {
    await store.release(id).catch(() => {})
  }
}

/** Inserts the row before anything is stored, so that the sweep finds the file whatever happens later. */
async function insertFileRow(
  { database, realTime }: FileContext,
  aid: string,
  store: Store,
): Promise<string> {
  const id = newId()
  const created = realTime()
  const row = { id, aid, store: store.name, sha256: null, size: null, created, dropped: created }
  await database.write((trx) => trx.insertInto('files').values(row).execute())
  return id
}

/** Renews the file's `dropped` time, so that even a slow upload is not swept while it runs. */
async function* withHeartbeat(
  { database, realTime }: FileContext,
  key: FileKey,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let said = realTime()
  for await (const chunk of bytes) {
    yield chunk
    if (realTime() - said < SIGN_OF_LIFE_MS) continue
    said = realTime()
    await database.write((trx) => change(trx, key, { dropped: said }))
  }
}

async function attachFile(trx: Trx, aid: string, store: Store, file: StoredFile): Promise<void> {
  await lockFiles(trx)
  await change(trx, { aid, id: file.id }, { dropped: null })
  await store.place(file)
}

/** Updates a file that no record references. Throws if the sweep has already claimed it. */
async function change(trx: Trx, { aid, id }: FileKey, wanted: Partial<FileTable>): Promise<void> {
  const changed = await trx
    .updateTable('files')
    .set(wanted)
    .where((eb) => eb.and({ aid, id }))
    .where('dropped', '>', CLAIMED_BY_SWEEP)
    .returning('id')
    .execute()
  if (changed.length === 0) throw new StoreUnavailable('the upload stood still for too long')
}

/** Marks a file that no record references anymore. It stays for a day, for downloads in progress. */
export async function markFileDropped(
  trx: Trx,
  { aid, id }: FileKey,
  realTime: Millis,
): Promise<void> {
  await updateRows(trx, 'files', { aid, id }, { dropped: realTime })
}

/** Serializes referencing and sweeping: files with the same bytes may share one copy, which must not be
 * removed while another record is about to reference it. */
export async function lockFiles(trx: Trx): Promise<void> {
  await setMeta(trx, 'files_named', newId())
}
