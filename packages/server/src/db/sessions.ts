import { setImmediate } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { CutOff, isCut, isTimeout } from './outage.ts'
import type { Statements } from './statements.ts'
import type { Turnstile } from './turnstile.ts'

/** A commit that was sent is waited for at least so long: to give up on it is not to know. */
const COMMIT_MS = 5_000

interface Rules {
  statements: Statements
  turnstile?: Turnstile
  /** Whoever takes a connection has so long for all that is asked over it; 0 for no limit. */
  longestMs: number
  /** Whether a question may be asked again over another connection when one was cut. */
  mayReconnect: boolean
}

/** A pool as the query builder wants it, whose connections behave well in an outage. */
export function sessionsOf(pool: pg.Pool, rules: Rules): PostgresPool {
  return {
    async connect() {
      await rules.turnstile?.enter()
      try {
        return new Session(pool, await pool.connect(), rules) as unknown as PostgresPoolClient
      } catch (error) {
        rules.turnstile?.leave()
        throw error
      }
    },
    end: () => pool.end(),
  }
}

type Result = PostgresQueryResult<unknown>

/** A connection in the hands of one reader, or of one transaction. */
class Session {
  readonly #pool: pg.Pool
  readonly #rules: Rules
  readonly #deadline: number
  #client: pg.PoolClient | undefined
  #inTransaction = false
  /** Why nothing more can be asked over this connection. */
  #lost: unknown

  constructor(pool: pg.Pool, client: pg.PoolClient, rules: Rules) {
    this.#pool = pool
    this.#client = client
    this.#rules = rules
    this.#deadline = performance.now() + rules.longestMs
  }

  async query(text: string, values: readonly unknown[]): Promise<Result> {
    try {
      return await this.#ask(text, values)
    } catch (error) {
      if (this.#inTransaction || isTimeout(error)) throw error
      return await this.#askAgain(error, text, values)
    }
  }

  release(): void {
    this.#giveBack()
    this.#rules.turnstile?.leave()
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

  /** Reads change nothing, so they may be asked twice: over another connection if this one was cut. An
   * answer that did not come in time was waited for long enough. */
  async #askAgain(error: unknown, text: string, values: readonly unknown[]): Promise<Result> {
    if (isCut(error)) {
      if (!this.#rules.mayReconnect) throw error
      this.#giveBack()
      // If all connections were cut, the pool is about to hear of the others.
      await setImmediate()
      this.#client = await this.#pool.connect()
      this.#lost = undefined
    } else if (!this.#rules.statements.learnFrom(error)) throw error
    return await this.#ask(text, values)
  }

  /** What was cut before its commit was sent has not happened; what was cut then may have. */
  #understand(error: unknown, text: string): unknown {
    const isOpen = this.#inTransaction && text !== 'commit'
    if (isCut(error) || isTimeout(error)) {
      this.#lost = isOpen && isCut(error) ? new CutOff(error) : error
      return this.#lost
    }
    return isOpen && this.#rules.statements.learnFrom(error) ? new CutOff(error) : error
  }

  #follow(text: string, { command }: pg.QueryResult): void {
    if (text.startsWith('start transaction')) this.#inTransaction = true
    if (text !== 'commit' && text !== 'rollback') return
    this.#inTransaction = false
    // The server's way to tell that a statement had failed, and somebody did not listen.
    if (text === 'commit' && command !== 'COMMIT') {
      throw new Error('a transaction that had failed was to be committed')
    }
  }

  #timeLeft(text: string): { query_timeout?: number } {
    if (this.#rules.longestMs === 0) return {}
    const least = text === 'commit' ? COMMIT_MS : 1
    return { query_timeout: Math.max(least, Math.ceil(this.#deadline - performance.now())) }
  }

  #giveBack(): void {
    const client = this.#client
    this.#client = undefined
    // One that still waits for an answer, or is gone, is of no use to the next one.
    client?.release(
      this.#lost !== undefined || this.#inTransaction || this.#rules.statements.isFull(client),
    )
  }
}
