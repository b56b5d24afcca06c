import type { Db, Trx } from '../../db/database.ts'
import { deleteRows, findAndLockRow, updateRows } from '../../db/queries/rows.ts'
import type { DownloadTable, Millis, Seconds, StoreName } from '../../db/tables.ts'
import { fail, requireFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { HistoryAction } from '../history/actions.ts'
import { changedFields } from '../history/changed-fields.ts'
import { recordHistory } from '../history/history.ts'
import { markFileDropped, type UnreferencedFile } from './files.ts'
import { MAX_FILES } from './limits.ts'

/** A download together with the file it delivers. */
export interface DownloadRow extends DownloadTable {
  store: StoreName
  sha256: string
  size: number
}

export interface PublishedDownload extends DownloadRow {
  published: Seconds
}

/** The resource whose files are meant. */
export interface FilesKey {
  aid: string
  rid: string
}

/** Names a download by its id, or by its resource alone if that has only one. */
export interface DownloadKey extends FilesKey {
  id?: string | undefined
}

/** The text and image readers see. */
export interface Description {
  title: string
  description: string
  image: string
}

export interface NewDownload extends FilesKey, Description {
  fileName: string
  type: string
  publish: boolean
  /** Whether the resource may have files already. */
  isAdditional?: boolean | undefined
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

/** Lists the downloads of a resource in the order that readers see. */
export async function listDownloadsOf(db: Db, { aid, rid }: FilesKey): Promise<DownloadRow[]> {
  return await selectDownloads(db, aid)
    .where('d.rid', '=', rid)
    .orderBy('d.position')
    .orderBy('d.id')
    .execute()
}

export async function findDownload(db: Db, key: DownloadKey): Promise<DownloadRow | undefined> {
  const rows = await listDownloadsOf(db, key)
  if (key.id !== undefined) return rows.find(({ id }) => id === key.id)
  if (rows.length > 1) throw fail('several_downloads')
  return rows[0]
}

export async function getDownload(db: Db, key: DownloadKey): Promise<DownloadRow> {
  return requireFound(await findDownload(db, key), 'download_not_found')
}

export async function getDownloadById(db: Db, aid: string, id: string): Promise<DownloadRow> {
  return await selectDownloads(db, aid)
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow(() => fail('download_not_found'))
}

/** Returns the given download or else the first one. Treats unpublished downloads as missing. */
export async function getPublishedDownload(db: Db, key: DownloadKey): Promise<PublishedDownload> {
  const published = await listPublishedDownloads(db, key)
  const row = key.id === undefined ? published[0] : published.find(({ id }) => id === key.id)
  if (!row) throw fail('download_not_found')
  return row
}

/** Lists what readers may have of a resource, in order. */
export async function listPublishedDownloads(db: Db, key: FilesKey): Promise<PublishedDownload[]> {
  const rows = await listDownloadsOf(db, key)
  return rows.flatMap(({ published, ...row }) => (published === null ? [] : { ...row, published }))
}

export async function listDownloads(db: Db, aid: string): Promise<DownloadRow[]> {
  return await selectDownloads(db, aid).orderBy('d.created', 'desc').orderBy('d.id').execute()
}

/** Creates the record and references the file in one transaction, so both become visible together. A file that the
 * resource has already, under the same name, is not added again: whoever didn't get the answer may repeat the upload. */
export async function createDownload(
  trx: Trx,
  input: NewDownload,
  file: UnreferencedFile,
  { now, actor }: Actor,
): Promise<DownloadRow> {
  const { aid, rid, title, description, image, fileName, type, publish } = input
  if (!(await findAndLockRow(trx, 'resources', { aid, rid }))) throw fail('resource_not_found')
  const others = await listDownloadsOf(trx, { aid, rid })
  if (others.length > 0 && !input.isAdditional) throw fail('download_exists')
  const same = others.find((one) => one.file_name === fileName && one.sha256 === file.sha256)
  if (same) return same
  if (others.length >= MAX_FILES) throw fail('too_many_downloads')
  const row: DownloadTable = {
    id: newId(),
    aid,
    rid,
    title,
    description,
    image,
    image_id: null,
    position: (others.at(-1)?.position ?? -1) + 1,
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
  return await getDownloadById(trx, aid, row.id)
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
  return await getDownloadById(trx, old.aid, old.id)
}

export async function describeDownload(
  trx: Trx,
  key: DownloadKey,
  input: Partial<Description>,
  doing: Actor,
): Promise<DownloadRow> {
  const old = await lockDownload(trx, key)
  const changed = changedFields<Description>(old, input)
  if (!changed) return old
  await update(trx, old, { ...changed.after, modified: doing.now })
  await record(trx, old, doing, 'download described', changed)
  return await getDownloadById(trx, old.aid, old.id)
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
  return await getDownloadById(trx, old.aid, old.id)
}

export async function removeDownload(trx: Trx, key: DownloadKey, doing: Actor): Promise<void> {
  const old = await lockDownload(trx, key)
  await deleteRows(trx, 'downloads', { aid: old.aid, id: old.id })
  await markFileDropped(trx, { aid: old.aid, id: old.file_id }, doing.realTime)
  const before = { ...shownIn(old), ...contentOf(old) }
  await record(trx, old, doing, 'download removed', { before })
}

async function lockDownload(trx: Trx, key: DownloadKey): Promise<DownloadRow> {
  const { aid, id } = await getDownload(trx, key)
  // Read again once it is locked: it may have changed meanwhile.
  await findAndLockRow(trx, 'downloads', { aid, id })
  return await getDownloadById(trx, aid, id)
}

async function update(trx: Trx, row: DownloadRow, change: Partial<DownloadTable>): Promise<void> {
  await updateRows(trx, 'downloads', { aid: row.aid, id: row.id }, change)
}

async function record(
  trx: Trx,
  { aid, rid, id }: DownloadRow,
  { now, actor }: Actor,
  action: HistoryAction,
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
