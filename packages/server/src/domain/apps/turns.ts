import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

type DueTable = keyof Tables & string

/** Rows that wait for a background job. */
export interface DueWork {
  /** Names the job. */
  name: string
  table: DueTable
  /** Whether a row is due; its columns are named without the table. An index on (aid, …) should answer it. */
  isDue: RawBuilder<boolean>
}

/** The applications that still have their turn, by job. */
const waiting = new WeakMap<EnvironmentDatabase, Map<string, string[]>>()

/**
 * Takes up to `limit` due rows, from one application after the other, so that an application with a million of them
 * doesn't delay the rest. The next call continues with the application that is next. `take` returns up to `count` rows
 * of one application.
 */
export async function takeInTurns<R>(
  database: EnvironmentDatabase,
  work: DueWork,
  limit: number,
  take: (aid: string, count: number) => Promise<readonly R[]>,
): Promise<R[]> {
  const turns = waiting.get(database) ?? new Map<string, string[]>()
  waiting.set(database, turns)
  const taken: R[] = []
  let queue = turns.get(work.name) ?? []
  let isListed = false
  let share = Math.ceil(limit / Math.max(1, queue.length))
  while (taken.length < limit) {
    if (queue.length === 0) {
      // Everyone had a turn.
      if (isListed) break
      queue = await listDueApplications(database.read, work)
      isListed = true
      share = Math.ceil(limit / Math.max(1, queue.length))
      turns.set(work.name, queue)
    }
    const aid = queue.shift()
    if (aid === undefined) break
    taken.push(...(await take(aid, Math.min(share, limit - taken.length))))
  }
  return taken
}

/** Reads up to `limit` due rows, shared among the applications as in `takeInTurns`; those of one application are sorted
 * by the columns in `order`. It claims nothing: another process may read the same rows. */
export async function readDueRows<N extends DueTable>(
  database: EnvironmentDatabase,
  work: DueWork & { table: N },
  limit: number,
  order: readonly (keyof Tables[N] & string)[],
): Promise<Selectable<Tables[N]>[]> {
  return await takeInTurns(database, work, limit, async (aid, count) => {
    const columns = sql.join(order.map((column) => sql.ref(column)))
    const { rows } = await sql<Selectable<Tables[N]>>`select * from ${sql.table(work.table)}
      where aid = ${aid} and ${work.isDue} order by ${columns} limit ${count}`.execute(
      database.read,
    )
    return rows
  })
}

/** Returns the smallest value of a column in waiting rows of any application. Like `listDueApplications`, it asks application
 * by application. */
export async function findEarliest<N extends DueTable>(
  db: Db,
  table: N,
  column: keyof Tables[N] & string,
  isWaiting: RawBuilder<boolean>,
): Promise<number | undefined> {
  const { rows } = await sql<{ earliest: number | null }>`select min((
    select min(${sql.ref(column)}) from ${sql.table(table)}
    where ${sql.table(table)}.aid = p.aid and ${isWaiting})) as earliest
    from applications p`.execute(db)
  return rows[0]?.earliest ?? undefined
}

/** Lists the applications that have due rows. It asks application by application, which costs one look at an index
 * each. */
export async function listDueApplications(
  db: Db,
  { table, isDue }: Omit<DueWork, 'name'>,
): Promise<string[]> {
  const { rows } = await sql<{ aid: string }>`select p.aid from applications p
    where exists (select 1 from ${sql.table(table)} where ${sql.table(table)}.aid = p.aid and ${isDue})
    order by p.aid`.execute(db)
  return rows.map(({ aid }) => aid)
}
