import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail, invalid, requireFound } from '../../errors.ts'
import { LAST_SECOND, problems } from '../../fields.ts'
import { newId } from '../../ids.ts'
import type { DownloadLink } from '../../signing/download-links.ts'
import { findOpenAccess, findReaderOfRecord } from '../passes/records.ts'
import { findLinkNumber, requireLinkNotEnded } from '../users/reader-links.ts'
import { type DownloadRow, getPublishedDownload, selectDownloads } from './downloads.ts'

export interface LinkInput {
  aid: string
  rid: string
  /** The download; without it, the first published one of the resource. */
  id?: string | undefined
  /** At least one of the two is required; the earlier end applies. */
  lifetime?: Seconds | undefined
  expiration?: Seconds | undefined
  /** The link works only while this reader's access is live. */
  userRef?: string | undefined
  /** How often the link may be used. */
  limit?: number | undefined
  fileName?: string | undefined
}

/** Builds the payload of a link. Nothing is stored: the link's text contains all that it allows. */
export async function planLink(
  db: Db,
  input: LinkInput,
  maxLinkLifetime: Seconds | undefined,
  now: Seconds,
): Promise<DownloadLink> {
  const { aid, rid, id, userRef, limit, fileName } = input
  const expires = endOf(input, now, maxLinkLifetime)
  const { id: downloadId } = await getPublishedDownload(db, { aid, rid, id })
  const link: DownloadLink = { id: newId(), aid, downloadId, expires, limit, fileName }
  if (userRef === undefined) return link
  const found = requireFound(
    await findOpenAccess(db, { aid, rid, userRef }, now),
    'access_not_found',
  )
  const { id: accessId, uid } = found.access
  return { ...link, accessId, linkNumber: await findLinkNumber(db, { aid, uid }) }
}

function endOf(input: LinkInput, now: Seconds, maxLinkLifetime: Seconds | undefined): Seconds {
  const { lifetime, expiration } = input
  if (lifetime === undefined && expiration === undefined) {
    throw invalid('lifetime', 'give either lifetime or expiration')
  }
  if (lifetime !== undefined && lifetime < 1) {
    throw invalid('lifetime', problems.tooSmall(1))
  }
  if (expiration !== undefined && expiration <= now) {
    throw invalid('expiration', `in the past; the current time is ${now}`, 'link_end_passed')
  }
  const end = Math.min(now + (lifetime ?? LAST_SECOND), expiration ?? LAST_SECOND)
  if (maxLinkLifetime !== undefined && end - now > maxLinkLifetime) {
    throw fail(
      'link_life_too_long',
      `The link's lifetime exceeds the configured maximum of ${maxLinkLifetime} seconds.`,
    )
  }
  return end
}

export interface OpenedLink {
  download: DownloadRow
  /** The reader the link was made for; null if it is not bound to an access. */
  uid: string | null
}

/** Returns the download's current file. Throws unless it is published and the link's access, if any, is live. */
export async function openLink(db: Db, link: DownloadLink, now: Seconds): Promise<OpenedLink> {
  const download = await selectDownloads(db, link.aid)
    .innerJoin('applications as p', 'p.aid', 'd.aid')
    .where('d.id', '=', link.downloadId)
    .where('d.published', 'is not', null)
    .where('p.archived', 'is', null)
    .executeTakeFirst()
  if (!download) throw fail('download_not_found')
  return { download, uid: await requireLiveAccess(db, link, download.rid, now) }
}

/** Returns the uid of the reader whom the link was made for, if any. Throws if the reader's links were ended, or if the access
 * has ended or is that of a pass that no longer opens the resource. */
export async function requireLiveAccess(
  db: Db,
  { aid, accessId, linkNumber = 0 }: DownloadLink,
  rid: string,
  now: Seconds,
): Promise<string | null> {
  if (accessId === undefined) return null
  const found = await findReaderOfRecord(db, { aid, accessId, rid }, now)
  // First: whoever has an ended link learns nothing about the access.
  if (found) requireLinkNotEnded(linkNumber, found.linkNumber)
  if (!found?.isOpen) throw fail('access_ended')
  return found.uid
}
