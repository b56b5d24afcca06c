/**
 * The state of a worker process. The process itself, its supervisor and its HTTP side all use these words.
 * - `starting`: it does not serve yet.
 * - `serving`: it accepts connections and answers requests.
 * - `draining`: it was told to stop, by a signal or because the whole service stops. It finishes its requests and is no
 *   longer ready.
 * - `retiring`: another worker has replaced it. It finishes its requests; the service as a whole stays ready.
 * - `stopped`: the process has exited, or is about to.
 */
export type WorkerState = 'starting' | 'serving' | 'draining' | 'retiring' | 'stopped'

/** The events of a worker, and the state that each leads to from the state before. An event that is missing for a state
 * changes nothing: a retiring worker, for example, that gets a signal goes on retiring. */
const TRANSITIONS = {
  serve: { starting: 'serving' },
  drain: { starting: 'draining', serving: 'draining' },
  retire: { starting: 'retiring', serving: 'retiring', draining: 'retiring' },
  stop: { starting: 'stopped', serving: 'stopped', draining: 'stopped', retiring: 'stopped' },
} as const satisfies Record<string, Partial<Record<WorkerState, WorkerState>>>

type WorkerEvent = keyof typeof TRANSITIONS

/** Holds the state of one worker. Only the events above can change it. */
export interface WorkerLifecycle {
  readonly state: WorkerState
  apply(event: WorkerEvent): void
}

export function createWorkerLifecycle(): WorkerLifecycle {
  let state: WorkerState = 'starting'
  return {
    get state() {
      return state
    },
    apply(event) {
      const next: Partial<Record<WorkerState, WorkerState>> = TRANSITIONS[event]
      state = next[state] ?? state
    },
  }
}
