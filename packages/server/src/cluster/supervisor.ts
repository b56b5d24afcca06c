import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { createLogger } from '../logger.ts'
import { relayMessages } from './relay.ts'
import { onReloadSignal, stopSignal } from './signals.ts'
import {
  createWorkerPool,
  type ExitStatus,
  type PoolWorker,
  send,
  type WorkerPool,
} from './worker-pool.ts'

/** A worker that lived this long did not fail at its start. */
const LONG_LIFE_MS = 10_000

const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/** Keeps the configured number of workers serving until the service is stopped. It opens no database. */
export async function supervise(config: Config, read: () => Config): Promise<void> {
  const stopped = stopSignal()
  let isAskedEarly = false
  let reload = () => {
    isAskedEarly = true
  }
  onReloadSignal(() => reload())
  process.stdout.on('error', () => {})
  const log = createLogger(config.logLevel)
  const pool = createWorkerPool(log)
  relayMessages(pool)
  pool.onEnd((member, ending) => tellEnd(log, member, ending))

  // The first worker starts alone: it creates missing files and tables, and finds wrong settings.
  const first = pool.hire(1).then((member) => member !== undefined)
  const isStarted = await Promise.race([first, stopped])
  if (isStarted === false) process.exit(1)
  if (isStarted === true) {
    const upkeep = keepUp(pool, config.workers, read, log)
    upkeep.fillAll().then(() => {
      greet(pool)
      reload = upkeep.reload
      if (isAskedEarly) reload()
    })
  }
  log.info(`stopping all workers (${await stopped})`)
  const endings = await pool.stop()
  process.exitCode = endings.every(isGood) ? 0 : 1
}

/** Any serving worker prints the welcome: the first one may have exited. */
function greet(pool: WorkerPool): void {
  const [greeter] = pool.standing()
  if (greeter) send(greeter, { kind: 'greet' })
}

/** A worker that does not serve yet is ended by SIGTERM itself. */
const isGood = ({ code, signal }: ExitStatus) => code === 0 || signal === 'SIGTERM'

function tellEnd(log: Logger, member: PoolWorker, { code, signal }: ExitStatus): void {
  const { worker, isUp, isGoing, isLeaving } = member
  // A worker that fails to start or to continue logs the reason itself, and one that was told to exit has not failed.
  if (isLeaving || ((!isUp || isGoing) && code !== null)) return
  const { pid } = worker.process
  log.error({ worker: pid, code, signal }, `a worker has ended (${signal ?? `code ${code}`})`)
}

interface Upkeep {
  /** Starts the missing workers. Resolves when each one serves or its retry is scheduled. */
  fillAll(): Promise<unknown>
  /** Replaces all workers. */
  reload(): void
}

/** Replaces workers that exit. */
function keepUp(pool: WorkerPool, count: number, read: () => Config, log: Logger): Upkeep {
  let wanted = count
  let shortLives = 0
  const awaited = new Set<number>()

  async function fill(place: number): Promise<void> {
    const isHeld = pool.members().some((member) => isHolder(member, place))
    if (place > wanted || isHeld || (await pool.hire(place))) return
    shortLives += 1
    fillLater(place)
  }

  function fillLater(place: number): void {
    if (pool.isStopping() || awaited.has(place)) return
    awaited.add(place)
    const again = () => {
      awaited.delete(place)
      fill(place)
    }
    setTimeout(again, pauseAfter(shortLives))
  }

  const fillAll = () => Promise.all(placesUpTo(wanted).map(fill))

  pool.onEnd(({ place, bornAt, isUp, isLeaving }) => {
    // A worker that never served is handled where it was started.
    if (isLeaving || !isUp) return
    const lived = performance.now() - bornAt
    shortLives = lived < LONG_LIFE_MS ? shortLives + 1 : 0
    fillLater(place)
  })

  async function reloadAll(): Promise<void> {
    const settings = readAgain(read, log)
    if (!settings) return
    const isDone = await replaceAll(pool, wanted, settings.workers, log)
    if (isDone) wanted = settings.workers
    // Some workers may have exited meanwhile.
    for (const place of placesUpTo(wanted)) fillLater(place)
  }

  return { fillAll, reload: oneAtATime(reloadAll) }
}

const placesUpTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)

const isHolder = (member: PoolWorker, place: number) => member.place === place && !member.isLeaving

const pauseAfter = (shortLives: number) =>
  shortLives === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (shortLives - 1), MAX_PAUSE_MS)

/** A call during a run causes one more run after it. */
function oneAtATime(work: () => Promise<void>): () => void {
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

function readAgain(read: () => Config, log: Logger): Config | undefined {
  try {
    return read()
  } catch (error) {
    log.error(`not restarted, all goes on as before: ${(error as Error).message}`)
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
  const last = Math.max(before, wanted, ...pool.members().map(({ place }) => place))
  for (const place of placesUpTo(last)) {
    const fresh = place <= wanted ? await pool.hire(place) : undefined
    if (place <= wanted && !fresh) {
      if (!pool.isStopping()) log.error('a new worker could not start: the others go on as before')
      return false
    }
    // Read only now: an old worker may itself have been replaced while the new one started.
    const old = pool.members().filter((one) => one !== fresh && isHolder(one, place))
    await Promise.all(old.map(pool.dismiss))
  }
  log.info('restarted all workers')
  return true
}
