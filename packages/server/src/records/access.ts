import { FOREVER, type Seconds } from '../db/tables.ts'
import type { AccessRow } from '../domain/access/details.ts'
import { stateOf } from '../domain/access/why.ts'
import { toMajor } from '../domain/apps/currency.ts'
import { endOrNull } from './end.ts'
import { minorMoney } from './money.ts'
import type { AccessRecord } from './schemas.ts'

/** An access as the API returns it. The fast path writes the same in SQL: `http/r2/fast-path/access-lookup.ts`. */
export function accessRecord(row: AccessRow): AccessRecord {
  const currency = row.currency ?? row.app_currency
  return {
    id: row.id,
    aid: row.aid,
    rid: row.rid,
    uid: row.uid,
    amount: toMajor(row.amount, currency),
    currency,
    created: row.created,
    user_ref: row.user_ref ?? row.uid,
    user_email: row.email ?? '',
    tags: JSON.parse(row.tags) as string[],
    ...(row.ends === FOREVER ? {} : { expires: row.ends }),
  }
}

/** The same with its state, for the command line. */
export function accessDetails(row: AccessRow, now: Seconds) {
  return {
    ...accessRecord(row),
    status: stateOf(row, now),
    ...(row.revoked === null ? {} : { revoked: row.revoked }),
  }
}

/** The same for the dashboard: money in minor units, null for what is not there, and no uid in place of a reference. */
export function accessItem(row: AccessRow) {
  const { id, rid, uid, created, user_email: email, tags } = accessRecord(row)
  return {
    ...{ id, rid, uid, created, email, tags },
    user_ref: row.user_ref,
    expires: endOrNull(row.ends),
    revoked: row.revoked,
    paid: row.currency === null ? null : minorMoney({ amount: row.amount, currency: row.currency }),
  }
}
