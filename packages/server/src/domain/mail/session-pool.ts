import { noFreeConnection } from './smtp-errors.ts'
import type { SmtpSession } from './smtp-session.ts'

/** How long a mail waits for a connection to become free. */
const MAX_WAIT_MS = 10_000

/** How soon one more connection is tried after the server has refused one; twice as long after each further refusal. */
const FIRST_RETRY_MS = 10_000
const MAX_RETRY_MS = 300_000
/** How soon one more is tried after the server has taken one more. */
const NEXT_RAISE_MS = 1_000

interface Waiter {
  resolve(session: SmtpSession): void
  reject(error: unknown): void
}

/**
 * Keeps connections to a mail server, as many as are needed at once. If the server refuses one while others work, the
 * number is limited to those that work, and mails wait for one of these; from time to time, one more is tried. The
 * server's refusal reaches a mail only if no connection works.
 */
export class SessionPool {
  readonly #open: () => Promise<SmtpSession>
  readonly #limit: ReturnType<typeof createConnectionLimit>
  readonly #free: SmtpSession[] = []
  readonly #busy = new Set<SmtpSession>()
  readonly #waiting: Waiter[] = []
  #opening = 0
  /** Those that take leave of the server, which counts them until they have ended. */
  #ending = 0

  constructor(open: () => Promise<SmtpSession>, now = () => performance.now()) {
    this.#open = open
    this.#limit = createConnectionLimit(now)
  }

  /** How many connections the server takes, as far as is known. */
  capacity(): number {
    return this.#limit.allowed()
  }

  /** Returns a connection that nobody else uses until it is released. Rejects with the reason of `signal`. */
  async acquire(signal?: AbortSignal): Promise<SmtpSession> {
    signal?.throwIfAborted()
    let leave = (_error: unknown) => {}
    // While none is in use, those that are being opened decide.
    const timer = setInterval(() => {
      if (this.#busy.size > 0) leave(noFreeConnection())
    }, MAX_WAIT_MS)
    const onAbort = () => leave(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    try {
      return await new Promise<SmtpSession>((resolve, reject) => {
        const waiter = { resolve, reject }
        leave = (error) => {
          const place = this.#waiting.indexOf(waiter)
          if (place >= 0) this.#waiting.splice(place, 1)
          reject(error)
        }
        this.#waiting.push(waiter)
        this.#serve()
      })
    } finally {
      clearInterval(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Takes a connection back; one that can't be used any more makes room for another. */
  release(session: SmtpSession): void {
    this.#busy.delete(session)
    if (session.isUsable) this.#free.push(session)
    else void this.#end(session)
    this.#serve()
  }

  /** Closes the connections that nobody uses. */
  closeFree(): void {
    for (const session of this.#free.splice(0)) session.close()
  }

  /** Closes all connections, also those that send something. */
  closeAll(): void {
    this.closeFree()
    for (const session of this.#busy) session.close()
  }

  get #total(): number {
    return this.#free.length + this.#busy.size + this.#opening + this.#ending
  }

  /** Hands out free connections, and opens new ones for the mails that still wait. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const session = this.#free.pop()
      if (session === undefined) break
      if (!session.isUsable) {
        void this.#end(session)
        continue
      }
      this.#busy.add(session)
      this.#waiting.shift()?.resolve(session)
    }
    while (this.#opening < this.#waiting.length && this.#total < this.#limit.allowed()) {
      void this.#openOne()
    }
  }

  async #end(session: SmtpSession): Promise<void> {
    this.#ending++
    await session.quit()
    this.#ending--
    this.#serve()
  }

  async #openOne(): Promise<void> {
    this.#opening++
    try {
      const session = await this.#open()
      this.#opening--
      this.#free.push(session)
      this.#limit.taken(this.#total)
    } catch (error) {
      this.#opening--
      if (this.#total > 0) {
        this.#limit.refused(this.#total)
      } else {
        this.#limit.forget()
        for (const waiter of this.#waiting.splice(0)) waiter.reject(error)
      }
    }
    this.#serve()
  }
}

/** How many connections are tried at once: any number, until the server refuses one while others work. */
function createConnectionLimit(now: () => number) {
  let limit = Number.POSITIVE_INFINITY
  let retryMs = FIRST_RETRY_MS
  let raiseAt = 0
  return {
    /** Call it when no connection works: the refusals were about something else. */
    forget(): void {
      limit = Number.POSITIVE_INFINITY
    },
    allowed: () => (now() < raiseAt ? limit : limit + 1),
    /** Call it when the server has refused a connection while it had taken so many. */
    refused(working: number): void {
      const isRaise = working === limit
      retryMs = isRaise ? Math.min(MAX_RETRY_MS, retryMs * 2) : FIRST_RETRY_MS
      limit = working
      raiseAt = now() + retryMs
    },
    /** Call it when the server has taken a connection. */
    taken(working: number): void {
      if (working <= limit) return
      limit = working
      retryMs = FIRST_RETRY_MS
      raiseAt = now() + NEXT_RAISE_MS
    },
  }
}
