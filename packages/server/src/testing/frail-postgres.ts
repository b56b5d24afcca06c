import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Home } from './databases.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

/** Restarted with leave, restarted as if the power had failed, or restarting itself after one of its
 * processes was killed. */
export const OUTAGES = ['fast', 'immediate', 'backend'] as const
export type OutageKind = (typeof OUTAGES)[number]

export interface Outage {
  kind: OutageKind
  /** `performance.now()` */
  downAt: number
  /** When it let somebody in again. */
  readyAt: number
}

/** So long after it is ready a service has to be well again. */
export const RECOVERY_MS = 5_000

/** A home on a PostgreSQL server of its own, which goes away now and then. */
export interface FrailPostgres {
  home: Home
  /** Lets it go away, and resolves when it is ready again. */
  goAway(kind: OutageKind): Promise<Outage>
  /** Whether a request that began at this time and has failed now may have done so. */
  mayFail(from: number): boolean
}

export async function startFrailPostgres(): Promise<FrailPostgres> {
  const server = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  let last: Outage | undefined
  return {
    home: {
      env: { GATEHOUSE_DATA: folder, GATEHOUSE_DATABASE_URL: server.url },
      async remove() {
        await server.stop()
        rmSync(folder, { recursive: true, force: true })
      },
    },
    async goAway(kind) {
      const downAt = performance.now()
      const outage = { kind, downAt, readyAt: Number.POSITIVE_INFINITY }
      last = outage
      await goAndComeBack(server, kind)
      outage.readyAt = performance.now()
      return outage
    },
    mayFail: (from) => last !== undefined && from <= last.readyAt + RECOVERY_MS,
  }
}

async function goAndComeBack(server: PostgresServer, kind: OutageKind): Promise<void> {
  if (kind === 'backend') return await killBackend(server.url)
  await server.halt(kind)
  await server.start()
}

/** All others are then ended by the server itself, ours among them. */
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
