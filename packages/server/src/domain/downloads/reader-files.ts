import type { Db } from '../../db/database.ts'
import { findRow, type RowKey } from '../../db/queries/rows.ts'
import type { AccessTable, ApplicationTable, Seconds, UserTable } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { DownloadLink } from '../../signing/download-links.ts'
import { getResource, type ResourceRow } from '../resources/resources.ts'
import { type FilesKey, listPublishedDownloads, type PublishedDownload } from './downloads.ts'

/** A file as readers see it. */
export type ReaderFile = Pick<
  PublishedDownload,
  'id' | 'title' | 'description' | 'image_id' | 'file_name' | 'type' | 'size'
>

/** Lists the files that a reader with access to the resource may download, in their order. */
export async function listReaderFiles(db: Db, key: FilesKey): Promise<ReaderFile[]> {
  return await listPublishedDownloads(db, key)
}

/** The files that one access record lets its reader download. */
export interface AccessFiles {
  app: ApplicationTable
  resource: ResourceRow
  access: AccessTable
  /** The link number of the reader. */
  linkNumber: number
  /** Whether the access is live. If not, there are no files. */
  isLive: boolean
  files: ReaderFile[]
}

/** Finds the record that a link to its files names, live or not. */
export async function getAccessFiles(
  db: Db,
  { aid, id }: RowKey,
  now: Seconds,
): Promise<AccessFiles> {
  const app = await findRow(db, 'applications', { aid })
  const found = await findAccessAndReader(db, { aid, id })
  if (!app || app.archived !== null || !found) throw fail('download_not_found')
  const { link_number: linkNumber, ...access } = found
  const resource = await getResource(db, aid, access.rid)
  const isLive = access.revoked === null && access.ends > now
  const files = isLive ? await listReaderFiles(db, access) : []
  return { app, resource, access, linkNumber, isLive, files }
}

async function findAccessAndReader(
  db: Db,
  { aid, id }: RowKey,
): Promise<(AccessTable & Pick<UserTable, 'link_number'>) | undefined> {
  return await db
    .selectFrom('access as a')
    .innerJoin('users as u', (join) =>
      join.onRef('u.aid', '=', 'a.aid').onRef('u.uid', '=', 'a.uid'),
    )
    .selectAll('a')
    .select('u.link_number')
    .where((eb) => eb.and({ 'a.aid': aid, 'a.id': id }))
    .executeTakeFirst()
}

/** Long enough to resume a large file on a slow line. The link ends with the access in any case. */
const READER_LINK_LIFETIME: Seconds = 6 * 3600

/** Plans a short-lived link to one of the files, bound to the access. `until` is the end of the link that leads here. */
export function planReaderLink(
  { access, linkNumber, isLive, files }: AccessFiles,
  downloadId: string,
  limits: { until: Seconds; maxLinkLifetime: Seconds | undefined },
  now: Seconds,
): DownloadLink {
  if (!isLive) throw fail('access_ended')
  if (!files.some(({ id }) => id === downloadId)) throw fail('download_not_found')
  const lifetime = Math.min(READER_LINK_LIFETIME, limits.maxLinkLifetime ?? READER_LINK_LIFETIME)
  const expires = Math.min(now + lifetime, limits.until)
  const { aid, id: accessId } = access
  return { id: newId(), aid, downloadId, expires, accessId, linkNumber }
}
