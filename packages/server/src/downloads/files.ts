import type { EnvironmentDatabase, Trx } from '../db/database.ts'
import { setMeta } from '../db/meta.ts'
import type { FileTable, Millis } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { type Store, type StoredFile, StoreTrouble } from './storage.ts'

/** A file that a store has taken in and that no record names yet. */
export interface TakenFile extends StoredFile {
  /** Makes it the file of a record, inside the transaction that writes the record. */
  name(trx: Trx): Promise<void>
}

export interface FileDesk {
  database: EnvironmentDatabase
  wall(): Millis
}

/** How often a file that is still coming in says so. */
const SIGN_OF_LIFE_MS = 3600_000

/** When a file was dropped that the sweep is about to forget: from then on nobody can name it. */
export const FORGOTTEN: Millis = 0

/**
 * Takes a file in and hands it to `use`, which names it in a transaction of its own. Nobody sees any of
 * it before that is committed; if it never is, the file is swept. So is what may be left of one that did
 * not come in whole: a server that is far away may still be at work on what we have given up.
 */
export async function takeFile<R>(
  desk: FileDesk,
  store: Store,
  bytes: AsyncIterable<Uint8Array>,
  use: (file: TakenFile) => Promise<R>,
): Promise<R> {
  const id = await enlist(desk, store)
  try {
    const taken = await store.take(id, withSignsOfLife(desk, id, bytes))
    // Before it gets a place: from then on the sweep knows where to look.
    await desk.database.write((trx) => change(trx, id, { ...taken, dropped: desk.wall() }))
    const file: StoredFile = { id, ...taken }
    return await use({ ...file, name: (trx) => nameFile(trx, store, file) })
  } finally {
    await store.discard(id).catch(() => {})
  }
}

/** First of all: whatever happens from here on, the sweep finds it. */
async function enlist({ database, wall }: FileDesk, store: Store): Promise<string> {
  const id = newId()
  const created = wall()
  const row = { id, store: store.name, sha256: null, size: null, created, dropped: created }
  await database.write((trx) => trx.insertInto('files').values(row).execute())
  return id
}

/** However slow an upload is, it is not swept while it goes on. */
async function* withSignsOfLife(
  { database, wall }: FileDesk,
  id: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let said = wall()
  for await (const chunk of bytes) {
    yield chunk
    if (wall() - said < SIGN_OF_LIFE_MS) continue
    said = wall()
    await database.write((trx) => change(trx, id, { dropped: said }))
  }
}

async function nameFile(trx: Trx, store: Store, file: StoredFile): Promise<void> {
  await lockFiles(trx)
  await change(trx, file.id, { dropped: null })
  await store.place(file)
}

/** Changes a file that no record names, unless the sweep was first. */
async function change(trx: Trx, id: string, wanted: Partial<FileTable>): Promise<void> {
  const changed = await trx
    .updateTable('files')
    .set(wanted)
    .where('id', '=', id)
    .where('dropped', '>', FORGOTTEN)
    .returning('id')
    .execute()
  if (changed.length === 0) throw new StoreTrouble('the upload stood still for too long')
}

/** No record names it any more; it stays for a day, for whoever is fetching it. */
export async function dropFile(trx: Trx, id: string, wall: Millis): Promise<void> {
  await trx.updateTable('files').set({ dropped: wall }).where('id', '=', id).execute()
}

/** Whoever names a file and whoever sweeps wait for each other here: files with the same bytes may be
 * one, which must not go while another record is about to name it. */
export async function lockFiles(trx: Trx): Promise<void> {
  await setMeta(trx, 'files_named', newId())
}
