import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Crew, createCrew, type Ending, type Member, send } from './crew.ts'
import { createLogger } from './logger.ts'
import { onReloadSignal, stopSignal } from './signals.ts'
import { connectCrew } from './switchboard.ts'

/** A worker that lived as long as this did not fail at its start. */
const LONG_LIFE_MS = 10_000

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** Keeps so many workers serving, until it is told to stop. It opens no database. */
export async function supervise(config: Config, read: () => Config): Promise<void> {
  const stopped = stopSignal()
  let isAskedEarly = false
  let reload = () => {
    isAskedEarly = true
  }
  onReloadSignal(() => reload())
  process.stdout.on('error', () => {})
  const log = createLogger(config.logLevel)
  const crew = createCrew(log)
  connectCrew(crew)
  crew.onEnd((member, ending) => tellEnd(log, member, ending))

  // The first one alone: it makes what is missing, and finds out what is wrong.
  const first = crew.hire(1).then((member) => member !== undefined)
  const isStarted = await Promise.race([first, stopped])
  if (isStarted === false) process.exit(1)
  if (isStarted === true) {
    const upkeep = keepUp(crew, config.workers, read, log)
    upkeep.fillAll().then(() => {
      greet(crew)
      reload = upkeep.reload
      if (isAskedEarly) reload()
    })
  }
  log.info(`stopping all workers (${await stopped})`)
  const endings = await crew.stop()
  process.exitCode = endings.every(isGood) ? 0 : 1
}

/** By whoever serves: the first one may have ended. */
function greet(crew: Crew): void {
  const [greeter] = crew.standing()
  if (greeter) send(greeter, { kind: 'greet' })
}

/** One that did not serve yet is ended by the signal itself. */
const isGood = ({ code, signal }: Ending) => code === 0 || signal === 'SIGTERM'

function tellEnd(log: Logger, member: Member, { code, signal }: Ending): void {
  const { worker, isUp, isGoing, isLeaving } = member
  // A worker that can't start or go on says why itself, and one that was told to go does not fail.
  if (isLeaving || ((!isUp || isGoing) && code !== null)) return
  const { pid } = worker.process
  log.error({ worker: pid, code, signal }, `a worker has ended (${signal ?? `code ${code}`})`)
}

interface Upkeep {
  /** Starts those that are missing; resolves when each serves, or is to be tried again later. */
  fillAll(): Promise<unknown>
  /** Replaces all. */
  reload(): void
}

/** Replaces those who end. */
function keepUp(crew: Crew, count: number, read: () => Config, log: Logger): Upkeep {
  let wanted = count
  let shortLives = 0
  const awaited = new Set<number>()

  async function fill(place: number): Promise<void> {
    const isHeld = crew.members().some((member) => isHolder(member, place))
    if (place > wanted || isHeld || (await crew.hire(place))) return
    shortLives += 1
    fillLater(place)
  }

  function fillLater(place: number): void {
    if (crew.isStopping() || awaited.has(place)) return
    awaited.add(place)
    const again = () => {
      awaited.delete(place)
      fill(place)
    }
    setTimeout(again, pauseAfter(shortLives))
  }

  const fillAll = () => Promise.all(placesUpTo(wanted).map(fill))

  crew.onEnd(({ place, bornAt, isUp, isLeaving }) => {
    // Whoever hired one that never served knows already.
    if (isLeaving || !isUp) return
    const lived = performance.now() - bornAt
    shortLives = lived < LONG_LIFE_MS ? shortLives + 1 : 0
    fillLater(place)
  })

  async function reloadAll(): Promise<void> {
    const settings = readAgain(read, log)
    if (!settings) return
    const isDone = await replaceAll(crew, wanted, settings.workers, log)
    if (isDone) wanted = settings.workers
    // Some may have ended meanwhile.
    for (const place of placesUpTo(wanted)) fillLater(place)
  }

  return { fillAll, reload: oneAtATime(reloadAll) }
}

const placesUpTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)

const isHolder = (member: Member, place: number) => member.place === place && !member.isLeaving

const pauseAfter = (shortLives: number) =>
  shortLives === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (shortLives - 1), LONGEST_PAUSE_MS)

/** Asked for while it is being done, it is done once more. */
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

/** One by one, each up before the one in its place goes. False if it could not be done. */
async function replaceAll(
  crew: Crew,
  before: number,
  wanted: number,
  log: Logger,
): Promise<boolean> {
  log.info('restarting all workers, one by one')
  // What a restart that failed has left over is in the last places.
  const last = Math.max(before, wanted, ...crew.members().map(({ place }) => place))
  for (const place of placesUpTo(last)) {
    const fresh = place <= wanted ? await crew.hire(place) : undefined
    if (place <= wanted && !fresh) {
      if (!crew.isStopping()) log.error('a new worker could not start: the others go on as before')
      return false
    }
    // All that are there by now: one of them may have been replaced meanwhile.
    const old = crew.members().filter((one) => one !== fresh && isHolder(one, place))
    await Promise.all(old.map(crew.dismiss))
  }
  log.info('restarted all workers')
  return true
}
