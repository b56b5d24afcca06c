import { type Static, Type } from 'typebox'
import type { AccessRow } from '../../access/details.ts'
import { toMajor } from '../../apps/currency.ts'
import { FOREVER } from '../../db/tables.ts'
import type { UserRow } from '../../users/users.ts'

const details = {
  id: Type.String({ description: 'Public access ID.' }),
  aid: Type.String({ description: 'Application ID.' }),
  rid: Type.String({ description: 'Resource ID.' }),
  uid: Type.String({ description: "The service's user ID." }),
  amount: Type.Number({
    description: 'Price paid, in major units of the currency; 0 for a grant.',
  }),
  currency: Type.String({ description: 'ISO 4217.' }),
  created: Type.Integer({ description: 'When access was granted, in seconds.' }),
  expires: Type.Optional(
    Type.Integer({ description: 'When access ends, in seconds; left out when it never does.' }),
  ),
  user_ref: Type.String({ description: 'Reference of the last grant, or the uid.' }),
  user_email: Type.String({ description: "The user's e-mail address." }),
  tags: Type.Array(Type.String(), { description: 'Tags of the record.' }),
}

export const AccessDetails = Type.Object(details, {
  $id: 'AccessDetails',
  additionalProperties: false,
})
export type AccessDetails = Static<typeof AccessDetails>

export const Refund = Type.Object(
  {
    id: Type.String({ description: 'Refund ID.' }),
    amount: Type.Number({ description: 'In major units of the currency.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    status: Type.Union([
      Type.Literal('pending'),
      Type.Literal('succeeded'),
      Type.Literal('failed'),
    ]),
  },
  { $id: 'Refund', additionalProperties: false },
)

export const RevokedAccess = Type.Object(
  {
    ...details,
    revoked: Type.Integer({ description: 'When access was revoked, in seconds.' }),
    refund: Type.Union([Type.Ref('Refund'), Type.Null()], {
      description: 'The newest refund, or null where nothing was paid.',
    }),
    refunds: Type.Array(Type.Ref('Refund'), { description: 'All of them.' }),
  },
  { $id: 'RevokedAccess', additionalProperties: false },
)

export const AccessPage = Type.Object(
  {
    data: Type.Array(Type.Ref('AccessDetails'), { description: 'The records of this page.' }),
    total: Type.Integer({ description: 'Count of all matches.' }),
    page: Type.Integer({ description: 'The page, counted from 0.' }),
    pagesize: Type.Integer({ description: 'Records a page, as it was used.' }),
  },
  { $id: 'AccessPage', additionalProperties: false },
)

export const User = Type.Object(
  {
    uid: Type.String({ description: "The service's user ID." }),
    email: Type.String({ description: "The user's e-mail address." }),
    first_name: Type.String({ description: 'Empty if it is not known.' }),
    last_name: Type.String({ description: 'Empty if it is not known.' }),
  },
  { $id: 'User', additionalProperties: false },
)

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: 'What is wrong, for people.' }),
      code: Type.String({ description: 'What is wrong, for programs.' }),
      request_id: Type.String({ description: 'Name it when you ask for help.' }),
    }),
  },
  { $id: 'Error', additionalProperties: false },
)

export function showAccess(row: AccessRow): AccessDetails {
  const currency = row.currency ?? row.app_currency
  return {
    id: row.id,
    aid: row.aid,
    rid: row.rid,
    uid: row.uid,
    amount: toMajor(row.amount, currency),
    currency,
    created: row.created,
    ...(row.ends === FOREVER ? {} : { expires: row.ends }),
    user_ref: row.user_ref ?? row.uid,
    user_email: row.email ?? '',
    tags: JSON.parse(row.tags) as string[],
  }
}

export function showUser(row: UserRow): Static<typeof User> {
  const { uid, first_name, last_name } = row
  return { uid, email: row.email ?? '', first_name, last_name }
}
