import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Stop } from '../errors.ts'
import type { ControlDatabase } from './database.ts'
import { readMeta } from './meta.ts'
import { SQLITE } from './outage.ts'

/** So long a process may go on reading a database that has just been moved. */
export const LOOK_EVERY_MS = 250

/** The file that lies beside the SQLite files once PostgreSQL has all that they hold. It is one name for
 * three databases, so that they are moved together or not at all. */
export const movedFile = (folder: string) => join(folder, 'moved-to-postgresql.txt')

/** The row of control's `meta` that a database has from before the first row of a move to its end. */
export const MOVING = 'moving_from'

const advice = (folder: string) =>
  `the data of ${folder} was moved to PostgreSQL: set GATEHOUSE_DATABASE_URL and restart ` +
  '(if nothing was served from there yet, gatehouse move --undo takes it back)'

/** To callers it is an outage, like that of any file which can't be written to any more. */
class Moved extends Error {
  override readonly name = 'Moved'
  readonly errcode = SQLITE.READ_ONLY
}

/** Keeps a process from going on with what is not the truth any more. */
export interface MoveGate {
  /** For a write, when it holds the lock: it is exact then. */
  requireHere(): void
  /** For a read: looks now and then, since a read takes hardly longer than a look. */
  requireHereLately(): void
}

export function moveGate(databasePath: string): MoveGate {
  const folder = dirname(databasePath)
  let looked = Number.NEGATIVE_INFINITY
  let isGone = false
  const look = () => {
    looked = performance.now()
    isGone = existsSync(movedFile(folder))
  }
  const refuse = () => {
    if (isGone) throw new Moved(advice(folder))
  }
  return {
    requireHere() {
      look()
      refuse()
    },
    requireHereLately() {
      if (performance.now() - looked >= LOOK_EVERY_MS) look()
      refuse()
    },
  }
}

/** For a start. */
export function requireNotMoved(folder: string): void {
  if (existsSync(movedFile(folder))) throw new Stop(advice(folder))
}

/** A database that a move has filled in part only must not be served from. */
export async function requireMoveOver({ read }: ControlDatabase): Promise<void> {
  if ((await readMeta(read, MOVING)) === undefined) return
  throw new Stop(
    'GATEHOUSE_DATABASE_URL: a move from SQLite to this database was not finished; ' +
      'run it again, without GATEHOUSE_DATABASE_URL: gatehouse move --to ADDRESS',
  )
}
