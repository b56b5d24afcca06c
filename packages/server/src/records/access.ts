import { type Static, Type } from 'typebox'
import { FOREVER, type Seconds } from '../db/tables.ts'
import type { AccessRow } from '../domain/access/details.ts'
import { accessStateOf } from '../domain/access/state.ts'
import { toMajor } from '../domain/apps/currency.ts'
import type { OpenAccess } from '../domain/passes/records.ts'
import { declareRecord, pageSchema } from './declare.ts'
import { endOrNull } from './end.ts'
import { pickMinorMoney } from './money.ts'
import { contact_email, toContactEmail } from './user.ts'

const details = {
  id: Type.String({ description: 'ID of the access record.' }),
  aid: Type.String({ description: 'ID of the application.' }),
  rid: Type.String({ description: 'ID of the resource, as your site names it.' }),
  uid: Type.String({
    description:
      "Gatehouse's ID of the user, which never changes. Accepted wherever a `user_ref` is.",
  }),
  amount: Type.Number({
    description: 'Price paid, in major units of the currency; 0 for a grant.',
  }),
  currency: Type.String({ description: 'ISO 4217 code of the currency, such as `EUR`.' }),
  created: Type.Integer({ description: 'When access was granted, in seconds since 1970.' }),
  user_ref: Type.String({
    description: 'The `user_ref` of the last grant; the uid if it had none.',
  }),
  user_email: Type.String({
    description: "The user's verified email address; empty if there is none.",
  }),
  contact_email,
  tags: Type.Array(Type.String(), { description: 'Tags of the access record.' }),
  // Last, because the serializer writes optional fields after all others, in this order.
  expires: Type.Optional(
    Type.Integer({
      description:
        'When access ends, in seconds since 1970; left out for access without an end date.',
    }),
  ),
}

export const AccessDetails = declareRecord('AccessDetails', {
  ...details,
  via: Type.Optional(
    Type.String({
      description:
        'ID of the pass that gives access to the resource; left out if the record is of the resource itself. ' +
        'Searches, which list each record under its own `rid`, leave it out.',
    }),
  ),
})

export const RevokedAccess = declareRecord('RevokedAccess', {
  ...details,
  revoked: Type.Integer({ description: 'When access was revoked, in seconds since 1970.' }),
  refund: Type.Union([Type.Ref('Refund'), Type.Null()], {
    description: 'The newest refund of the access; null if nothing was refunded.',
  }),
  refunds: Type.Array(Type.Ref('Refund'), {
    description: 'All refunds of the access; empty if nothing was refunded.',
  }),
})

export const AccessPage = declareRecord('AccessPage', pageSchema('AccessDetails'))

export type AccessRecord = Static<typeof AccessDetails>

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
    contact_email: toContactEmail(row),
    tags: JSON.parse(row.tags) as string[],
    ...(row.ends === FOREVER ? {} : { expires: row.ends }),
  }
}

/** The record by which a resource is open, which may be that of a pass. `rid` is what was asked for. */
export function openAccessRecord({ access, via }: OpenAccess, rid: string): AccessRecord {
  return { ...accessRecord(access), rid, ...(via === undefined ? {} : { via }) }
}

/** The same with its state, for the command line. */
export function accessDetails(row: AccessRow, now: Seconds) {
  return {
    ...accessRecord(row),
    status: accessStateOf(row, now),
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
    paid:
      row.currency === null ? null : pickMinorMoney({ amount: row.amount, currency: row.currency }),
  }
}
