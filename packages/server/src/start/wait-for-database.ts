import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { waitForPostgres } from '../db/postgres/wait.ts'

/** Waits for a PostgreSQL that isn't there yet, and says so. Returns false if the service is stopped meanwhile. */
export async function waitForDatabase(
  { databaseUrl, databaseWait }: Config,
  log: Logger,
  stopped: Promise<unknown>,
): Promise<boolean> {
  if (databaseUrl === undefined) return true
  const abort = new AbortController()
  const giveUp = () => abort.abort()
  stopped.then(giveUp, giveUp)
  await waitForPostgres(databaseUrl, {
    limitMs: databaseWait * 1_000,
    stopped: abort.signal,
    onWait: (reason) =>
      log.warn(
        `waiting up to ${databaseWait} seconds for PostgreSQL, which can't be reached (${reason})`,
      ),
  })
  return !abort.signal.aborted
}
