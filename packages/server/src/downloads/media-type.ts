import { extname } from 'node:path'
import { lookup } from 'mime-types'

const UNKNOWN = 'application/octet-stream'

/** The type of a file by the end of its name; a name without an end tells nothing. */
export function mediaTypeOf(fileName: string): string {
  return lookup(extname(fileName)) || UNKNOWN
}
