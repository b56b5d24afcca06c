import { sql } from 'kysely'
import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { listApplications } from '../apps/applications.ts'
import type { PaymentContext } from './context.ts'

const DAY_MS: Millis = 86_400_000
/** The days over which the provider counts, and for which the counts are kept. */
const SPAN_DAYS = 30
const KEPT_DAYS = 90

/** How long calls are counted in memory before they are written. On SQLite, a write empties the cache of the fast path. A
 * process that is killed loses the calls of this time. */
const PAUSE_MS: Millis = 60_000

/** From this share of the allowance on, staff are told. */
const HIGH_SHARE = 0.8

/** Counts the requests that are sent to the payment provider, in memory, and adds them to the counts of all processes. */
export interface ApiUsageCounter {
  /** Counts a request by its HTTP method. */
  count(method: string): void
  /** Stores what was counted. */
  flush(): Promise<void>
}

interface Counts {
  reads: number
  writes: number
}

export function createApiUsageCounter(
  database: EnvironmentDatabase,
  realTime: () => Millis,
): ApiUsageCounter {
  let counted = new Map<number, Counts>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const add = (day: number, { reads, writes }: Counts) => {
    const before = counted.get(day) ?? { reads: 0, writes: 0 }
    counted.set(day, { reads: before.reads + reads, writes: before.writes + writes })
  }

  async function writeAll(): Promise<void> {
    const all = counted
    if (all.size === 0) return
    counted = new Map()
    try {
      await storeCounts(database, all)
    } catch {
      // The outage is reported by code that needs the database. The counts are written with the next ones.
      for (const [day, counts] of all) add(day, counts)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll)
    return writing
  }

  return {
    count(method) {
      const isRead = method.toUpperCase() === 'GET'
      add(dayOf(realTime()), { reads: isRead ? 1 : 0, writes: isRead ? 0 : 1 })
      timer ??= setTimeout(flush, PAUSE_MS).unref()
    },
    flush,
  }
}

/** In UTC, as days since 1970. */
const dayOf = (realTime: Millis) => Math.floor(realTime / DAY_MS)

async function storeCounts(
  database: EnvironmentDatabase,
  counted: ReadonlyMap<number, Counts>,
): Promise<void> {
  await database.write(async (trx) => {
    for (const [day, counts] of counted) {
      await trx
        .insertInto('provider_calls')
        .values({ day, ...counts })
        .onConflict((conflict) =>
          conflict.column('day').doUpdateSet((eb) => ({
            reads: eb('provider_calls.reads', '+', counts.reads),
            writes: eb('provider_calls.writes', '+', counts.writes),
          })),
        )
        .execute()
    }
    const oldest = Math.max(...counted.keys()) - KEPT_DAYS
    await trx.deleteFrom('provider_calls').where('day', '<', oldest).execute()
  })
}

/** How much of the provider's allowance of reads was used in the last 30 days. */
export interface ApiUsage {
  reads: number
  allowed: number
  /** Whether little is left. */
  isHigh: boolean
}

/** Returns undefined if the provider allows any number of reads. */
export async function readApiUsage(
  { database, provider, clock, realTime }: PaymentContext,
  db: Db = database.read,
): Promise<ApiUsage | undefined> {
  const allowance = provider?.readAllowance
  if (!allowance) return undefined
  const reads = await countReads(db, realTime())
  const sales = await countSales(db, clock() - (SPAN_DAYS * DAY_MS) / 1000)
  const allowed = Math.max(allowance.minimum, sales * allowance.perSale)
  return { reads, allowed, isHigh: reads >= allowed * HIGH_SHARE }
}

async function countReads(db: Db, realTime: Millis): Promise<number> {
  const { reads } = await db
    .selectFrom('provider_calls')
    .select((eb) => eb.fn.sum<number | null>('reads').as('reads'))
    .where('day', '>', dayOf(realTime) - SPAN_DAYS)
    .executeTakeFirstOrThrow()
  return Number(reads ?? 0)
}

/** Counts the charges that succeeded in all applications, which share the account. */
async function countSales(db: Db, since: Seconds): Promise<number> {
  let sales = 0
  for (const { aid } of await listApplications(db)) {
    // Literals instead of parameters, so that both databases use the index of taken payments.
    const isTaken = sql<boolean>`status not in ('pending', 'failed') and settled >= ${since}`
    const { count } = await db
      .selectFrom('payments')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('aid', '=', aid)
      .where(isTaken)
      .executeTakeFirstOrThrow()
    sales += Number(count)
  }
  return sales
}
