import { existsSync, rmSync } from 'node:fs'
import { movedFile } from '../../db/moved.ts'
import { flushFolder, writeDurably } from '../../durable-file.ts'

export const isMarkedAsMoved = (folder: string) => existsSync(movedFile(folder))

/** Once the file has its final name, nobody writes to the databases next to it any more. */
export function markAsMoved(folder: string, text: string): void {
  writeDurably(movedFile(folder), text)
}

export function unmarkAsMoved(folder: string): void {
  rmSync(movedFile(folder))
  flushFolder(folder)
}
