import type { Lookup } from '../../db/sqlite/lookup.ts'
import { uidByRefSql } from '../users/user-ref.ts'
import { detailsJoinSql } from './details.ts'

/** The SQL expression to select, for each engine: one text value built from `a` (access), `u`
 * (users) and `p` (applications). */
export interface LookupColumns {
  sqlite: string
  postgres: string
}

/**
 * Finds the same records as `findAccess`, live or expired, for keys of aid, rid and user_ref. The database guarantees
 * that an access record shows a reference or an alias of its own user, so the first SQLite query finds most records
 * by one index. The second finds records that show no reference, or another one.
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
