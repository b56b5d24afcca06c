import cluster, { type Worker } from 'node:cluster'
import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { FromWorker, ToWorker } from './worker-link.ts'

/** How often it is said that a worker still starts. It may take its time: migrations of large tables do. */
const START_NEWS_MS = 60_000

/** So long one that ends waits for the others who do. */
const LONGEST_GATHERING_MS = 1_000

const LAST_LOOKS = 64

/** A worker ends itself before; this one hangs. */
const LONGEST_LEAVE_MS = 31_000

/** A process that serves, as its supervisor sees it. */
export interface Member {
  /** Its place in the crew, from 1 on; whoever replaces it gets the same. */
  readonly place: number
  readonly worker: Worker
  readonly bornAt: number
  /** It has begun to serve requests. */
  isUp: boolean
  /** It ends for a reason of its own. */
  isGoing: boolean
  /** It was told to go. */
  isLeaving: boolean
  hasDuties: boolean
  /** Resolves with how it ended. */
  readonly ended: Promise<Ending>
}

export interface Ending {
  code: number | null
  signal: string | null
}

/** Who serves. Each process is one member; one of them has the duties that time drives. */
export interface Crew {
  /** All that run, whatever they do. */
  members(): Member[]
  /** Those who serve, and will go on doing so. */
  standing(): Member[]
  /** Starts one; resolves when it serves, or with undefined if it could not, ended before, or all were
   * told to stop. */
  hire(place: number): Promise<Member | undefined>
  /** Another has taken its place; resolves when it is gone. */
  dismiss(member: Member): Promise<void>
  /** The service ends; resolves when all are gone. */
  stop(): Promise<Ending[]>
  isStopping(): boolean
  onEnd(call: (member: Member, ending: Ending) => void): void
  onMessage(call: (member: Member, message: FromWorker) => void): void
}

export function send({ worker }: Member, message: ToWorker): void {
  // Whoever can't be reached is about to end, and that is told elsewhere.
  if (worker.isConnected()) worker.send(message, undefined, () => {})
}

export function createCrew(log: Logger): Crew {
  const members = new Set<Member>()
  /** Those who want no more connections, and still get some. */
  const full = new Set<Member>()
  const endCalls: ((member: Member, ending: Ending) => void)[] = []
  const messageCalls: ((member: Member, message: FromWorker) => void)[] = []
  let isStopping = false
  const standing = () =>
    [...members].filter(({ isUp, isGoing, isLeaving }) => isUp && !isGoing && !isLeaving)

  // In turns, whatever the environment says: only so does a connection find another worker if one leaves.
  cluster.schedulingPolicy = cluster.SCHED_RR
  // Nobody is left behind, however we end.
  process.on('exit', () => {
    for (const { worker } of members) worker.process.kill('SIGKILL')
  })

  function start(place: number): Member {
    const worker = cluster.fork()
    const ended = endOf(worker)
    const bornAt = performance.now()
    const flags = { isUp: false, isGoing: false, isLeaving: false, hasDuties: false }
    const member: Member = { place, worker, bornAt, ended, ...flags }
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

  /** Where all end, nobody is let go before all want no more connections: it would send its clients on to
   * another that is about to close the door to them. */
  function letGo(member: Member): void {
    full.add(member)
    const isLast = [...members].every((one) => full.has(one) || !one.isUp)
    if (!isStopping || isLast) void releaseFull()
    else setTimeout(releaseFull, LONGEST_GATHERING_MS).unref()
  }

  /** Takes them off the list at once, and tells them behind the last connection that they get. */
  async function releaseFull(): Promise<void> {
    // Each look of the event loop lets in one of those who are knocking.
    for (let look = 0; look < LAST_LOOKS; look++) await setImmediate()
    for (const { worker } of full) if (worker.isConnected()) worker.disconnect()
    full.clear()
  }

  function stepBack(member: Member): void {
    member.isGoing = true
    giveDuties()
  }

  /** Undefined where the machine has no room for another process. */
  function tryToStart(place: number): Member | undefined {
    try {
      return start(place)
    } catch (error) {
      log.error({ error }, 'a worker could not be started')
      return undefined
    }
  }

  /** Asks it to end; resolves when it has. */
  async function end(member: Member, kind: 'leave' | 'stop'): Promise<Ending> {
    const wasAsked = member.isLeaving
    member.isLeaving = true
    // One that does not serve yet has nothing to finish. A second signal would cut off what it began meanwhile.
    if (member.isUp) send(member, { kind })
    else if (!wasAsked) member.worker.process.kill('SIGTERM')
    return await endWithin(member)
  }

  function tellStarting({ worker, bornAt }: Member): void {
    const seconds = Math.round((performance.now() - bornAt) / 1_000)
    log.warn({ worker: worker.process.pid }, `a worker is still starting, after ${seconds} s`)
  }

  /** To one of those who serve, if nobody has them. */
  function giveDuties(): void {
    const serving = standing()
    if (serving.some(({ hasDuties }) => hasDuties)) return
    // Whoever came last stays longest when all are replaced one by one.
    const chosen = serving.at(-1)
    if (!chosen) return
    chosen.hasDuties = true
    post(chosen)
  }

  const post = (member: Member) =>
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

function endOf(worker: Worker): Promise<Ending> {
  return new Promise((resolve) => {
    worker.process.once('exit', (code, signal) => resolve({ code, signal }))
    worker.on('error', () => {
      // It never began; any other trouble is told by its end.
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

async function endWithin({ worker, ended }: Member): Promise<Ending> {
  const tooLate = setTimeout(() => worker.process.kill('SIGKILL'), LONGEST_LEAVE_MS)
  const ending = await ended
  clearTimeout(tooLate)
  return ending
}
