import cluster, { type Worker } from 'node:cluster'
import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { FromWorker, ToWorker } from './channel.ts'

/** How often to log that a worker is still starting. A start may be slow: it may migrate large tables. */
const START_NEWS_MS = 60_000

/** How long a stopping worker waits for the others to reach the same point. */
const MAX_GATHERING_MS = 1_000

const LAST_LOOKS = 64

/** Workers exit by themselves before this. One that has not is hung and gets killed. */
const MAX_LEAVE_MS = 31_000

/** A worker process, as its supervisor sees it. */
export interface PoolWorker {
  /** The worker's number, from 1 on. A replacement gets the same number. */
  readonly place: number
  readonly worker: Worker
  readonly bornAt: number
  /** The worker has started to serve requests. */
  isUp: boolean
  /** The worker is exiting on its own initiative. */
  isGoing: boolean
  /** The supervisor has told the worker to exit. */
  isLeaving: boolean
  hasDuties: boolean
  /** Resolves with how the process ended. */
  readonly ended: Promise<ExitStatus>
}

export interface ExitStatus {
  code: number | null
  signal: string | null
}

/** The worker pool. One of its workers also runs the background jobs. */
export interface WorkerPool {
  /** All running workers, in any state. */
  members(): PoolWorker[]
  /** The workers that serve and have not begun to exit. */
  standing(): PoolWorker[]
  /** Spawns a worker. Resolves when it serves, or with undefined if it could not start, exited first, or the service is
   * stopping. */
  hire(place: number): Promise<PoolWorker | undefined>
  /** Retires a worker that has been replaced; resolves when it has exited. */
  dismiss(member: PoolWorker): Promise<void>
  /** Stops all workers; resolves when they have exited. */
  stop(): Promise<ExitStatus[]>
  isStopping(): boolean
  onEnd(call: (member: PoolWorker, ending: ExitStatus) => void): void
  onMessage(call: (member: PoolWorker, message: FromWorker) => void): void
}

export function send({ worker }: PoolWorker, message: ToWorker): void {
  // A disconnected worker is exiting; its `exit` event is handled elsewhere.
  if (worker.isConnected()) worker.send(message, undefined, () => {})
}

export function createWorkerPool(log: Logger): WorkerPool {
  const members = new Set<PoolWorker>()
  /** Workers that want no more connections and still get some. */
  const full = new Set<PoolWorker>()
  const endCalls: ((member: PoolWorker, ending: ExitStatus) => void)[] = []
  const messageCalls: ((member: PoolWorker, message: FromWorker) => void)[] = []
  let isStopping = false
  const standing = () =>
    [...members].filter(({ isUp, isGoing, isLeaving }) => isUp && !isGoing && !isLeaving)

  // Round robin, whatever the environment says: only then does a connection reach another worker if one exits.
  cluster.schedulingPolicy = cluster.SCHED_RR
  // No worker may outlive the supervisor, however it exits.
  process.on('exit', () => {
    for (const { worker } of members) worker.process.kill('SIGKILL')
  })

  function start(place: number): PoolWorker {
    const worker = cluster.fork()
    const ended = endOf(worker)
    const bornAt = performance.now()
    const flags = { isUp: false, isGoing: false, isLeaving: false, hasDuties: false }
    const member: PoolWorker = { place, worker, bornAt, ended, ...flags }
    members.add(member)
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'going') stepBack(member)
      if (message.kind === 'full') letGo(member)
      for (const call of messageCalls) call(member, message)
    })
    ended.then((ending) => {
      members.delete(member)
      full.delete(member)
      giveDuties()
      for (const call of endCalls) call(member, ending)
    })
    return member
  }

  /** When the whole service stops, no worker is released until all want no more connections. Otherwise its clients
   * would reconnect to another worker that is about to close too. */
  function letGo(member: PoolWorker): void {
    full.add(member)
    const isLast = [...members].every((one) => full.has(one) || !one.isUp)
    if (!isStopping || isLast) void releaseFull()
    else setTimeout(releaseFull, MAX_GATHERING_MS).unref()
  }

  /** Stops handing connections to these workers. They are notified after the last connection has arrived. */
  async function releaseFull(): Promise<void> {
    // Each iteration of the event loop accepts one connection from the backlog.
    for (let look = 0; look < LAST_LOOKS; look++) await setImmediate()
    for (const { worker } of full) if (worker.isConnected()) worker.disconnect()
    full.clear()
  }

  function stepBack(member: PoolWorker): void {
    member.isGoing = true
    giveDuties()
  }

  /** Returns undefined if the machine can't start another process. */
  function tryToStart(place: number): PoolWorker | undefined {
    try {
      return start(place)
    } catch (error) {
      log.error({ error }, 'a worker could not be started')
      return undefined
    }
  }

  /** Asks the worker to exit; resolves when it has. */
  async function end(member: PoolWorker, kind: 'leave' | 'stop'): Promise<ExitStatus> {
    const wasAsked = member.isLeaving
    member.isLeaving = true
    // A worker that does not serve yet has nothing to finish. A second signal would cut off requests begun meanwhile.
    if (member.isUp) send(member, { kind })
    else if (!wasAsked) member.worker.process.kill('SIGTERM')
    return await endWithin(member)
  }

  function tellStarting({ worker, bornAt }: PoolWorker): void {
    const seconds = Math.round((performance.now() - bornAt) / 1_000)
    log.warn({ worker: worker.process.pid }, `a worker is still starting, after ${seconds} s`)
  }

  /** Assigns the background jobs to a serving worker if none has them. */
  function giveDuties(): void {
    const serving = standing()
    if (serving.some(({ hasDuties }) => hasDuties)) return
    // In a rolling restart, the newest worker stays the longest.
    const chosen = serving.at(-1)
    if (!chosen) return
    chosen.hasDuties = true
    post(chosen)
  }

  const post = (member: PoolWorker) =>
    send(member, { kind: 'post', name: String(member.place), hasDuties: member.hasDuties })

  return {
    members: () => [...members],
    standing,
    async hire(place) {
      if (isStopping) return undefined
      const member = tryToStart(place)
      if (!member) return undefined
      const news = setInterval(tellStarting, START_NEWS_MS, member)
      const isUp = await Promise.race([upOf(member.worker), member.ended.then(() => false)])
      clearInterval(news)
      if (!isUp) return undefined
      member.isUp = true
      post(member)
      giveDuties()
      return member
    },
    async dismiss(member) {
      const ended = end(member, 'leave')
      giveDuties()
      await ended
    },
    isStopping: () => isStopping,
    async stop() {
      isStopping = true
      return await Promise.all([...members].map((member) => end(member, 'stop')))
    },
    onEnd: (call) => endCalls.push(call),
    onMessage: (call) => messageCalls.push(call),
  }
}

function endOf(worker: Worker): Promise<ExitStatus> {
  return new Promise((resolve) => {
    worker.process.once('exit', (code, signal) => resolve({ code, signal }))
    worker.on('error', () => {
      // The process never started. Any other error is followed by `exit`.
      if (worker.process.pid === undefined) resolve({ code: null, signal: null })
    })
  })
}

function upOf(worker: Worker): Promise<true> {
  return new Promise((resolve) => {
    worker.on('message', ({ kind }: FromWorker) => {
      if (kind === 'up') resolve(true)
    })
  })
}

async function endWithin({ worker, ended }: PoolWorker): Promise<ExitStatus> {
  const tooLate = setTimeout(() => worker.process.kill('SIGKILL'), MAX_LEAVE_MS)
  const ending = await ended
  clearTimeout(tooLate)
  return ending
}
