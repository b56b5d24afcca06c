import type { Lookup } from '../db/lookup.ts'

/** The uid that a reference names: the rule of `uidOfRef`. */
const uidOf = (aid: string, ref: string) => `coalesce(
  (select r.uid from user_refs r where r.aid = ${aid} and r.ref = ${ref}),
  (select n.uid from users n where n.aid = ${aid} and n.uid = ${ref} and not exists (
    select 1 from user_refs o where o.aid = ${aid} and o.uid = ${ref})))`

/** What is wanted of a record, in the words of each engine: one text, of `a` from access, `u` from users and
 * `p` from applications. */
export interface Wanted {
  sqlite: string
  postgres: string
}

/**
 * What `findAccess` finds, live or expired, for keys of aid, rid and user_ref. A record that shows a
 * reference is of the user whom it names: most are found by it in one step. Others have been granted
 * without one, or with another.
 */
export function lookupOfAccess(wanted: Wanted): Lookup {
  const sqlite = `select ${wanted.sqlite} from access a
    cross join users u on u.aid = a.aid and u.uid = a.uid
    cross join applications p on p.aid = a.aid
    where a.aid = ?1 and a.rid = ?2 and a.revoked is null`
  return {
    sqlite: [`${sqlite} and a.user_ref = ?3`, `${sqlite} and a.uid = ${uidOf('?1', '?3')}`],
    postgres: `select k.n, ${wanted.postgres} as found
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (aid, rid, ref, n)
      join access a on a.aid = k.aid and a.rid = k.rid and a.revoked is null
        and a.uid = ${uidOf('k.aid', 'k.ref')}
      join users u on u.aid = a.aid and u.uid = a.uid
      join applications p on p.aid = a.aid`,
  }
}
