import { setImmediate } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { isTimeout, isTransactionLost, TransactionLost } from '../outage.ts'
import type { ConnectionLimiter } from './connection-limiter.ts'
import type { Statements } from './statements.ts'

/** The minimum time to wait for a commit that was sent: giving up would leave its outcome unknown. */
const COMMIT_MS = 5_000

/** How often a read is tried. An operator who ends all connections ends them one after the other, so a read can be cut
 * several times; while the server is down, connecting fails at once. */
const MAX_ATTEMPTS = 5

interface Rules {
  statements: Statements
  limiter?: ConnectionLimiter
  /** The total time for all statements over one acquired connection; 0 for no limit. */
  maxTotalMs: number
  /** Whether a read may be repeated over another connection when its own was cut. */
  mayReconnect: boolean
}

/** Adapts a pool to Kysely, with connections that behave well in an outage. */
export function createSessions(pool: pg.Pool, rules: Rules): PostgresPool {
  return {
    async connect() {
      await rules.limiter?.enter()
      try {
        return new Session(pool, await pool.connect(), rules) as unknown as PostgresPoolClient
      } catch (error) {
        rules.limiter?.leave()
        throw error
      }
    },
    end: () => pool.end(),
  }
}

type Result = PostgresQueryResult<unknown>

/** A connection while it belongs to one read or one transaction. */
class Session {
  readonly #pool: pg.Pool
  readonly #rules: Rules
  readonly #deadline: number
  #client: pg.PoolClient | undefined
  #inTransaction = false
  /** Why this connection can't be used any more; undefined while it can. */
  #lost: unknown

  constructor(pool: pg.Pool, client: pg.PoolClient, rules: Rules) {
    this.#pool = pool
    this.#client = client
    this.#rules = rules
    this.#deadline = performance.now() + rules.maxTotalMs
  }

  async query(text: string, values: readonly unknown[]): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(text, values)
      } catch (error) {
        if (this.#inTransaction || isTimeout(error) || attempt === MAX_ATTEMPTS) throw error
        await this.#prepareRetry(error)
      }
    }
  }

  release(): void {
    this.#giveBack()
    this.#rules.limiter?.leave()
  }

  async #ask(text: string, values: readonly unknown[]): Promise<Result> {
    const client = this.#client
    if (!client || this.#lost !== undefined) throw this.#lost
    const name = this.#rules.statements.nameOf(client, text)
    try {
      const result = await client.query({
        ...(name === undefined ? {} : { name }),
        text,
        values: values as unknown[],
        ...this.#timeLeft(text),
      })
      this.#follow(text, result)
      return result as unknown as Result
    } catch (error) {
      throw this.#understand(error, text)
    }
  }

  /** Prepares to repeat a read, which is safe because reads change nothing; over another connection if this one was
   * cut. Throws the error if it would occur again. A timed-out read is not repeated. */
  async #prepareRetry(error: unknown): Promise<void> {
    if (!isTransactionLost(error)) {
      if (!this.#rules.statements.adaptToError(error)) throw error
      return
    }
    if (!this.#rules.mayReconnect) throw error
    this.#giveBack()
    // If all connections were cut, this lets the pool notice before it hands one out.
    await setImmediate()
    this.#client = await this.#pool.connect()
    this.#lost = undefined
  }

  /** A transaction that was cut before its commit was sent had no effect; one cut during the commit may have. */
  #understand(error: unknown, text: string): unknown {
    const isOpen = this.#inTransaction && text !== 'commit'
    if (isTransactionLost(error) || isTimeout(error)) {
      this.#lost = isOpen && isTransactionLost(error) ? new TransactionLost(error) : error
      return this.#lost
    }
    return isOpen && this.#rules.statements.adaptToError(error) ? new TransactionLost(error) : error
  }

  #follow(text: string, { command }: pg.QueryResult): void {
    if (text.startsWith('start transaction')) this.#inTransaction = true
    if (text !== 'commit' && text !== 'rollback') return
    this.#inTransaction = false
    // The server rolls back and says so if a statement had failed and the caller ignored its error.
    if (text === 'commit' && command !== 'COMMIT') {
      throw new Error('a transaction that had failed was to be committed')
    }
  }

  #timeLeft(text: string): { query_timeout?: number } {
    if (this.#rules.maxTotalMs === 0) return {}
    const least = text === 'commit' ? COMMIT_MS : 1
    return { query_timeout: Math.max(least, Math.ceil(this.#deadline - performance.now())) }
  }

  #giveBack(): void {
    const client = this.#client
    this.#client = undefined
    // A connection that is lost, or still waits for a response, must not be reused.
    client?.release(
      this.#lost !== undefined || this.#inTransaction || this.#rules.statements.isFull(client),
    )
  }
}
