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
  let reload = () => {}
  onReloadSignal(() => reload())
  process.stdout.on('error', () => {})
  const log = createLogger(config.logLevel)
  const crew = createCrew()
  connectCrew(crew)
  crew.onEnd((member, ending) => tellEnd(log, member, ending))

  const isStarted = await Promise.race([startAll(crew, config.workers), stopped])
  if (isStarted === false) process.exit(1)
  if (isStarted === true) reload = keepUp(crew, config.workers, read, log)
  log.info(`stopping all workers (${await stopped})`)
  const endings = await crew.stop()
  process.exitCode = endings.every(isGood) ? 0 : 1
}

/** One that did not serve yet is ended by the signal itself. */
const isGood = ({ code, signal }: Ending) => code === 0 || signal === 'SIGTERM'

/** The first one alone: it makes what is missing, and finds out what is wrong. */
async function startAll(crew: Crew, count: number): Promise<boolean> {
  const first = await crew.hire(1)
  if (!first) return false
  const rest = Array.from({ length: count - 1 }, (_, n) => crew.hire(n + 2))
  if ((await Promise.all(rest)).includes(undefined)) return false
  send(first, { kind: 'greet' })
  return true
}

function tellEnd(log: Logger, { worker, isUp, isLeaving }: Member, { code, signal }: Ending): void {
  // A worker that can't start says why itself, and one that was told to go does not fail.
  if (isLeaving || (!isUp && code !== null)) return
  const { pid } = worker.process
  log.error({ worker: pid, code, signal }, `a worker has ended (${signal ?? `code ${code}`})`)
}

/** Replaces those who end. Returns what replaces all of them. */
function keepUp(crew: Crew, count: number, read: () => Config, log: Logger): () => void {
  let wanted = count
  let shortLives = 0

  async function fill(place: number): Promise<void> {
    const isHeld = crew.members().some((member) => isHolder(member, place))
    if (place <= wanted && !isHeld) await crew.hire(place)
  }

  crew.onEnd(({ place, bornAt, isLeaving }) => {
    if (isLeaving || crew.isStopping()) return
    const lived = performance.now() - bornAt
    shortLives = lived < LONG_LIFE_MS ? shortLives + 1 : 0
    setTimeout(fill, pauseAfter(shortLives), place)
  })

  async function reloadAll(): Promise<void> {
    const settings = readAgain(read, log)
    if (!settings) return
    const isDone = await replaceAll(crew, wanted, settings.workers, log)
    if (!isDone) return
    wanted = settings.workers
    // Some may have ended meanwhile.
    for (let place = 1; place <= wanted; place++) fill(place)
  }

  return oneAtATime(reloadAll)
}

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
    while (isWanted) {
      isWanted = false
      await work()
    }
    isRunning = false
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
  const old = crew.members()
  for (let place = 1; place <= Math.max(before, wanted); place++) {
    if (place <= wanted && !(await crew.hire(place))) {
      if (!crew.isStopping()) log.error('a new worker could not start: the others go on as before')
      return false
    }
    for (const member of old.filter((one) => isHolder(one, place))) await crew.dismiss(member)
  }
  log.info('restarted all workers')
  return true
}
