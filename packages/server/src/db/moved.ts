import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../errors.ts'
import type { ControlDatabase } from './database.ts'
import { readMeta } from './meta.ts'
import { SQLITE } from './outage.ts'

/** How long, at most, a process goes on reading a database that has just been moved. */
export const MOVE_CHECK_INTERVAL_MS = 250

/** The file next to the SQLite files that says their data is now in PostgreSQL. One file covers all three
 * databases, so that they move together or not at all. */
export const movedFile = (folder: string) => join(folder, 'moved-to-postgresql.txt')

/** The row in the `meta` table of `control` that marks the target of an unfinished move. */
export const MOVE_MARKER = 'moving_from'

const advice = (folder: string) =>
  `the data of ${folder} was moved to PostgreSQL: set GATEHOUSE_DATABASE_URL and restart ` +
  '(if nothing was changed there yet, you can undo the move with: gatehouse move --undo)'

/** Callers see an outage, as with any file that has become read-only. */
class Moved extends Error {
  override readonly name = 'Moved'
  readonly errcode = SQLITE.READ_ONLY
}

/** Stops a process from using SQLite files that are out of date because their data was moved. */
export interface MoveGate {
  /** For a write that holds the lock: always checks, so a move can't be missed. */
  requireNotMoved(): void
  /** For a read: checks only now and then, because a check takes nearly as long as a read. */
  requireNotMovedCached(): void
}

export function createMoveGate(databasePath: string): MoveGate {
  const folder = dirname(databasePath)
  let checkedAt = Number.NEGATIVE_INFINITY
  let isMoved = false
  const check = () => {
    checkedAt = performance.now()
    isMoved = existsSync(movedFile(folder))
  }
  const refuse = () => {
    if (isMoved) throw new Moved(advice(folder))
  }
  return {
    requireNotMoved() {
      check()
      refuse()
    },
    requireNotMovedCached() {
      if (performance.now() - checkedAt >= MOVE_CHECK_INTERVAL_MS) check()
      refuse()
    },
  }
}

/** Checked when a database is opened. */
export function requireNotMoved(folder: string): void {
  if (existsSync(movedFile(folder))) throw new OperatorError(advice(folder))
}

/** Refuses to serve from a database that an unfinished move has filled only in part. */
export async function requireMoveOver({ read }: ControlDatabase): Promise<void> {
  if ((await readMeta(read, MOVE_MARKER)) === undefined) return
  throw new OperatorError(
    'GATEHOUSE_DATABASE_URL: a move from SQLite to this database was not finished; ' +
      'unset GATEHOUSE_DATABASE_URL and run it again: gatehouse move --to URL',
  )
}
