import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { EnvironmentDatabase } from '../db/database.ts'
import { codeOf, outageOf } from '../db/outage.ts'
import { Failure } from '../errors.ts'
import { emailKey } from '../users/email.ts'
import { type AccessRow, getAccessByIds } from './details.ts'
import { type GrantOutcome, grantMany } from './grant.ts'
import type { GrantWish, Times } from './grant-wish.ts'

/** Takes grants from many callers. */
export interface GrantDesk {
  grant(wish: GrantWish): Promise<AccessRow>
}

interface Waiting {
  wish: GrantWish
  resolve(row: AccessRow): void
  reject(error: unknown): void
}

/** In one transaction: more would make everybody wait for the last of them. */
const MOST_TOGETHER = 64

/** So long they wait together for a row that somebody else holds; then each by itself. */
const PATIENCE_TOGETHER_MS = 500

/** PostgreSQL can write several at once, and one that waits for a lock must not hold up all others;
 * SQLite writes one at a time. */
const AT_ONCE = { sqlite: 1, postgres: 4 }

/**
 * Writes what is waiting in one transaction, since a disk takes as long to make sure of many grants as of
 * one. Whoever asked is answered after the commit; if that fails, it fails for all of them.
 */
export function createGrantDesk(
  database: EnvironmentDatabase,
  times: () => Times,
  mostTogether = MOST_TOGETHER,
): GrantDesk {
  const waiting: Waiting[] = []
  let atWork = 0

  async function work(): Promise<void> {
    atWork++
    // All that has arrived by now comes along.
    await setImmediate()
    while (waiting.length > 0) await settle(takeNext())
    atWork--
  }

  /** Those of the application that has waited longest; of one person, in the order in which they came. */
  function takeNext(): Waiting[] {
    const aid = waiting[0]?.wish.aid
    const taken: Waiting[] = []
    for (let i = 0; i < waiting.length && taken.length < mostTogether; ) {
      if (waiting[i]?.wish.aid === aid) taken.push(...waiting.splice(i, 1))
      else i++
    }
    // In one order everywhere: two processes must not each wait for a person whom the other one holds.
    return taken.sort((a, b) => compare(emailKey(a.wish.email), emailKey(b.wish.email)))
  }

  async function settle(taken: readonly Waiting[]): Promise<void> {
    try {
      const results = await write(taken.map(({ wish }) => wish))
      for (const [i, { resolve, reject }] of taken.entries()) {
        const result = results[i] as AccessRow | Failure
        if (result instanceof Failure) reject(result)
        else resolve(result)
      }
    } catch (error) {
      if (isOfAll(error) || taken.length === 1) for (const { reject } of taken) reject(error)
      // Nobody at the desk waits for them: what holds one of them up may hold it up for long.
      else for (const one of taken) void settle([one])
    }
  }

  async function write(wishes: readonly GrantWish[]): Promise<(AccessRow | Failure)[]> {
    return await database.write(async (trx) => {
      if (database.engine === 'postgres' && wishes.length > 1) {
        await sql`set local lock_timeout = ${sql.lit(PATIENCE_TOGETHER_MS)}`.execute(trx)
      }
      const outcomes = await grantMany(trx, times(), wishes)
      const granted = outcomes.filter(isGranted).map(({ accessId }) => accessId)
      const rows = await getAccessByIds(trx, wishes[0]?.aid as string, granted)
      return outcomes.map((outcome) =>
        isGranted(outcome) ? (rows.get(outcome.accessId) as AccessRow) : outcome,
      )
    })
  }

  return {
    grant(wish) {
      return new Promise((resolve, reject) => {
        waiting.push({ wish, resolve, reject })
        if (atWork < AT_ONCE[database.engine]) void work()
      })
    },
  }
}

/** A row that somebody holds for long. */
const LOCK_NOT_AVAILABLE = '55P03'

/** An outage is. Anything else may be about one of them, which the others must not share. */
const isOfAll = (error: unknown) =>
  outageOf(error) !== undefined && codeOf(error) !== LOCK_NOT_AVAILABLE

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const isGranted = (outcome: GrantOutcome): outcome is Exclude<GrantOutcome, Failure> =>
  !(outcome instanceof Failure)
