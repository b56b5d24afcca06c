import { extname } from 'node:path'
import { lookup } from 'mime-types'

const UNKNOWN = 'application/octet-stream'

/** Returns the media type for the extension of a file name. */
export function mediaTypeOf(fileName: string): string {
  return lookup(extname(fileName)) || UNKNOWN
}
