import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodeOf, errorReasonOf, toOutageFailure } from '../outage.ts'
import { RestoreUnderWay } from '../restoring.ts'
import { interactiveTimeouts, openPool } from './pool.ts'
import { requireSuitable } from './postgres.ts'

const TRY_AGAIN_MS = 500

/** A pooler answers so if it is set up in a way that can't work with our connections. */
const PROTOCOL_VIOLATION = '08P01'

interface Options {
  limitMs: number
  /** Ends the waiting early. */
  stopped: AbortSignal
  /** Called once, when the server doesn't answer at the first try. */
  onWait(reason: string): void
}

/**
 * Waits while the server can't be reached, is starting, or is a standby: whatever starts a whole machine starts the
 * service and its database at the same time. Returns early if waiting doesn't help: opening the database then says what
 * is wrong.
 */
export async function waitForPostgres(
  url: string,
  { limitMs, stopped, onWait }: Options,
): Promise<void> {
  const endsAt = performance.now() + limitMs
  for (let tries = 1; ; tries++) {
    const error = await findProblem(url)
    const isLast = performance.now() + TRY_AGAIN_MS > endsAt
    if (!mayPass(error) || isLast) return
    if (tries === 1) onWait(errorReasonOf(error))
    await sleep(TRY_AGAIN_MS, undefined, { signal: stopped }).catch(() => {})
    if (stopped.aborted) return
  }
}

const mayPass = (error: unknown) =>
  toOutageFailure(error) !== undefined &&
  errorCodeOf(error) !== PROTOCOL_VIOLATION &&
  !(error instanceof RestoreUnderWay)

async function findProblem(url: string): Promise<unknown> {
  const schema = 'control'
  const check = (settings: Parameters<typeof requireSuitable>[0]) =>
    requireSuitable(settings, schema)
  const pool = openPool(url, { schema, connections: 1, limits: interactiveTimeouts(url), check })
  try {
    ;(await pool.connect()).release()
    return undefined
  } catch (error) {
    return error
  } finally {
    await pool.end()
  }
}
