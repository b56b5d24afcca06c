import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { movedFile } from '../../db/moved.ts'

export const isMarkedAsMoved = (folder: string) => existsSync(movedFile(folder))

/** Once the file has its final name, nobody writes to the databases next to it any more. */
export function markAsMoved(folder: string, text: string): void {
  const path = movedFile(folder)
  const part = `${path}.part`
  writeFileSync(part, text, { mode: 0o600, flush: true })
  renameSync(part, path)
  flushFolder(folder)
}

export function unmarkAsMoved(folder: string): void {
  rmSync(movedFile(folder))
  flushFolder(folder)
}

/** A rename is durable only once its folder is flushed. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
