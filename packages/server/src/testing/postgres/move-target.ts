import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect } from 'vitest'
import { databases, type TestInstallation } from '../databases.ts'
import { overTcp } from './postgres.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/gatehouse.mjs', import.meta.url))

export const PASSWORD = 'hunter22'

/** A PostgreSQL database to move to. */
export interface MoveTarget {
  /** Contains a password, which the server does not check. */
  url: string
  /** The home of a service that was moved there; it keeps its data folder. */
  installationAt(installation: TestInstallation): TestInstallation
  query<R extends pg.QueryResultRow>(text: string): Promise<R[]>
  /** Locks a table against changes, or against reads too, until the returned function is called. */
  lockTable(table: string, mode?: 'share' | 'access exclusive'): Promise<() => Promise<void>>
  /** Resolves when a move waits for a lock. */
  untilMoveWaits(): Promise<void>
  remove(): Promise<void>
}

/** Creates an empty database, or one with all tables and no rows, which saves a move the time to create them. */
export async function createMoveTarget(content: 'empty' | 'tables' = 'empty'): Promise<MoveTarget> {
  const [, postgres] = databases
  const { env, remove } = await (content === 'empty'
    ? postgres.createEmpty()
    : postgres.createMigrated())
  const url = overTcp(env.GATEHOUSE_DATABASE_URL as string)
  url.password = PASSWORD
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return {
    url: url.href,
    installationAt: (installation) => ({
      env: { ...installation.env, GATEHOUSE_DATABASE_URL: url.href },
      remove: async () => {},
    }),
    query: async (text) => (await client.query(text)).rows,
    async lockTable(table, mode = 'share') {
      const holder = new pg.Client({ connectionString: url.href })
      await holder.connect()
      await holder.query(`begin; lock table ${table} in ${mode} mode`)
      return () => holder.end()
    },
    async untilMoveWaits() {
      const waiting = `select 1 from pg_stat_activity where datname = current_database()
        and application_name = 'gatehouse move' and wait_event_type = 'Lock'`
      const count = async () => (await client.query(waiting)).rows.length
      await expect.poll(count, { timeout: 120_000 }).toBe(1)
    },
    async remove() {
      await client.end()
      await remove()
    },
  }
}

/** Starts `gatehouse move` in its own process, which can be killed. */
export function startMove(installation: TestInstallation, to: string): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'))
  const env = { ...Object.fromEntries(inherited), ...installation.env, GATEHOUSE_MOVE_TO: to }
  return spawn(process.execPath, [COMMAND, 'move'], { cwd: '/', env, stdio: 'ignore' })
}

export async function killAndWait(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
