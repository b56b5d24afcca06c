import { sql } from 'kysely'
import { pushTo } from '../../push-to.ts'
import type { Db } from '../database.ts'
import { padList } from '../queries/pad-list.ts'
import { FOREVER, type Seconds } from '../tables.ts'

/** A reader who has access to something else than the last `user.access_changed` about them says. */
export interface StaleState {
  aid: string
  uid: string
  event: string
  /** Access records with their ends that only the event, or only the reader, has. */
  onlyTold: string[]
  onlyHeld: string[]
}

/** How many readers are compared at a time. */
const BATCH_SIZE = 500

interface Told {
  uid: string
  /** The id of the event. */
  id: string
  body: string
}

/**
 * Finds readers whose last kept `user.access_changed` differs from what they have now. What has ended since by the clock
 * alone doesn't differ, and a list that was cut tells a part. Readers are left out who were changed by a silent import
 * since, whose events are no longer kept, or who were merged or erased.
 */
export async function findStaleStates(db: Db, now: Seconds, limit: number): Promise<StaleState[]> {
  const stale: StaleState[] = []
  const { rows } = await sql<{ aid: string }>`select aid from applications order by aid`.execute(db)
  for (const { aid } of rows) {
    for (let after = ''; stale.length < limit; ) {
      const told = await listLastTold(db, aid, after)
      const held = await listHeld(db, aid, told, now)
      stale.push(...told.flatMap((one) => compare(aid, one, held.get(one.uid) ?? [], now) ?? []))
      if (told.length < BATCH_SIZE) break
      after = told.at(-1)?.uid ?? ''
    }
  }
  return stale.slice(0, limit)
}

async function listLastTold(db: Db, aid: string, after: string): Promise<Told[]> {
  const { rows } = await sql<Told>`select s.uid, e.id, e.body from event_sequences s
    join users u on u.aid = s.aid and u.uid = s.uid and u.erased is null
    join events e on e.aid = s.aid and e.uid = s.uid and e.sequence = (
      select max(f.sequence) from events f
      where f.aid = s.aid and f.uid = s.uid and f.type = 'user.access_changed')
    where s.aid = ${aid} and s.uid > ${after}
      and (s.silent_at is null or s.silent_at < e.sequence)
    order by s.uid limit ${sql.lit(BATCH_SIZE)}`.execute(db)
  return rows
}

/** The live access of readers: the id and the end of each record. */
async function listHeld(
  db: Db,
  aid: string,
  told: readonly Told[],
  now: Seconds,
): Promise<Map<string, string[]>> {
  const held = new Map<string, string[]>()
  if (told.length === 0) return held
  const uids = sql.join(padList(told.map(({ uid }) => uid)))
  const { rows } = await sql<{ uid: string; id: string; ends: Seconds }>`
    select uid, id, ends from access
    where aid = ${aid} and uid in (${uids}) and revoked is null and ends > ${now}`.execute(db)
  for (const { uid, id, ends } of rows) pushTo(held, uid, `${id} ${ends}`)
  return held
}

interface ToldBody {
  data: { entitlements?: { access_id: string; until?: Seconds }[]; more: boolean }
}

function compare(
  aid: string,
  { uid, id, body }: Told,
  held: readonly string[],
  now: Seconds,
): StaleState | undefined {
  const { entitlements = [], more } = (JSON.parse(body) as ToldBody).data
  const told = entitlements
    .filter(({ until = FOREVER }) => until > now)
    .map(({ access_id, until = FOREVER }) => `${access_id} ${until}`)
  const onlyTold = told.filter((one) => !held.includes(one))
  const onlyHeld = more ? [] : held.filter((one) => !told.includes(one))
  if (onlyTold.length + onlyHeld.length === 0) return undefined
  return { aid, uid, event: id, onlyTold, onlyHeld }
}
