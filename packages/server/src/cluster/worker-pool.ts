import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { FromWorker, ToWorker } from './channel.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { keepConnections, type WorkerConnections } from './node-patches.ts'
import { createUnavailableAnswer } from './unavailable.ts'
import { createWorkerLifecycle, type WorkerLifecycle, type WorkerState } from './worker-state.ts'

/** How often to log that a worker is still starting. A start may be slow: it may migrate large tables. */
const SLOW_START_LOG_MS = 60_000

/** Workers exit by themselves before this. One that has not is hung and gets killed. */
const KILL_AFTER_MS = 31_000

/** A worker process, as its supervisor sees it. */
export interface PoolWorker {
  /** The worker's number, from 1 on. A replacement gets the same number. */
  readonly slot: number
  readonly handle: Worker
  readonly connections: WorkerConnections
  readonly startedAt: number
  readonly lifecycle: WorkerLifecycle
  hasBackgroundJobs: boolean
  /** Resolves with how the process ended. */
  readonly exited: Promise<ExitStatus>
}

export interface ExitStatus {
  code: number | null
  signal: string | null
}

/** `lastState`: the state in which the worker exited. */
type ExitListener = (worker: PoolWorker, exit: ExitStatus & { lastState: WorkerState }) => void
type MessageListener = (worker: PoolWorker, message: FromWorker) => void

/** The worker pool. One of its workers also runs the background jobs. */
export interface WorkerPool {
  /** All running workers, in any state. */
  workers(): PoolWorker[]
  /** The workers that serve and have not begun to exit. */
  active(): PoolWorker[]
  /** Spawns a worker. Resolves when it serves, or with undefined if it could not start, exited first, or the service is
   * stopping. */
  spawn(slot: number): Promise<PoolWorker | undefined>
  /** Retires a worker that has been replaced; resolves when it has exited. */
  retire(worker: PoolWorker): Promise<void>
  /** Stops all workers; resolves when they have exited. */
  stop(): Promise<ExitStatus[]>
  isStopping(): boolean
  onExit(listener: ExitListener): void
  onMessage(listener: MessageListener): void
}

export function send({ handle }: PoolWorker, message: ToWorker): void {
  // A disconnected worker is exiting; its `exit` event is handled in `createWorkerPool`.
  if (handle.isConnected()) handle.send(message, undefined, () => {})
}

/** `headers`: those that every response of the service has. */
export function createWorkerPool(
  log: Logger,
  headers: Readonly<Record<string, string>>,
): WorkerPool {
  const workers = new Set<PoolWorker>()
  const exitListeners: ExitListener[] = []
  const messageListeners: MessageListener[] = []
  let isStopping = false
  const active = () => [...workers].filter(({ lifecycle }) => lifecycle.state === 'serving')
  const dispatch = createDispatch(() => isStopping, createUnavailableAnswer(headers))

  useRoundRobin()
  // No worker may outlive the supervisor, however it exits.
  process.on('exit', () => {
    for (const { handle } of workers) handle.process.kill('SIGKILL')
  })

  function onMessage(worker: PoolWorker, message: FromWorker): void {
    followState(worker, message, dispatch)
    if (message.kind === 'up' || message.kind === 'going') assignBackgroundJobs(active())
    for (const listener of messageListeners) listener(worker, message)
  }

  function onExit(worker: PoolWorker, exit: ExitStatus): void {
    const lastState = worker.lifecycle.state
    worker.lifecycle.apply('stop')
    workers.delete(worker)
    dispatch.remove(worker)
    assignBackgroundJobs(active())
    for (const listener of exitListeners) listener(worker, { ...exit, lastState })
  }

  return {
    workers: () => [...workers],
    active,
    async spawn(slot) {
      const worker = isStopping ? undefined : startWorker(slot, log)
      if (!worker) return undefined
      workers.add(worker)
      worker.handle.on('message', (message: FromWorker) => onMessage(worker, message))
      worker.exited
        .then((exit) => onExit(worker, exit))
        .catch((error) => log.error({ err: error }, 'the exit of a worker was not handled'))
      return (await isServing(worker, log)) ? worker : undefined
    },
    async retire(worker) {
      const exited = endWorker(worker, 'leave')
      assignBackgroundJobs(active())
      await exited
    },
    isStopping: () => isStopping,
    async stop() {
      isStopping = true
      dispatch.stop()
      return await Promise.all([...workers].map((worker) => endWorker(worker, 'stop')))
    },
    onExit: (listener) => exitListeners.push(listener),
    onMessage: (listener) => messageListeners.push(listener),
  }
}

