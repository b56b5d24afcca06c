import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { commonHeaders } from '../http/response-headers.ts'
import { createLogger } from '../logging/logger.ts'
import { relayMessages } from './relay.ts'
import { createRestartBackoff } from './restart-backoff.ts'
import { onReloadSignal, stopSignal } from './signals.ts'
import {
  createWorkerPool,
  type ExitStatus,
  type PoolWorker,
  send,
  type WorkerPool,
} from './worker-pool.ts'

/** Keeps the configured number of workers serving until the service is stopped. It opens no database. */
export async function supervise(config: Config, read: () => Config): Promise<void> {
  const stopped = stopSignal()
  let isReloadRequested = false
  let reload = () => {
    isReloadRequested = true
  }
  onReloadSignal(() => reload())
  process.stdout.on('error', () => {})
  const log = createLogger(config.logLevel)
  const pool = createWorkerPool(log, commonHeaders(config))
  relayMessages(pool)
  logExits(pool, log)

  // The first worker starts alone: it creates missing files and tables, and finds wrong settings.
  const first = pool.spawn(1).then((worker) => worker !== undefined)
  const isStarted = await Promise.race([first, stopped])
  if (isStarted === false) process.exit(1)
  if (isStarted === true) {
    const replacement = replaceExited(pool, config.workers, read, log)
    const afterStart = () => {
      printWelcome(pool)
      reload = replacement.reload
      if (isReloadRequested) reload()
    }
    replacement
      .startMissing()
      .then(afterStart)
      .catch((error) => log.error({ err: error }, 'not all workers could be started'))
  }
  log.info(`stopping all workers (${await stopped})`)
  const exits = await pool.stop()
  process.exitCode = exits.every(isCleanExit) ? 0 : 1
}

/** Any serving worker prints the welcome: the first one may have exited. */
function printWelcome(pool: WorkerPool): void {
  const [worker] = pool.active()
  if (worker) send(worker, { kind: 'greet' })
}

/** A worker that does not serve yet is ended by SIGTERM itself. */
const isCleanExit = ({ code, signal }: ExitStatus) => code === 0 || signal === 'SIGTERM'

function logExits(pool: WorkerPool, log: Logger): void {
  pool.onExit(({ handle }, { code, signal, lastState }) => {
    const wasTold = lastState === 'retiring' || pool.isStopping()
    // A worker that fails to start, or exits by itself, logs the reason itself.
    const hasLogged = lastState !== 'serving' && code !== null
    if (wasTold || hasLogged) return
    const worker = handle.process.pid
    log.error({ worker, code, signal }, `a worker has exited (${signal ?? `code ${code}`})`)
  })
}

interface Replacement {
  /** Starts the missing workers. Resolves when each one serves or its retry is scheduled. */
  startMissing(): Promise<unknown>
  /** Replaces all workers. */
  reload(): void
}

/** Replaces workers that exit, after a delay if they failed soon after their start. */
function replaceExited(
  pool: WorkerPool,
  count: number,
  read: () => Config,
  log: Logger,
): Replacement {
  let wanted = count
  const backoff = createRestartBackoff()
  const scheduled = new Set<number>()

  async function fill(slot: number): Promise<void> {
    const isFilled = pool.workers().some((worker) => holds(worker, slot))
    if (slot > wanted || isFilled || (await pool.spawn(slot))) return
    backoff.recordExit(slot, 0)
    scheduleFill(slot)
  }

  function scheduleFill(slot: number): void {
    if (pool.isStopping() || scheduled.has(slot)) return
    scheduled.add(slot)
    const retry = () => {
      scheduled.delete(slot)
      fill(slot).catch((error) => log.error({ err: error }, 'a worker could not be started'))
    }
    setTimeout(retry, backoff.delayMs(slot))
  }

  pool.onExit(({ slot, startedAt }, { lastState }) => {
    // A worker that never served is handled where it was started.
    if (lastState === 'retiring' || lastState === 'starting') return
    backoff.recordExit(slot, performance.now() - startedAt)
    scheduleFill(slot)
  })

  async function reloadAll(): Promise<void> {
    const settings = rereadConfig(read, log)
    if (!settings) return
    const isDone = await replaceAll(pool, wanted, settings.workers, log)
    if (isDone) wanted = settings.workers
    // Some workers may have exited meanwhile.
    for (const slot of slotsUpTo(wanted)) scheduleFill(slot)
  }

  return {
    startMissing: () => Promise.all(slotsUpTo(wanted).map(fill)),
    reload: withoutOverlap(reloadAll),
  }
}

const slotsUpTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)

/** A retiring worker has left its slot to its replacement. */
const holds = (worker: PoolWorker, slot: number) =>
  worker.slot === slot && worker.lifecycle.state !== 'retiring'

/** A call during a run causes one more run after it. */
function withoutOverlap(work: () => Promise<void>): () => void {
  let isRunning = false
  let isWanted = false
  return async () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    try {
      while (isWanted) {
        isWanted = false
        await work()
      }
    } finally {
      isRunning = false
    }
  }
}

function rereadConfig(read: () => Config, log: Logger): Config | undefined {
  try {
    return read()
  } catch (error) {
    log.error(`not restarted; the workers keep their settings: ${(error as Error).message}`)
    return undefined
  }
}

/** Replaces workers one by one, each new one serving before the old one exits. Returns false if one could not start. */
async function replaceAll(
  pool: WorkerPool,
  before: number,
  wanted: number,
  log: Logger,
): Promise<boolean> {
  log.info('restarting all workers, one by one')
  // Workers left over from a failed restart may have higher numbers than either count.
  const last = Math.max(before, wanted, ...pool.workers().map(({ slot }) => slot))
  for (const slot of slotsUpTo(last)) {
    const fresh = slot <= wanted ? await pool.spawn(slot) : undefined
    if (slot <= wanted && !fresh) {
      if (!pool.isStopping()) {
        log.error('restart canceled: a new worker could not start; the others keep serving')
      }
      return false
    }
    // Read only now: an old worker may itself have been replaced while the new one started.
    const old = pool.workers().filter((worker) => worker !== fresh && holds(worker, slot))
    await Promise.all(old.map(pool.retire))
  }
  log.info('restarted all workers')
  return true
}
