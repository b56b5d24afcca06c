import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Longer texts are bulk inserts of varying sizes: preparing them would fill the server's memory and gain little. */
const MAX_TEXT_LENGTH = 3_000
/** How many texts are remembered, to recognize those that repeat. */
const MAX_REMEMBERED = 1_000
/** How many prepared statements the server keeps per connection. */
const MAX_PER_CONNECTION = 250

const IS_PLANNED = /^\s*(select|insert|update|delete|with)\b/

type Client = pg.PoolClient

/** Names statements that repeat, so that the server parses and plans them once per connection. */
export interface Statements {
  nameOf(client: Client, text: string): string | undefined
  /** Whether a connection has reached its limit of prepared statements and should be replaced. */
  isFull(client: Client): boolean
  /** Adapts to an error; returns true if the same statement, sent again, will not fail with it. */
  adaptToError(error: unknown): boolean
}

export function createStatements(): Statements {
  const names = new Map<string, string | undefined>()
  const prepared = new WeakMap<Client, Set<string>>()
  let generation = 0
  let areNamed = true

  function known(text: string): string | undefined {
    const name = names.get(text)
    if (name !== undefined) return name
    if (names.has(text)) {
      const hash = createHash('sha1').update(text).digest('base64url')
      names.set(text, `g${generation}_${hash}`)
      return names.get(text)
    }
    if (names.size >= MAX_REMEMBERED) names.clear()
    names.set(text, undefined)
    return undefined
  }

  function of(client: Client): Set<string> {
    const found = prepared.get(client) ?? new Set()
    prepared.set(client, found)
    return found
  }

  return {
    nameOf(client, text) {
      if (!areNamed || text.length > MAX_TEXT_LENGTH || !IS_PLANNED.test(text)) return undefined
      const name = known(text)
      if (name === undefined) return undefined
      const own = of(client)
      if (own.has(name)) return name
      if (own.size >= MAX_PER_CONNECTION) return undefined
      own.add(name)
      return name
    },
    isFull: (client) => (prepared.get(client)?.size ?? 0) >= MAX_PER_CONNECTION,
    adaptToError(error) {
      const { code, routine } = error as { code?: unknown; routine?: unknown }
      if (code === FEATURE_NOT_SUPPORTED && routine === 'RevalidateCachedQuery') {
        // The columns of a table have changed: new statement names make every connection prepare its statements again.
        generation++
        names.clear()
        return true
      }
      if (code !== UNKNOWN_STATEMENT && code !== STATEMENT_EXISTS) return false
      // A pooler in between reassigns connections, or something has discarded the prepared statements.
      areNamed = false
      return true
    },
  }
}

const FEATURE_NOT_SUPPORTED = '0A000'
const UNKNOWN_STATEMENT = '26000'
const STATEMENT_EXISTS = '42P05'