/** Round robin, whatever the environment says: only then does a connection reach another worker if one exits. */
function useRoundRobin(): void {
  cluster.schedulingPolicy = cluster.SCHED_RR
}

/** Follows what a worker reports about itself. */
function followState(worker: PoolWorker, { kind }: FromWorker, dispatch: Dispatch): void {
  if (kind === 'up') {
    worker.lifecycle.apply('serve')
    dispatch.add(worker)
    assign(worker)
  }
  if (kind === 'going') worker.lifecycle.apply('drain')
  if (kind === 'full') dispatch.queueRelease(worker)
}

/** Returns undefined if the machine can't start another process. */
function startWorker(slot: number, log: Logger): PoolWorker | undefined {
  try {
    const handle = cluster.fork()
    return {
      slot,
      handle,
      connections: keepConnections(handle),
      startedAt: performance.now(),
      lifecycle: createWorkerLifecycle(),
      hasBackgroundJobs: false,
      exited: exitOf(handle),
    }
  } catch (error) {
    log.error({ error }, 'a worker could not be started')
    return undefined
  }
}

function exitOf(handle: Worker): Promise<ExitStatus> {
  return new Promise((resolve) => {
    handle.process.once('exit', (code, signal) => resolve({ code, signal }))
    handle.on('error', () => {
      // The process never started. Any other error is followed by `exit`.
      if (handle.process.pid === undefined) resolve({ code: null, signal: null })
    })
  })
}

/** Resolves when the worker serves, or with false when it has exited first. */
async function isServing(worker: PoolWorker, log: Logger): Promise<boolean> {
  const timer = setInterval(logSlowStart, SLOW_START_LOG_MS, log, worker)
  const serves = new Promise<boolean>((resolve) => {
    worker.handle.on('message', ({ kind }: FromWorker) => {
      if (kind === 'up') resolve(true)
    })
  })
  const result = await Promise.race([serves, worker.exited.then(() => false)])
  clearInterval(timer)
  return result
}

function logSlowStart(log: Logger, { handle, startedAt }: PoolWorker): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  log.warn({ worker: handle.process.pid }, `a worker is still starting after ${seconds} s`)
}

/** Asks the worker to exit; resolves when it has. */
async function endWorker(worker: PoolWorker, kind: 'leave' | 'stop'): Promise<ExitStatus> {
  const { handle, lifecycle, exited } = worker
  const isStarting = lifecycle.state === 'starting'
  lifecycle.apply(kind === 'leave' ? 'retire' : 'drain')
  // A worker that does not serve yet has nothing to finish. A second signal would cut off requests begun meanwhile.
  if (isStarting) handle.process.kill('SIGTERM')
  else send(worker, { kind })
  const timeout = setTimeout(() => handle.process.kill('SIGKILL'), KILL_AFTER_MS)
  const exit = await exited
  clearTimeout(timeout)
  return exit
}

/** Tells a worker its name, and whether it runs the background jobs. */
function assign(worker: PoolWorker): void {
  const { slot, hasBackgroundJobs: hasDuties } = worker
  send(worker, { kind: 'post', name: String(slot), hasDuties })
}

/** Assigns the background jobs to one of the serving workers if none has them. */
function assignBackgroundJobs(active: readonly PoolWorker[]): void {
  if (active.some(({ hasBackgroundJobs }) => hasBackgroundJobs)) return
  // The newest worker stays the longest.
  const chosen = active.at(-1)
  if (!chosen) return
  chosen.hasBackgroundJobs = true
  assign(chosen)
}
