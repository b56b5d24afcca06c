import type { Lookup } from '../../db/sqlite/lookup.ts'
import { detailsJoinSql } from '../access/details.ts'
import { uidByRefSql } from '../users/user-ref.ts'
import { HELD_PASSES_SQL, LEAPS_SQL } from './records.ts'

/** Builds the result of a lookup for a record: one text, as an SQL expression of the columns of `a` (access), `u`
 * (users) and `p` (applications), the requested rid, and the pass that opens it, if the record is that of a pass. */
type ResultBuilder = (rid: string, via?: string) => string

export interface LookupColumns {
  sqlite: ResultBuilder
  postgres: ResultBuilder
}

/**
 * Builds the queries that find the same records as `findOpenAccess`, by aid, rid, user_ref and time, and expired records
 * of the resource itself if there is no other.
 */
export const accessLookup = ({ sqlite, postgres }: LookupColumns): Lookup => ({
  sqlite: sqliteQueries(sqlite),
  postgres: [postgresDirect(postgres), postgresAll(postgres)],
})

/**
 * The first query looks for a record that was granted with exactly this user_ref, which is nearly always the case and
 * takes one index. That is enough to know whose record it is: the database guarantees that the user_ref of a record
 * names the record's own user. The second query looks the user up first, and so also finds a record that was granted
 * without a user_ref or with another one of the same user. The third looks for passes, the last for an expired record.
 */
function sqliteQueries(resultOf: ResultBuilder): string[] {
  const uid = uidByRefSql('?1', '?3')
  const direct = `select ${resultOf('?2')} from access a ${detailsJoinSql('cross join')}
    where a.aid = ?1 and a.rid = ?2 and a.revoked is null`
  const isLive = 'a.ends > cast(?4 as integer)'
  return [
    `${direct} and a.user_ref = ?3 and ${isLive}`,
    `${direct} and a.uid = ${uid} and ${isLive}`,
    `with recursive keys (n, aid, uid, rid) as (select 0, ?1, ${uid}, ?2
      where exists (select 1 from pass_entries e where e.aid = ?1)), ${LEAPS_SQL}
    select ${resultOf('?2', 'a.rid')} from (
      select a.aid, a.id from ${HELD_PASSES_SQL} and ${isLive} order by a.ends desc, a.rid limit 1
    ) f cross join access a ${detailsJoinSql('cross join')}
    where a.aid = f.aid and a.id = f.id`,
    `${direct} and a.uid = ${uid} and not ${isLive}`,
  ]
}

/**
 * The keys that are asked for. PostgreSQL plans a prepared statement anew for each execution while it takes that plan to
 * be cheaper than a general one, and with the arrays at hand it always does: they are shorter than it assumes in general.
 * Planning took six times as long as the lookup. From a subquery it can't see their lengths: both plans then cost the
 * same, and from the sixth execution on it uses the general one.
 */
const POSTGRES_KEYS = `unnest((select $1::text[]), (select $2::text[]), (select $3::text[]),
  (select $4::bigint[])) with ordinality as k (aid, rid, ref, now, n)`

/**
 * Finds the live record of the resource itself, which is nearly all that is asked for. An application without passes is
 * answered here too; an empty text is "none". The other keys are left to the second query, which takes longer.
 */
const postgresDirect = (resultOf: ResultBuilder): string => `select k.n,
  case when a.ends > k.now or (select min(e.size) from pass_entries e where e.aid = k.aid) is null
    then coalesce(${resultOf('a.rid')}, '') end as found
  from ${POSTGRES_KEYS}
  left join access a on a.aid = k.aid and a.rid = k.rid and a.revoked is null
    and a.uid = ${uidByRefSql('k.aid', 'k.ref')}
  ${detailsJoinSql('left join')}`

/** Looks for everything, once more for the record itself: between the two queries, it may have been granted while a
 * pass was revoked. */
const postgresAll = (resultOf: ResultBuilder): string => `with recursive
  asked as (select * from ${POSTGRES_KEYS}),
  keys (n, aid, uid, rid, now) as (
    select n, aid, ${uidByRefSql('k.aid', 'k.ref')}, rid, now from asked k),
  ${LEAPS_SQL}
  select distinct on (f.n) f.n,
    case when f.via is null then ${resultOf('a.rid')} else ${resultOf('f.rid', 'f.via')} end as found
  from (
    select l.n, l.rid, a.aid, a.id, l.pass as via, 1 as place from ${HELD_PASSES_SQL}
      and a.ends > (select k.now from keys k where k.n = l.n)
    union all
    select k.n, k.rid, a.aid, a.id, null, case when a.ends > k.now then 0 else 2 end
    from keys k cross join access a
    where a.aid = k.aid and a.uid = k.uid and a.rid = k.rid and a.revoked is null
  ) as f join access a on a.aid = f.aid and a.id = f.id ${detailsJoinSql('join')}
  order by f.n, f.place, a.ends desc, a.rid`
