import type { Lookup } from '../db/lookup.ts'
import type { AccessRow } from './details.ts'

/** One value in place of many: each that crosses over from a database costs as much as finding it. */
const COLUMNS =
  'a.id, a.aid, a.rid, a.uid, a.user_ref, a.amount, a.currency, a.created, a.ends, a.tags, ' +
  'u.email, p.currency'

const BESIDE = `cross join users u on u.aid = a.aid and u.uid = a.uid
  cross join applications p on p.aid = a.aid`

/** The uid that a reference names: the rule of `uidOfRef`. */
const uidOf = (aid: string, ref: string) => `coalesce(
  (select r.uid from user_refs r where r.aid = ${aid} and r.ref = ${ref}),
  (select n.uid from users n where n.aid = ${aid} and n.uid = ${ref} and not exists (
    select 1 from user_refs o where o.aid = ${aid} and o.uid = ${ref})))`

/**
 * What `findAccess` finds, live or expired, for keys of aid, rid and user_ref. A record that shows a
 * reference is of the user whom it names: most are found by it in one step. Others have been granted
 * without one, or with another.
 */
export const accessLookup: Lookup = {
  sqlite: [
    `select json_array(${COLUMNS}) from access a ${BESIDE}
      where a.aid = ?1 and a.user_ref = ?3 and a.rid = ?2 and a.revoked is null`,
    `select json_array(${COLUMNS}) from access a ${BESIDE}
      where a.aid = ?1 and a.rid = ?2 and a.revoked is null and a.uid = ${uidOf('?1', '?3')}`,
  ],
  postgres: `select k.n, json_build_array(${COLUMNS})::text as found
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (aid, rid, ref, n)
    join access a on a.aid = k.aid and a.rid = k.rid and a.revoked is null
      and a.uid = ${uidOf('k.aid', 'k.ref')}
    join users u on u.aid = a.aid and u.uid = a.uid
    join applications p on p.aid = a.aid`,
}

type Found = [
  id: string,
  aid: string,
  rid: string,
  uid: string,
  userRef: string | null,
  amount: number,
  currency: string | null,
  created: number,
  ends: number,
  tags: string,
  email: string | null,
  appCurrency: string,
]

/** The record in what was found. */
export function readFound(found: string): AccessRow {
  const row = JSON.parse(found) as Found
  const [id, aid, rid, uid, user_ref, amount, currency, created, ends, tags, email, app_currency] =
    row
  const shown = { id, aid, rid, uid, user_ref, amount, currency, created, ends, tags }
  return { ...shown, revoked: null, email, app_currency }
}
