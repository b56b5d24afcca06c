import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { readMeta, setMeta, setMetaOnce } from '../../db/meta.ts'
import { controlMigrations, environmentMigrations } from '../../db/migrations.ts'
import { MOVE_MARKER } from '../../db/moved.ts'
import { openDatabase } from '../../db/open.ts'
import { errorCodeOf } from '../../db/outage.ts'
import { postgresOperatorError } from '../../db/postgres/postgres.ts'
import { isServed } from '../../db/postgres/served.ts'
import { deleteRows } from '../../db/queries/rows.ts'
import type { ControlTables, Tables } from '../../db/tables.ts'
import { OperatorError } from '../../errors.ts'
import { anyDatabase, type Databases } from '../backup/databases.ts'
import { DATABASE_NAMES, tablesOf } from '../backup/tables.ts'

/** The PostgreSQL databases that everything is moved to. */
export interface Target extends Databases {
  close(): Promise<void>
}

/** The `application_name` of a move; a service uses the names of its schemas. */
const OUR_NAME = 'gatehouse move'

/** Errors about PostgreSQL name the setting of a service; in this command the address comes from an option. */
function toTargetError(error: unknown): unknown {
  const stop =
    error instanceof OperatorError || errorCodeOf(error) === ''
      ? error
      : postgresOperatorError(error)
  if (!(stop instanceof OperatorError)) return stop
  return new OperatorError(stop.message.replaceAll('GATEHOUSE_DATABASE_URL', '--to'))
}

/** Runs `work` on the target; its errors name `--to`. */
export async function asTargetError<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw toTargetError(error)
  }
}

/** Opens the databases, and creates our tables if they are empty. */
export async function openTarget(address: string): Promise<Target> {
  const location = {
    engine: 'postgres',
    url: address,
    connections: 2,
    applicationName: OUR_NAME,
  } as const
  const opened: Database<never>[] = []
  const close = async () => {
    for (const database of opened.splice(0)) await database.close()
  }
  async function open<T>(name: string, migrations: typeof environmentMigrations) {
    const database = await openDatabase<T>(location, name, migrations)
    opened.push(database as unknown as Database<never>)
    return database
  }
  try {
    return await asTargetError(async () => ({
      control: await open<ControlTables>('control', controlMigrations),
      production: await open<Tables>('production', environmentMigrations),
      sandbox: await open<Tables>('sandbox', environmentMigrations),
      close,
    }))
  } catch (error) {
    await close()
    throw error
  }
}

const INSTALLATION = 'installation'

/** Returns the id that identifies an installation wherever it moves; stores the given one if there is none yet. */
export async function nameInstallation(control: Databases['control'], id: string): Promise<string> {
  return await control.write(async (trx) => {
    await setMetaOnce(trx, INSTALLATION, id)
    return (await readMeta<ControlTables>(trx, INSTALLATION)) as string
  })
}

export const readInstallation = (control: Databases['control']) =>
  control.snapshot((db) => readMeta(db, INSTALLATION))

/** How a target relates to an installation. `empty`: no data. `taken`: used by another installation. Otherwise a
 * move there was begun, is complete, or is being undone. */
export type TargetState = 'empty' | 'taken' | 'begun' | 'over' | 'undoing'

/** The mark that an undo leaves: the data in the target was complete before it. */
const undoOf = (installation: string) => `undo of ${installation}`

export async function targetStateOf(target: Databases, installation: string): Promise<TargetState> {
  const begun = await target.control.snapshot((db) => readMeta(db, MOVE_MARKER))
  if (begun === undoOf(installation)) return 'undoing'
  if (begun !== undefined) return begun === installation ? 'begun' : 'taken'
  return await contentsOf(target, installation)
}

/** An installation id alone is not data: a start gives one to an empty database. */
const hasRows = (table: string) =>
  table === 'meta'
    ? sql`exists (select 1 from meta where name not in (${MOVE_MARKER}, ${INSTALLATION}))`
    : sql`exists (select 1 from ${sql.table(table)})`

/** Determines the state by the contents alone, ignoring the mark. */
async function contentsOf(target: Databases, installation: string): Promise<TargetState> {
  if ((await readInstallation(target.control)) === installation) return 'over'
  for (const name of DATABASE_NAMES) {
    const rows = await anyDatabase(target, name).snapshot(async (db) => {
      const exists = tablesOf(name).map(({ table }) => hasRows(table))
      const found = await sql<{
        any: boolean
      }>`select ${sql.join(exists, sql` or `)} as any`.execute(db)
      return found.rows[0]?.any
    })
    if (rows) return 'taken'
  }
  return 'empty'
}

/** Marks the target as being moved to, so that no service starts on it until the move ends. Returns true if this call has
 * set the marker, false if an earlier run of the same move has. Throws if it belongs to the move of another
 * installation. */
export const beginMove = (target: Databases, installation: string) =>
  mark(target, installation, installation)

/** Does the same for undoing a move. */
export const beginUndo = (target: Databases, installation: string) =>
  mark(target, installation, undoOf(installation))

async function mark(target: Databases, installation: string, value: string): Promise<boolean> {
  const { isNew, begun } = await target.control.write(async (trx) => {
    const { rows } = await sql`insert into meta (name, value) values (${MOVE_MARKER}, ${value})
      on conflict (name) do nothing returning name`.execute(trx)
    return { isNew: rows.length > 0, begun: await readMeta<ControlTables>(trx, MOVE_MARKER) }
  })
  const ours: unknown[] = [installation, undoOf(installation)]
  if (!ours.includes(begun))
    throw new OperatorError('--to: another installation is being moved to this database')
  return isNew
}

export async function endMove(target: Databases): Promise<void> {
  await target.control.write(async (trx) => {
    await deleteRows(trx, 'meta', { name: MOVE_MARKER })
  })
}

/** Empties the tables of an unfinished move, except for the row of `meta` that marks the move as unfinished. */
export async function truncateExceptMoveMarker<T>(
  trx: Trx<T>,
  tables: readonly string[],
): Promise<void> {
  const begun = await readMeta(trx, MOVE_MARKER)
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(trx)
  if (begun !== undefined) await setMeta(trx, MOVE_MARKER, begun)
}

export const TARGET_NOT_EMPTY =
  '--to: this database already contains Gatehouse data; use an empty one'

/** A first move must find nothing that it would delete. */
export async function requireEmpty(target: Databases, installation: string): Promise<void> {
  if ((await contentsOf(target, installation)) === 'empty') return
  throw new OperatorError(TARGET_NOT_EMPTY)
}

/** Call this after the mark is set: a service that started without seeing it is connected by then. */
export async function requireUnserved({ control }: Databases): Promise<void> {
  if (await isServed(control.read, OUR_NAME))
    throw new OperatorError('--to: a service is running on this database; stop it first')
}
