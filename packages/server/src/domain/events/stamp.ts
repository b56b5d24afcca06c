import { sql } from 'kysely'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'

/** How many events are numbered in one transaction. */
const BATCH_SIZE = 5_000

/**
 * Numbers the events of an application whose transactions have ended, and returns how many. Every reader of positions calls
 * it first. The row of the counter is locked, so that numbers appear in their order: who has seen number 7 will never
 * find a new number below it. The events of one reader keep the order of their sequence, whatever the clocks of the
 * machines said.
 */
export async function stampPositions(database: EnvironmentDatabase, aid: string): Promise<number> {
  let stamped = 0
  while (await hasUnstamped(database.read, aid)) {
    const some = await stampSome(database, aid)
    stamped += some
    if (some < BATCH_SIZE) break
  }
  return stamped
}

async function hasUnstamped(db: Db, aid: string): Promise<boolean> {
  const found = await db
    .selectFrom('events')
    .select('id')
    .where('aid', '=', aid)
    .where('position', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Lists the applications that have events without a position. */
export async function listUnstamped(db: Db): Promise<string[]> {
  const { rows } = await sql<{ aid: string }>`select p.aid from applications p where exists
    (select 1 from events e where e.aid = p.aid and e.position is null) order by p.aid`.execute(db)
  return rows.map(({ aid }) => aid)
}

/** Locks the counter of an application on both engines, as everything does that changes positions. */
export async function lockCounter(trx: Trx, aid: string) {
  return await trx
    .updateTable('event_counters')
    .set({ position: sql<number>`position` })
    .where('aid', '=', aid)
    .returning(['position', 'swept'])
    .executeTakeFirstOrThrow()
}

async function stampSome(database: EnvironmentDatabase, aid: string): Promise<number> {
  return await database.write(async (trx) => {
    await trx
      .insertInto('event_counters')
      .values({ aid, position: 0, swept: 0 })
      .onConflict((oc) => oc.column('aid').doNothing())
      .execute()
    const { position } = await lockCounter(trx, aid)
    // A statement of its own: on PostgreSQL it sees what was committed before the lock was given.
    const { rows } = await sql`with waiting as (
        select id, uid, sequence, created, max(created) over (
          partition by coalesce(uid, id) order by sequence) as turn
        from events where aid = ${aid} and position is null),
      numbered as (
        select id, row_number() over (order by turn, sequence, id) as n from waiting
        order by n limit ${BATCH_SIZE})
      update events set position = ${position} + n.n from numbered n
      where events.aid = ${aid} and events.id = n.id returning events.id`.execute(trx)
    await trx
      .updateTable('event_counters')
      .set({ position: position + rows.length })
      .where('aid', '=', aid)
      .execute()
    return rows.length
  })
}
