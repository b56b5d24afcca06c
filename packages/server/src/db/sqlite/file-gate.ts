import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { MOVE_CHECK_INTERVAL_MS, movedAdvice, movedFile } from '../moved.ts'
import { SQLITE } from '../outage.ts'
import { describeMark, readMarkFile, restoreMarkPath } from '../restoring.ts'

/** Callers see an outage, as with any file that has become read-only. */
class FilesClosed extends Error {
  override readonly name = 'FilesClosed'
  readonly errcode = SQLITE.READ_ONLY
}

/** Stops a process from using SQLite files whose data was moved, or that a restore is filling. */
export interface FileGate {
  /** For a write that holds the lock: always checks, so a move or a restore can't be missed. */
  requireOpen(): void
  /** For a read: checks only now and then, because a check takes nearly as long as a read. */
  requireOpenCached(): void
}

/** Returns why this process may not use the files; undefined if it may. */
function findRefusal(folder: string, isRestore: boolean): string | undefined {
  if (existsSync(movedFile(folder))) return movedAdvice(folder)
  if (existsSync(restoreMarkPath(folder)) === isRestore) return undefined
  const mark = readMarkFile(folder)
  return mark ? describeMark(mark) : 'the restore was given up'
}

export function createFileGate(databasePath: string, isRestore: boolean): FileGate {
  const folder = dirname(databasePath)
  let checkedAt = Number.NEGATIVE_INFINITY
  let refusal: string | undefined
  const check = () => {
    checkedAt = performance.now()
    refusal = findRefusal(folder, isRestore)
  }
  const refuse = () => {
    if (refusal !== undefined) throw new FilesClosed(refusal)
  }
  return {
    requireOpen() {
      check()
      refuse()
    },
    requireOpenCached() {
      if (performance.now() - checkedAt >= MOVE_CHECK_INTERVAL_MS) check()
      refuse()
    },
  }
}
