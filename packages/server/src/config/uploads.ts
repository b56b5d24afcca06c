import type { Reader } from './reader.ts'

/** Files for sale that are uploaded. */
export interface UploadSettings {
  /** The maximum size, 0 for no limit. */
  maxBytes: number
  /** How much of the disk an upload leaves free. */
  freeBytes: number
  /** A program that looks at each file; undefined for none. */
  scan: { command: readonly [string, ...string[]]; seconds: number } | undefined
}

const GIB = 2 ** 30

export function readUploads(r: Reader): UploadSettings {
  const wanted = 'a program and its arguments, separated by spaces'
  const command = r.read('SCAN_COMMAND', undefined, wanted, (text) => {
    const [program = '', ...args] = text.split(/ +/)
    return [program, ...args] as const
  })
  const seconds = r.whole('SCAN_SECONDS', 120, 1, 3_600)
  r.requireIfAnySet('SCAN_COMMAND', ['SCAN_SECONDS'])
  return {
    maxBytes: r.whole('LIMIT_UPLOAD_BYTES', 5 * GIB, 0, 1e15),
    freeBytes: r.whole('UPLOAD_FREE_BYTES', GIB, 0, 1e15),
    scan: command && { command, seconds },
  }
}
