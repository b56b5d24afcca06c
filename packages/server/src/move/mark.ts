import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { movedFile } from '../db/moved.ts'

export const isMarked = (folder: string) => existsSync(movedFile(folder))

/** From the moment that the file has its name, nobody writes to the databases beside it. */
export function markMoved(folder: string, text: string): void {
  const path = movedFile(folder)
  const part = `${path}.part`
  writeFileSync(part, text, { mode: 0o600, flush: true })
  renameSync(part, path)
  flushFolder(folder)
}

export function unmarkMoved(folder: string): void {
  rmSync(movedFile(folder))
  flushFolder(folder)
}

/** A name is safe when its folder is. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
