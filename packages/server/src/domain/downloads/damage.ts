import { createHash } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { StoreName } from '../../db/tables.ts'
import {
  MissingFile,
  type Store,
  type StoredFile,
  type Stores,
  StoreUnavailable,
} from './storage/storage.ts'

/** Totals over all downloads, published or not. */
export interface StorageSummary {
  downloads: number
  published: number
  bytes: number
  /** The stores in which the files of these downloads are. */
  stores: StoreName[]
}

export async function summarizeStorage(db: Db): Promise<StorageSummary> {
  const rows = await db
    .selectFrom('downloads as d')
    .innerJoin('files as f', (join) =>
      join.onRef('f.aid', '=', 'd.aid').onRef('f.id', '=', 'd.file_id'),
    )
    .select(({ fn }) => [
      'f.store',
      fn.countAll<number>().as('downloads'),
      fn.count<number>('d.published').as('published'),
      fn.sum<number>('f.size').as('bytes'),
    ])
    .groupBy('f.store')
    .execute()
  const sum = (name: 'downloads' | 'published' | 'bytes') =>
    rows.reduce((total, row) => total + Number(row[name]), 0)
  return {
    downloads: sum('downloads'),
    published: sum('published'),
    bytes: sum('bytes'),
    stores: rows.map(({ store }) => store),
  }
}

/** `unreadable`: the store failed, so the state of the file is unknown. */
export interface DamagedFile {
  aid: string
  /** Null if it is the file of an image. */
  rid: string | null
  /** The download or the image. */
  id: string
  kind: 'missing' | 'changed' | 'unreadable'
  message: string
}

/** Reads every file that a record references to its last byte. `onProgress` gets the bytes read so far. */
export async function findDamagedFiles(
  db: Db,
  stores: Stores,
  onProgress: (bytes: number) => void,
): Promise<DamagedFile[]> {
  const found: DamagedFile[] = []
  let before = 0
  for (const { aid, rid, owner, store, ...file } of await listAllFiles(db)) {
    const damage = await damageOf(stores, store, file, (bytes) => onProgress(before + bytes))
    if (damage) found.push({ aid, rid, id: owner, ...damage })
    before += file.size
    onProgress(before)
  }
  return found
}

interface NamedFile extends StoredFile {
  aid: string
  rid: string | null
  owner: string
  store: StoreName
}

async function listAllFiles(db: Db): Promise<NamedFile[]> {
  return [...(await listNamedFiles(db)), ...(await listImageFiles(db))]
}

async function listImageFiles(db: Db): Promise<NamedFile[]> {
  const images = await db.selectFrom('images').select(['aid', 'id', 'sizes']).execute()
  const found: NamedFile[] = []
  for (const { aid, id: owner, sizes } of images) {
    const ids = (JSON.parse(sizes) as { file: string }[]).map(({ file }) => file)
    for (const file of await listRows(db, 'files', { aid, id: ids })) {
      const { id, store, sha256, size } = file
      if (sha256 !== null && size !== null)
        found.push({ aid, rid: null, owner, store, id, sha256, size })
    }
  }
  return found
}

async function listNamedFiles(db: Db): Promise<NamedFile[]> {
  return await db
    .selectFrom('downloads as d')
    .innerJoin('files as f', (join) =>
      join.onRef('f.aid', '=', 'd.aid').onRef('f.id', '=', 'd.file_id'),
    )
    .select(['d.aid', 'd.rid', 'd.id as owner', 'f.store', 'f.id', 'f.sha256', 'f.size'])
    .orderBy('d.aid')
    .orderBy('d.rid')
    .orderBy('d.position')
    .orderBy('d.id')
    .$narrowType<{ sha256: string; size: number }>()
    .execute()
}

async function damageOf(
  stores: Stores,
  store: StoreName,
  file: StoredFile,
  onRead: (bytes: number) => void,
): Promise<Pick<DamagedFile, 'kind' | 'message'> | undefined> {
  try {
    const sha256 = await checksumOf(stores.of(store), file, onRead)
    if (sha256 === file.sha256) return undefined
    return { kind: 'changed', message: 'its bytes are not those that were put there' }
  } catch (error) {
    if (error instanceof MissingFile) return { kind: 'missing', message: error.message }
    if (error instanceof StoreUnavailable) return { kind: 'unreadable', message: error.message }
    throw error
  }
}

async function checksumOf(
  store: Store,
  file: StoredFile,
  onRead: (bytes: number) => void,
): Promise<string> {
  const hash = createHash('sha256')
  const all = { first: 0, last: file.size - 1 }
  const opened = await store.open(file, file.size > 0 ? all : undefined)
  try {
    let read = 0
    const take = async (bytes: Uint8Array) => {
      hash.update(bytes)
      read += bytes.length
      onRead(read)
    }
    if (file.size > 0) await opened.send(all, take)
  } finally {
    await opened.close()
  }
  return hash.digest('hex')
}
