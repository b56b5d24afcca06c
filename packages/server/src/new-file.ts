import { existsSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { OperatorError } from './errors.ts'

/** Writes a file that only its owner can read, for personal data. It never overwrites a file, and removes what it has
 * written if it fails. */
export async function writePrivateFile(
  path: string,
  content: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const file = await openNewFile(path)
  try {
    await pipeline(content, file.createWriteStream())
  } catch (error) {
    await rm(path, { force: true })
    throw unwritable(path, error)
  }
}

const alreadyExists = (path: string) =>
  new OperatorError(`${path} already exists; choose another file`)

export function requireNewPath(path: string): void {
  if (existsSync(path)) throw alreadyExists(path)
}

export async function openNewFile(path: string): Promise<FileHandle> {
  return await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? alreadyExists(path) : unwritable(path, error)
  })
}

/** Error codes of the disk. Other errors come from the source of the content, such as a database. */
const DISK = new Set(
  'EACCES EDQUOT EFBIG EIO EISDIR EMFILE ENAMETOOLONG ENOENT ENOSPC ENOTDIR EPERM EROFS'.split(' '),
)

/** Whether a call of the file system has failed, such as a write to a full disk. */
export function isDiskError(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  return code !== undefined && DISK.has(code) && syscall !== undefined
}

/** Returns the error to throw if a file could not be written. */
export function unwritable(path: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  return DISK.has(code) ? new OperatorError(`${path} can't be written: ${message}`) : error
}
