import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestInstallation } from '../databases.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

/** A graceful restart, a restart as after a power failure, or the restart that follows when one of the server's
 * processes is killed. */
export const OUTAGES = ['fast', 'immediate', 'backend'] as const
export type OutageKind = (typeof OUTAGES)[number]

/** When the server was down, measured by `takeDown` after it came back. */
export interface PostgresDowntime {
  kind: OutageKind
  /** A time of `performance.now()`. */
  downAt: number
  /** When the server accepted a connection again. */
  readyAt: number
}

/** How soon after PostgreSQL is ready a service must have recovered. */
export const RECOVERY_MS = 5_000

/** A home with its own PostgreSQL server, which can be taken down. */
export interface RestartablePostgres {
  installation: TestInstallation
  /** Takes the server down; resolves when it is ready again. */
  takeDown(kind: OutageKind): Promise<PostgresDowntime>
  /** Whether a request that started at this time and has just failed was allowed to. */
  mayFail(from: number): boolean
}

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const server = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  let last: PostgresDowntime | undefined
  return {
    installation: {
      env: { GATEHOUSE_DATA: folder, GATEHOUSE_DATABASE_URL: server.url },
      async remove() {
        await server.stop()
        rmSync(folder, { recursive: true, force: true })
      },
    },
    async takeDown(kind) {
      const downAt = performance.now()
      const outage = { kind, downAt, readyAt: Number.POSITIVE_INFINITY }
      last = outage
      await restartServer(server, kind)
      outage.readyAt = performance.now()
      return outage
    },
    mayFail: (from) => last !== undefined && from <= last.readyAt + RECOVERY_MS,
  }
}

async function restartServer(server: PostgresServer, kind: OutageKind): Promise<void> {
  if (kind === 'backend') return await killBackend(server.url)
  await server.halt(kind)
  await server.start()
}

/** Kills one connection's process; the server then ends all other connections itself, including this one. */
async function killBackend(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name like 'gatehouse %'
      order by random() limit 1`,
  )
  const ended = new Promise((resolve) => client.once('end', resolve))
  process.kill(rows[0]?.pid as number, 'SIGKILL')
  await ended
  while (!(await isReady(url)));
}

async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
