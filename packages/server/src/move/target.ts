import { sql } from 'kysely'
import { anyDatabase, type Databases } from '../backup/databases.ts'
import { DATABASE_NAMES, tablesOf } from '../backup/tables.ts'
import type { Database, Trx } from '../db/database.ts'
import { readMeta, setMeta, setMetaOnce } from '../db/meta.ts'
import { controlMigrations, environmentMigrations } from '../db/migrations.ts'
import { MOVING } from '../db/moved.ts'
import { openDatabase } from '../db/open.ts'
import { codeOf } from '../db/outage.ts'
import { postgresStop } from '../db/postgres.ts'
import type { ControlTables, Tables } from '../db/tables.ts'
import { Stop } from '../errors.ts'

/** Where everything goes. */
export interface Target extends Databases {
  close(): Promise<void>
}

/** By this name the server knows us; a service calls itself by its schemas. */
const OUR_NAME = 'gatehouse move'

/** What is told of PostgreSQL names the setting by which the service is led there; here it is an option. */
function named(error: unknown): unknown {
  const stop = error instanceof Stop || codeOf(error) === '' ? error : postgresStop(error)
  if (!(stop instanceof Stop)) return stop
  return new Stop(stop.message.replaceAll('GATEHOUSE_DATABASE_URL', '--to'))
}

/** Does something there; what goes wrong is told of `--to`. */
export async function there<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw named(error)
  }
}

/** Opens the databases, and makes our tables where there is nothing. */
export async function openTarget(address: string): Promise<Target> {
  const url = new URL(address)
  url.searchParams.set('application_name', OUR_NAME)
  const location = { engine: 'postgres', url: url.href, connections: 2 } as const
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
    return await there(async () => ({
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

/** By which an installation is known again, wherever it goes; made when it is first asked for. */
export async function nameInstallation(control: Databases['control'], id: string): Promise<string> {
  return await control.write(async (trx) => {
    await setMetaOnce(trx, INSTALLATION, id)
    return (await readMeta<ControlTables>(trx, INSTALLATION)) as string
  })
}

export const readInstallation = (control: Databases['control']) =>
  control.snapshot((db) => readMeta(db, INSTALLATION))

/** What a target has to do with an installation: nothing, since it is empty or somebody else's; a move
 * that was begun, or one that is over. */
export type TargetState = 'empty' | 'taken' | 'begun' | 'over'

export async function stateOf(target: Databases, installation: string): Promise<TargetState> {
  const begun = await target.control.snapshot((db) => readMeta(db, MOVING))
  if (begun !== undefined) return begun === installation ? 'begun' : 'taken'
  if ((await readInstallation(target.control)) === installation) return 'over'
  for (const name of DATABASE_NAMES) {
    const rows = await anyDatabase(target, name).snapshot(async (db) => {
      const exists = tablesOf(name).map(
        ([table]) => sql`exists (select 1 from ${sql.table(table)})`,
      )
      const found = await sql<{
        any: boolean
      }>`select ${sql.join(exists, sql` or `)} as any`.execute(db)
      return found.rows[0]?.any
    })
    if (rows) return 'taken'
  }
  return 'empty'
}

/** From here to the end of the move no service starts there. The first one to begin counts. */
export async function beginMove(target: Databases, installation: string): Promise<void> {
  const begun = await target.control.write(async (trx) => {
    await setMetaOnce(trx, MOVING, installation)
    return await readMeta<ControlTables>(trx, MOVING)
  })
  if (begun !== installation) throw new Stop('--to: another installation is being moved there')
}

export async function endMove(target: Databases): Promise<void> {
  await target.control.write(async (trx) => {
    await trx.deleteFrom('meta').where('name', '=', MOVING).execute()
  })
}

/** Empties the tables of an unfinished move, but for the mark that it is one. */
export async function emptyTables<T>(trx: Trx<T>, tables: readonly string[]): Promise<void> {
  const begun = await readMeta(trx, MOVING)
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(trx)
  if (begun !== undefined) await setMeta(trx, MOVING, begun)
}

/** Whether a service has the database open. */
export async function isServed(target: Databases): Promise<boolean> {
  const { rows } = await sql<{ served: boolean }>`select exists (select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'gatehouse %'
      and application_name <> ${OUR_NAME}) as served`.execute(target.control.read)
  return rows[0]?.served === true
}
