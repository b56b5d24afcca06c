import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { databases, type Home } from './databases.ts'

const COMMAND = fileURLToPath(new URL('../../bin/gatehouse.mjs', import.meta.url))

export const PASSWORD = 'hunter22'

/** An empty PostgreSQL database to move to. */
export interface MoveTarget {
  /** With a password, which the server does not ask for. */
  to: string
  /** The home of a service that was moved there: it keeps its data folder. */
  homeOf(home: Home): Home
  query<R extends pg.QueryResultRow>(text: string): Promise<R[]>
  /** Keeps a table from being emptied, until it is let go. */
  hold(table: string): Promise<() => Promise<void>>
  remove(): Promise<void>
}

export async function newTarget(): Promise<MoveTarget> {
  const { env, remove } = await databases[1].makeHome()
  const url = new URL(env.GATEHOUSE_DATABASE_URL as string)
  url.password = PASSWORD
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return {
    to: url.href,
    homeOf: (home) => ({
      env: { ...home.env, GATEHOUSE_DATABASE_URL: url.href },
      remove: async () => {},
    }),
    query: async (text) => (await client.query(text)).rows,
    async hold(table) {
      const holder = new pg.Client({ connectionString: url.href })
      await holder.connect()
      await holder.query(`begin; lock table ${table} in share mode`)
      return () => holder.end()
    },
    async remove() {
      await client.end()
      await remove()
    },
  }
}

/** `gatehouse move` in a process of its own, to be killed. */
export function startMove(home: Home, to: string): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'))
  const env = { ...Object.fromEntries(inherited), ...home.env, GATEHOUSE_MOVE_TO: to }
  return spawn(process.execPath, [COMMAND, 'move'], { cwd: '/', env, stdio: 'ignore' })
}

export async function killNow(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
