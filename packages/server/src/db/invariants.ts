import { sql } from 'kysely'
import type { Db } from './database.ts'
import { FOREVER, type Seconds } from './tables.ts'

/** A rule that does not hold, and an example of where. */
export interface Violation {
  rule: string
  rows: unknown[]
}

/** Each query finds the rows that break its rule; none may find any. Plain SQL, the same on both
 * databases, and apart from the code that it judges. */
function rules(now: Seconds) {
  return {
    'one unrevoked record per application, resource and user': sql`
      select aid, rid, uid from access where revoked is null group by aid, rid, uid having count(*) > 1`,
    'an e-mail address names one user of its application': sql`
      select aid, email_key from users where email_key is not null
      group by aid, email_key having count(*) > 1`,
    'a person has an address and its key, or was erased and has neither': sql`
      select aid, uid from users
      where (erased is null) <> (email is not null) or (email is null) <> (email_key is null)`,
    'a reference names a user of its own application': sql`
      select r.aid, r.ref from user_refs r
      left join users u on u.aid = r.aid and u.uid = r.uid where u.uid is null`,
    'a reference is nobody’s uid': sql`
      select r.aid, r.ref from user_refs r join users u on u.aid = r.aid and u.uid = r.ref`,
    'an access shows a reference of its own user': sql`
      select a.id from access a left join user_refs r on r.aid = a.aid and r.ref = a.user_ref
      where a.user_ref is not null and a.revoked is null and (r.uid is null or r.uid <> a.uid)`,
    'nothing hangs on a row of another application': sql`
      select s.id from sources s left join access a on a.aid = s.aid and a.id = s.access_id
      where a.id is null
      union all select t.access_id from access_tags t
      left join access a on a.aid = t.aid and a.id = t.access_id where a.id is null
      union all select a.id from access a
      left join users u on u.aid = a.aid and u.uid = a.uid
      left join resources r on r.aid = a.aid and r.rid = a.rid where u.uid is null or r.rid is null`,
    'everything belongs to an application of this environment': sql`
      select aid from (
        select aid from application_keys union select aid from resources union select aid from users
        union select aid from history union select aid from outbox) as named
      where aid not in (select aid from applications)`,
    'an access ends with the latest of its open sources': sql`
      select a.id, a.ends, max(s.ends) as latest from access a
      left join sources s on s.aid = a.aid and s.access_id = a.id and s.closed is null
      where a.revoked is null
      group by a.id, a.ends having max(s.ends) is null or max(s.ends) <> a.ends`,
    'a revoked access has no open source': sql`
      select a.id from access a join sources s on s.aid = a.aid and s.access_id = a.id
      where a.revoked is not null and s.closed is null`,
    'every access has the history row of its beginning': sql`
      select a.id from access a
      where not exists (select 1 from history h
        where h.aid = a.aid and h.access_id = a.id and h.action = 'granted')`,
    'every revoke has its history row': sql`
      select a.id from access a
      where a.revoked is not null and not exists (select 1 from history h
        where h.aid = a.aid and h.access_id = a.id and h.action = 'revoked')`,
    // A source that came by a merge has left its history with the record that it came from.
    'every grant of a source has its history row': sql`
      select s.id from sources s
      where s.closed is null and s.revision > (select count(*) from history h
        where h.aid = s.aid and h.access_id = s.access_id)
      and not exists (select 1 from history m
        where m.aid = s.aid and m.access_id = s.access_id and m.action = 'merged')`,
    // Not "like": an address may hold a % or a _.
    'history names nobody by e-mail': sql`
      select h.seq from history h join users u on u.aid = h.aid and u.uid = h.uid
      where replace(coalesce(h.before, '') || coalesce(h.after, ''), u.email, '')
        <> coalesce(h.before, '') || coalesce(h.after, '')`,
    'a grant that called for a mail has it in the outbox': sql`
      select s.id from sources s
      where s.closed is null and s.notified = 1 and not exists (select 1 from outbox o
        where o.aid = s.aid and o.key = 'grant:' || s.id || ':' || s.revision)`,
    'every mail that a change called for is in the outbox': sql`
      select h.seq, h.mail_key from history h left join outbox o on o.key = h.mail_key
      where h.mail_key is not null and (o.id is null or o.aid <> h.aid)`,
    'every mail was called for by one change': sql`
      select o.id from outbox o left join (
        select aid, mail_key, count(*) as calls from history
        where mail_key is not null group by aid, mail_key) as called
      on called.aid = o.aid and called.mail_key = o.key
      where called.calls is null or called.calls <> 1`,
    'a mail is sent exactly if it has a time of sending': sql`
      select id from outbox where (status = 'sent') <> (sent is not null)`,
    'a mail is leased exactly while it is being sent': sql`
      select id from outbox where (status = 'sending') <> (lease_token is not null)`,
    'amounts are whole and not negative, and free access has no currency': sql`
      select id from access where amount < 0 or (amount > 0 and currency is null)`,
    'no row is from the future': sql`
      select id from access where created > ${now} or revoked > ${now}
      union all select id from sources where created > ${now} or closed > ${now}
      union all select uid from users where created > ${now}
      union all select rid from resources where created > ${now}
      union all select access_id from history where at > ${now}`,
    'times are within their range': sql`
      select id from access where ends < 0 or ends > ${FOREVER} or created < 0 or revoked < created
      union all select id from sources where ends < 0 or ends > ${FOREVER} or closed < created`,
    'no application has more live keys than two': sql`
      select aid from application_keys where dies is null group by aid having count(*) > 2`,
  }
}

const MOST_EXAMPLES = 5

/** Everything that must always be true and is not. */
export async function findViolations(db: Db, now: Seconds): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const [rule, query] of Object.entries(rules(now))) {
    const { rows } =
      await sql`select * from (${query}) as broken limit ${sql.lit(MOST_EXAMPLES)}`.execute(db)
    if (rows.length > 0) violations.push({ rule, rows })
  }
  violations.push(...(await tagViolations(db)))
  return violations
}

/** Tags stand in two places: on the record for showing, in their table for searching. */
async function tagViolations(db: Db): Promise<Violation[]> {
  const { rows: records } = await sql<{ id: string; tags: string }>`
    select id, tags from access where tags <> '[]'`.execute(db)
  const { rows: indexed } = await sql<{ access_id: string; tag: string }>`
    select access_id, tag from access_tags`.execute(db)
  const found = new Set(indexed.map(({ access_id, tag }) => `${access_id} ${tag}`))
  const shown = new Set(
    records.flatMap(({ id, tags }) => (JSON.parse(tags) as string[]).map((tag) => `${id} ${tag}`)),
  )
  const broken = [
    ...[...shown].filter((pair) => !found.has(pair)),
    ...[...found].filter((pair) => !shown.has(pair)),
  ]
  if (broken.length === 0) return []
  const rule = 'the tags of a record are the tags that find it'
  return [{ rule, rows: broken.slice(0, MOST_EXAMPLES) }]
}
