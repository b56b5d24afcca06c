import type { Engine } from '../../db/database.ts'
import type { Fault } from '../stripe/fake-stripe.ts'

/** Where a call leaves the process. */
export type CallKind = 'statement' | 'commit' | 'provider' | 'file' | 'mail'

/**
 * The way in which a call fails. Calls to the database: `io`, a disk error; `full`, a full disk, after which SQLite has
 * rolled back; `cut`, a lost connection; `timeout`, an error of the server; `lost`, the call was carried out and its
 * answer is lost. Calls to the provider: see `Fault`. Calls to the file system: `error`, a disk error or, for a write,
 * a full disk. Calls to the mail server: `refused`, a temporary error; `drop`, a lost connection.
 */
export type FaultMode =
  | 'io'
  | 'full'
  | 'cut'
  | 'timeout'
  | 'lost'
  | 'error'
  | 'refused'
  | 'drop'
  | ProviderMode
type ProviderMode = Extract<Fault, 'reset_before' | 'reset_after' | 'error_after'>

const noCalls = (): Record<CallKind, number> => ({
  statement: 0,
  commit: 0,
  provider: 0,
  file: 0,
  mail: 0,
})

const PROVIDER_MODES: readonly ProviderMode[] = ['reset_before', 'reset_after', 'error_after']

/** The ways in which calls fail that don't go to a database. */
const NON_DATABASE_MODES = {
  provider: PROVIDER_MODES,
  file: ['error'],
  mail: ['refused', 'drop'],
} as const

/** The ways in which each kind of call is made to fail, one after the other. */
const FAULT_MODES: Readonly<Record<Engine, Record<CallKind, readonly FaultMode[]>>> = {
  sqlite: {
    statement: ['io', 'full'],
    commit: ['io', 'full', 'lost'],
    ...NON_DATABASE_MODES,
  },
  postgres: {
    statement: ['cut', 'timeout'],
    commit: ['cut', 'timeout', 'lost'],
    ...NON_DATABASE_MODES,
  },
}

/** Whether the call is carried out before it fails. */
export const isCarriedOut = (mode: FaultMode): boolean =>
  mode === 'lost' || mode === 'reset_after' || mode === 'error_after'

/** A call that was made to fail. */
export interface FiredFault {
  kind: CallKind
  mode: FaultMode
  /** The statement, route or function. */
  what: string
}

/** Numbers all calls that leave the process while it is watched, and makes one of them fail. */
export class FaultPlan {
  readonly #engine: Engine
  #number = 0
  #way = 0
  #count = 0
  #isArmed = false
  #watchers = 0
  fired: FiredFault | undefined
  /** The calls since it was armed, by kind. */
  calls = noCalls()
  /** The calls themselves, in order. */
  trace: string[] = []

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Makes the call of this number fail, counted from 1, in the way of this number, counted from 0. */
  arm(number: number, way: number): void {
    this.#number = number
    this.#way = way
    this.#count = 0
    this.#isArmed = true
    this.fired = undefined
    this.calls = noCalls()
    this.trace = []
  }

  disarm(): void {
    this.#isArmed = false
  }

  /** The number of ways in which the call that has failed can fail; 0 if no call has failed. */
  get ways(): number {
    if (!this.fired) return 0
    const { kind } = this.fired
    return kind === 'statement' ? 1 : FAULT_MODES[this.#engine][kind].length
  }

  get isArmed(): boolean {
    return this.#isArmed
  }

  /** Only calls during `run` count: the test has calls of its own. */
  async watch<R>(run: () => Promise<R>): Promise<R> {
    this.#watchers++
    try {
      return await run()
    } finally {
      this.#watchers--
    }
  }

  /** Counts a call; returns how it fails, if it is the one. */
  next(kind: CallKind, what: string): FaultMode | undefined {
    if (!this.#isArmed || this.#watchers === 0) return undefined
    this.calls[kind]++
    this.trace.push(what)
    if (++this.#count !== this.#number || this.fired) return undefined
    const mode = this.#modeOf(kind)
    if (mode !== undefined) this.fired = { kind, mode, what }
    return mode
  }

  /** Statements are many: each fails in one way, about half of them in each. Other calls fail in all ways. */
  #modeOf(kind: CallKind): FaultMode | undefined {
    const modes = FAULT_MODES[this.#engine][kind]
    // Not simply odd and even: a sample of every second call must have both ways.
    const turn = this.#number + Math.floor(this.#number / 4)
    return kind === 'statement' ? modes[turn % modes.length] : modes[this.#way]
  }
}
