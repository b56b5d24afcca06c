import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../errors.ts'
import type { ControlDatabase } from './database.ts'
import { readMeta } from './meta.ts'

/** How long, at most, a process goes on reading a database that has just been moved. */
export const MOVE_CHECK_INTERVAL_MS = 250

/** The file next to the SQLite files that says their data is now in PostgreSQL. One file covers all three
 * databases, so that they move together or not at all. */
export const movedFile = (folder: string) => join(folder, 'moved-to-postgresql.txt')

/** The row in the `meta` table of `control` that marks the target of an unfinished move. */
export const MOVE_MARKER = 'moving_from'

export const movedAdvice = (folder: string) =>
  `the data of ${folder} was moved to PostgreSQL: set GATEHOUSE_DATABASE_URL and restart ` +
  '(if nothing was changed there yet, you can undo the move with: gatehouse move --undo)'

/** Checked when a database is opened. */
export function requireNotMoved(folder: string): void {
  if (existsSync(movedFile(folder))) throw new OperatorError(movedAdvice(folder))
}

/** Refuses to serve from a database that an unfinished move has filled only in part. */
export async function requireMoveOver({ read }: ControlDatabase): Promise<void> {
  if ((await readMeta(read, MOVE_MARKER)) === undefined) return
  throw new OperatorError(
    'GATEHOUSE_DATABASE_URL: a move from SQLite to this database was not finished; ' +
      'unset GATEHOUSE_DATABASE_URL and run it again: gatehouse move --to URL',
  )
}
