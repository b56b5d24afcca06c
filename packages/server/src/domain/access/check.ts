import type { Lookup } from '../../db/sqlite/lookup.ts'
import { uidByRefSql } from '../users/user-ref.ts'
import { detailsJoinSql } from './details.ts'

/** What a lookup returns for a record, as an SQL expression for each engine: one text, made from the columns of `a`
 * (access), `u` (users) and `p` (applications). */
export interface LookupColumns {
  sqlite: string
  postgres: string
}

/**
 * Builds the queries that find the same records as `findAccess`, live or expired, by aid, rid and user_ref.
 *
 * On SQLite, the first query looks for a record that was granted with exactly this user_ref, which is nearly always the
 * case and takes one index. That is enough to know whose record it is: the database guarantees that the user_ref of a
 * record names the record's own user. The second query runs if the first finds nothing. It looks the user up first, and
 * so also finds a record that was granted without a user_ref or with another one of the same user.
 */
export function accessLookup(wanted: LookupColumns): Lookup {
  const sqlite = `select ${wanted.sqlite} from access a
    ${detailsJoinSql('cross join')}
    where a.aid = ?1 and a.rid = ?2 and a.revoked is null`
  return {
    sqlite: [`${sqlite} and a.user_ref = ?3`, `${sqlite} and a.uid = ${uidByRefSql('?1', '?3')}`],
    postgres: `select k.n, ${wanted.postgres} as found
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (aid, rid, ref, n)
      join access a on a.aid = k.aid and a.rid = k.rid and a.revoked is null
        and a.uid = ${uidByRefSql('k.aid', 'k.ref')}
      ${detailsJoinSql('join')}`,
  }
}
