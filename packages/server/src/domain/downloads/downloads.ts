import type { Db, Trx } from '../../db/database.ts'
import { deleteRows, findAndLockRow, findRow, updateRows } from '../../db/rows.ts'
import type { DownloadTable, Millis, Seconds, StoreName } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { recordHistory } from '../history/history.ts'
import { markFileDropped, type UnreferencedFile } from './files.ts'

/** A download together with the file it delivers. */
export interface DownloadRow extends DownloadTable {
  store: StoreName
  sha256: string
  size: number
}

export interface PublishedDownload extends DownloadRow {
  published: Seconds
}

/** A resource has at most one download. */
export interface DownloadKey {
  aid: string
  rid: string
}

/** The text and image readers see. */
export interface Description {
  title: string
  description: string
  image: string
}

export interface NewDownload extends DownloadKey, Description {
  fileName: string
  type: string
  publish: boolean
}

/** When a change happens, on both clocks, and who makes it. */
export interface Actor {
  now: Seconds
  realTime: Millis
  actor: string
}

export function selectDownloads(db: Db, aid: string) {
  return (
    db
      .selectFrom('downloads as d')
      .innerJoin('files as f', (join) =>
        join.onRef('f.aid', '=', 'd.aid').onRef('f.id', '=', 'd.file_id'),
      )
      .selectAll('d')
      .select(['f.store', 'f.sha256', 'f.size'])
      .where('d.aid', '=', aid)
      // A file that a record references always has its checksum and size.
      .$narrowType<{ sha256: string; size: number }>()
  )
}

export async function findDownload(
  db: Db,
  { aid, rid }: DownloadKey,
): Promise<DownloadRow | undefined> {
  return await selectDownloads(db, aid).where('d.rid', '=', rid).executeTakeFirst()
}

export async function getDownload(db: Db, key: DownloadKey): Promise<DownloadRow> {
  const row = await findDownload(db, key)
  if (!row) throw fail('download_not_found')
  return row
}

export async function getDownloadById(db: Db, aid: string, id: string): Promise<DownloadRow> {
  const row = await selectDownloads(db, aid).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw fail('download_not_found')
  return row
}

/** Treats an unpublished download as missing. */
export async function getPublishedDownload(db: Db, key: DownloadKey): Promise<PublishedDownload> {
  const { published, ...row } = await getDownload(db, key)
  if (published === null) throw fail('download_not_found')
  return { ...row, published }
}

export async function listDownloads(db: Db, aid: string): Promise<DownloadRow[]> {
  return await selectDownloads(db, aid).orderBy('d.created', 'desc').orderBy('d.id').execute()
}

/** Creates the record and references the file in one transaction, so both become visible together. */
export async function createDownload(
  trx: Trx,
  input: NewDownload,
  file: UnreferencedFile,
  { now, actor }: Actor,
): Promise<DownloadRow> {
  const { aid, rid, title, description, image, fileName, type, publish } = input
  if (!(await findAndLockRow(trx, 'resources', { aid, rid }))) throw fail('resource_not_found')
  if (await findRow(trx, 'downloads', { aid, rid })) throw fail('download_exists')
  const row: DownloadTable = {
    id: newId(),
    aid,
    rid,
    title,
    description,
    image,
    image_id: null,
    position: 0,
    file_id: file.id,
    file_name: fileName,
    type,
    filed: now,
    created: now,
    modified: now,
    published: publish ? now : null,
  }
  await file.attach(trx)
  await trx.insertInto('downloads').values(row).execute()
  const after = { download: row.id, ...shownIn(row), ...contentOf(file) }
  await recordHistory(trx, [{ aid, rid, at: now, actor, action: 'download created', after }])
  return await getDownload(trx, { aid, rid })
}

const shownIn = ({ title, file_name, published }: DownloadTable) => ({
  title,
  file: file_name,
  published: published !== null,
})
const contentOf = ({ sha256, size }: Pick<DownloadRow, 'sha256' | 'size'>) => ({ sha256, size })

/** Existing links stay valid and deliver the new file from now on. */
export async function replaceFile(
  trx: Trx,
  key: DownloadKey,
  file: UnreferencedFile,
  { fileName, type }: { fileName: string; type: string },
  doing: Actor,
): Promise<DownloadRow> {
  const old = await lockDownload(trx, key)
  await file.attach(trx)
  const changed = {
    file_id: file.id,
    file_name: fileName,
    type,
    filed: doing.now,
    modified: doing.now,
  }
  await update(trx, old, changed)
  await markFileDropped(trx, { aid: old.aid, id: old.file_id }, doing.realTime)
  await record(trx, old, doing, 'file replaced', {
    before: { file: old.file_name, ...contentOf(old) },
    after: { file: fileName, ...contentOf(file) },
  })
  return await getDownload(trx, key)
}

export async function describeDownload(
  trx: Trx,
  key: DownloadKey,
  input: Partial<Description>,
  doing: Actor,
): Promise<DownloadRow> {
  const old = await lockDownload(trx, key)
  const names = Object.keys(input) as (keyof Description)[]
  const changed = names.filter((name) => input[name] !== old[name])
  if (changed.length === 0) return old
  const of = (from: Partial<Description>) =>
    Object.fromEntries(changed.map((name) => [name, from[name]]))
  await update(trx, old, { ...of(input), modified: doing.now })
  await record(trx, old, doing, 'download described', { before: of(old), after: of(input) })
  return await getDownload(trx, key)
}

/** Only a published download has a public record and links. */
export async function publishDownload(
  trx: Trx,
  key: DownloadKey,
  isPublished: boolean,
  doing: Actor,
): Promise<DownloadRow> {
  const old = await lockDownload(trx, key)
  if ((old.published !== null) === isPublished) return old
  await update(trx, old, { published: isPublished ? doing.now : null, modified: doing.now })
  await record(trx, old, doing, isPublished ? 'download published' : 'download withdrawn', {})
  return await getDownload(trx, key)
}

export async function removeDownload(trx: Trx, key: DownloadKey, doing: Actor): Promise<void> {
  const old = await lockDownload(trx, key)
  await deleteRows(trx, 'downloads', { aid: old.aid, id: old.id })
  await markFileDropped(trx, { aid: old.aid, id: old.file_id }, doing.realTime)
  const before = { ...shownIn(old), ...contentOf(old) }
  await record(trx, old, doing, 'download removed', { before })
}

async function lockDownload(trx: Trx, key: DownloadKey): Promise<DownloadRow> {
  await trx
    .selectFrom('downloads')
    .select('id')
    .where((eb) => eb.and({ aid: key.aid, rid: key.rid }))
    .forUpdate()
    .execute()
  return await getDownload(trx, key)
}

async function update(trx: Trx, row: DownloadRow, change: Partial<DownloadTable>): Promise<void> {
  await updateRows(trx, 'downloads', { aid: row.aid, id: row.id }, change)
}

async function record(
  trx: Trx,
  { aid, rid, id }: DownloadRow,
  { now, actor }: Actor,
  action: string,
  change: { before?: object; after?: object },
): Promise<void> {
  const { before = {}, after } = change
  await recordHistory(trx, [
    {
      aid,
      rid,
      at: now,
      actor,
      action,
      before: { download: id, ...before },
      ...(after ? { after } : {}),
    },
  ])
}
