import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fail } from '../../../errors.ts'
import { readDiskSpace } from '../../installation/disk.ts'
import { LOOKED_AT_BYTES, problemWithStart } from './signatures.ts'

/** What the operator allows to be uploaded. */
export interface UploadRules {
  /** The maximum size of a file; 0 for no limit. */
  maxBytes: number
  /** How much of the disk stays free; 0 if all of it may be used. */
  freeBytes: number
  /** The folders on whose disks the file is stored, if it is stored here. Those that don't exist yet don't count. */
  folders: readonly string[]
}

/** A file that is to be uploaded. */
export interface Upload {
  fileName: string
  /** Undefined if the sender doesn't say. */
  size: number | undefined
}

/** The rules for a file that is only in the folder for temporary files for a while. How much stays free counts if that folder
 * is on a disk of the service: one in memory is often smaller than that. */
export async function temporaryRules({ folders, freeBytes }: UploadRules): Promise<UploadRules> {
  const folder = tmpdir()
  const disks = await Promise.all(folders.map(diskOf))
  const isShared = disks.includes(await diskOf(folder))
  return { maxBytes: 0, freeBytes, folders: isShared ? [folder] : [] }
}

const diskOf = async (folder: string) => (await stat(folder).catch(unlessMissing))?.dev ?? folder

/** How many bytes are received between two looks at the disk. */
const LOOK_BYTES = 64 * 1024 * 1024

/** Refuses, before a byte is read, what the size alone rules out. */
export async function requireRoom(
  rules: UploadRules,
  { size = 0 }: Pick<Upload, 'size'>,
): Promise<void> {
  requireSize(rules, size)
  await requireFreeSpace(rules, size)
}

/** Passes the bytes on, as long as the file keeps to the rules and is what its name says. */
export async function* checked(
  rules: UploadRules,
  { fileName }: Upload,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let size = 0
  let lookAt = LOOK_BYTES
  for await (const chunk of withStart(fileName, bytes)) {
    size += chunk.length
    requireSize(rules, size)
    if (size >= lookAt) {
      lookAt += LOOK_BYTES
      await requireFreeSpace(rules, 0)
    }
    yield chunk
  }
}

/** Holds back the first bytes until they are checked. */
async function* withStart(
  fileName: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < LOOKED_AT_BYTES) continue
    requireRightStart(fileName, start)
    yield start
    start = undefined
  }
  if (start === undefined) return
  requireRightStart(fileName, start)
  yield start
}

function requireRightStart(fileName: string, start: Buffer): void {
  const problem = problemWithStart(fileName, start.subarray(0, LOOKED_AT_BYTES))
  if (problem !== undefined) throw fail('file_mismatch', problem)
}

function requireSize({ maxBytes }: UploadRules, size: number): void {
  if (maxBytes === 0 || size <= maxBytes) return
  throw fail(
    'file_too_large',
    `The file is too large: at most ${inWords(maxBytes)} can be uploaded. The operator can raise this limit (GATEHOUSE_LIMIT_UPLOAD_BYTES).`,
  )
}

async function requireFreeSpace({ folders, freeBytes }: UploadRules, size: number): Promise<void> {
  if (freeBytes === 0) return
  const spaces = await Promise.all(
    folders.map((folder) => readDiskSpace(folder).catch(unlessMissing)),
  )
  if (spaces.every((space) => space === undefined || space.free - size >= freeBytes)) return
  throw fail(
    'storage_full',
    `There is not enough space on the server's disk: ${inWords(freeBytes)} must stay free. Delete files that are not needed, or ask the operator for more space.`,
  )
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Rounds down, so that a file of the size that is named is accepted. */
function inWords(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1)
  const value = Math.floor((bytes / 1024 ** unit) * 10) / 10
  return `${value} ${UNITS[unit]}`
}
