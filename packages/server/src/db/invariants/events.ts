import { sql } from 'kysely'

/** The rules of events; see invariants.ts. */
export const eventRules = {
  'the positions of events that are kept have no gap': sql`
    select c.aid from event_counters c where c.swept > c.position
      or c.position - c.swept <> (select count(*) from events e
        where e.aid = c.aid and e.position > c.swept and e.position <= c.position)
    union all select e.aid from events e where e.position is not null
      and not exists (select 1 from event_counters c
        where c.aid = e.aid and e.position > c.swept and e.position <= c.position)`,
  'the last event about a reader that is kept has the number of the reader': sql`
    select s.aid, s.uid, s.sequence from event_sequences s
    where s.sequence <> (select max(e.sequence) from events e
      where e.aid = s.aid and e.uid = s.uid)
    union all select e.aid, e.uid, e.sequence from events e
    where (e.uid is null) <> (e.sequence is null)
      or (e.uid is not null and not exists (select 1 from event_sequences s
        where s.aid = e.aid and s.uid = e.uid))`,
  'the events about a reader have positions in the order of their sequence': sql`
    select e.aid, e.uid, e.sequence from (
      select aid, uid, sequence, position, lag(coalesce(position, ${sql.lit(Number.MAX_SAFE_INTEGER)}))
        over (partition by aid, uid order by sequence) as earlier
      from events where uid is not null) e
    where e.earlier >= e.position`,
}
