import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file for this account's eyes only. It is complete or as it was before, even after a power failure. */
export function writeDurably(path: string, text: string): void {
  const part = `${path}.new`
  writeFileSync(part, text, { mode: 0o600, flush: true })
  // An earlier attempt may have left a part with another mode.
  chmodSync(part, 0o600)
  keepOwner(path, part)
  renameSync(part, path)
  flushFolder(dirname(path))
}

/** A command run by root must not leave a file that the service's own account can't read. */
function keepOwner(path: string, part: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path))
  chownSync(part, uid, gid)
}

/** Makes renames and removals in a folder survive a power failure. */
export function flushFolder(folder: string): void {
  // Windows can't flush a folder.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
