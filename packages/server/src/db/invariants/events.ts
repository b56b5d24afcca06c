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
  // A merge continues from the higher of two numbers.
  'the events about a reader that are kept are counted without a gap': sql`
    select e.aid, e.uid, e.sequence from events e where e.type <> 'user.merged'
      and exists (select 1 from events f
        where f.aid = e.aid and f.uid = e.uid and f.sequence < e.sequence)
      and not exists (select 1 from events f
        where f.aid = e.aid and f.uid = e.uid and f.sequence = e.sequence - 1)
    union all select e.aid, e.uid, e.sequence from events e
    where (e.uid is null) <> (e.sequence is null)
      or (e.uid is not null and not exists (select 1 from event_sequences s
        where s.aid = e.aid and s.uid = e.uid and s.sequence >= e.sequence))`,
  'the events about a reader have positions in the order of their sequence': sql`
    select e.aid, e.uid, e.sequence from events e
    join events f on f.aid = e.aid and f.uid = e.uid and f.sequence = e.sequence - 1
    where e.position is not null and (f.position is null or f.position >= e.position)`,
}
