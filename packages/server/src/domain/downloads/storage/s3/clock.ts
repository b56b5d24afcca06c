import type { S3Client } from '@aws-sdk/client-s3'

/** How long a reading of the server's clock counts, in milliseconds. Clocks drift by less than a second a day. */
const FRESH_MS = 600_000

/** How long to wait after a request that told nothing, in milliseconds. */
const RETRY_MS = 30_000

/** This machine's clock was set, or the machine slept, if its two clocks differ by more than before. */
const MAX_STEP_MS = 5_000

/** The clock of the storage server, by which it judges signatures. */
export interface ServerClock {
  /** Reads the `Date` header of an answer. */
  read(date: string | undefined): void
  /** The server's time in milliseconds; undefined before the first answer. */
  now(): number | undefined
  /** The server's time, after `ask` has made the server answer if the last reading is too old. This machine's time if
   * the server does not tell. */
  fetchNow(ask: () => Promise<unknown>): Promise<number>
}

interface Reading {
  server: number
  /** `performance.now()`, which goes on evenly when somebody corrects this machine's clock. */
  at: number
  /** This machine's time at zero of `performance.now()`. */
  origin: number
}

const origin = () => Date.now() - performance.now()

export function createServerClock(): ServerClock {
  let last: Reading | undefined
  let asking: Promise<unknown> | undefined
  let askedInVain = Number.NEGATIVE_INFINITY

  const now = () => last && last.server + performance.now() - last.at

  function isFresh(): boolean {
    if (!last || performance.now() - last.at > FRESH_MS) return false
    return Math.abs(origin() - last.origin) < MAX_STEP_MS
  }

  return {
    now,

    read(date = '') {
      const server = Date.parse(date)
      if (!Number.isNaN(server)) last = { server, at: performance.now(), origin: origin() }
    },

    async fetchNow(ask) {
      if (!isFresh() && performance.now() - askedInVain > RETRY_MS) {
        asking ??= ask()
          .catch(() => {})
          .finally(() => {
            asking = undefined
            if (!isFresh()) askedInVain = performance.now()
          })
      }
      await asking
      return now() ?? Date.now()
    },
  }
}

/** Lets the clock read every answer that this client gets, refusals included. */
export function readClockOf(client: S3Client, clock: ServerClock): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const { headers = {} } = result.response as { headers?: Record<string, string> }
      // An answer from a cache has the time at which it was made.
      if (headers.age === undefined) clock.read(headers.date)
      return result
    },
    // The innermost place, before the SDK turns refusals into errors.
    { step: 'deserialize', priority: 'low', name: 'readServerClock' },
  )
}
