import type { IncomingHttpHeaders } from 'node:http'
import type { Seconds } from '../../db/tables.ts'

/** The validators that identify one version of a file. */
export interface Version {
  /** A strong ETag, including its quotation marks. */
  etag: string
  modified: Seconds
}

type ConditionResult = 'proceed' | 'not_modified' | 'failed'

/** Evaluates the conditions of a GET or HEAD request, in the order of RFC 9110, 13.2.2. */
export function evaluateConditions(
  headers: IncomingHttpHeaders,
  version: Version,
): ConditionResult {
  const unmodifiedSince = dateIn(headers['if-unmodified-since'])
  if (headers['if-match'] !== undefined) {
    if (!listsEtag(headers['if-match'], version.etag, 'strong')) return 'failed'
  } else if (unmodifiedSince !== undefined && version.modified > unmodifiedSince) return 'failed'

  const modifiedSince = dateIn(headers['if-modified-since'])
  if (headers['if-none-match'] !== undefined) {
    if (listsEtag(headers['if-none-match'], version.etag, 'weak')) return 'not_modified'
  } else if (modifiedSince !== undefined && version.modified <= modifiedSince) return 'not_modified'
  return 'proceed'
}

/** Whether `Range` applies: always without `If-Range`, else only if the file is unchanged. */
export function mayResume(headers: IncomingHttpHeaders, version: Version, now: Seconds): boolean {
  const condition = headers['if-range']
  if (condition === undefined) return true
  if (typeof condition !== 'string') return false
  if (/^(?:W\/)?"/.test(condition)) return condition === version.etag
  // A file may be replaced twice within a second: a date identifies a version only once its second is over.
  return dateIn(condition) === version.modified && now > version.modified
}

const TAGS = /(W\/)?("[!#-~\x80-\xff]*")/g

function listsEtag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  return [...list.matchAll(TAGS)].some(
    ([, weak, tag]) => tag === etag && (comparison === 'weak' || weak === undefined),
  )
}

/** The format of C's `asctime`, which has no time zone. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** Parses the three formats of RFC 9110, 5.6.7. Others may lack a zone, and JavaScript would assume local time. */
function dateIn(text = ''): Seconds | undefined {
  const zoned = ASCTIME.test(text) ? `${text} GMT` : text
  const millis = zoned.endsWith(' GMT') ? Date.parse(zoned) : Number.NaN
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1000)
}

export const httpDate = (time: Seconds) => new Date(time * 1000).toUTCString()
