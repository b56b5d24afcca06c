import contentDisposition from 'content-disposition'
import type { DownloadRow } from '../../domain/downloads/downloads.ts'
import type { ContentHeaders } from '../../domain/downloads/storage/storage.ts'
import type { DownloadLink } from '../../signing/download-links.ts'
import { normalizeText } from '../../unicode.ts'
import { FILE_HEADERS } from '../response-headers.ts'
import { httpDate, type Version } from './conditions.ts'

/** The name in ASCII, for clients that don't read the full name in `filename*`. */
function asciiFileName(name: string): string {
  const folded = normalizeText(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[/\\]/gu, '_')
  // Normalizing turns lookalikes such as U+2025 into plain dots.
  return /^\.{0,2}$/.test(folded) ? 'download' : folded
}

export function contentHeadersOf(
  { file_name, type }: DownloadRow,
  { fileName }: DownloadLink,
): ContentHeaders {
  const name = fileName ?? file_name
  return {
    type: withCharset(type),
    disposition: contentDisposition(name, { fallback: asciiFileName(name) }),
  }
}

/** A text needs a charset, and which one was used is not known. It is saved as it is, whatever this says. */
export const withCharset = (type: string): string =>
  /^text\//i.test(type) && !/;\s*charset=/i.test(type) ? `${type}; charset=utf-8` : type

export function versionOf({ sha256, filed }: DownloadRow): Version {
  return { etag: `"${sha256}"`, modified: filed }
}

/** Only the reader's own cache may keep it, and must revalidate it each time: the link may have ended by then. A proxy must
 * not compress it: a download that is resumed would join compressed bytes with others. */
export const CACHING = { 'cache-control': 'private, no-cache, no-transform' }

export function cacheHeaders({ etag, modified }: Version): Record<string, string> {
  return { etag, 'last-modified': httpDate(modified), ...CACHING }
}

/** Returns the response headers that describe the content. */
export function contentHeaderFields({ type, disposition }: ContentHeaders): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': disposition,
    ...FILE_HEADERS,
  }
}

/** Covers the whole file, whichever range is requested (RFC 9530). */
export const digestHeader = ({ sha256 }: DownloadRow) => ({
  'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
})
