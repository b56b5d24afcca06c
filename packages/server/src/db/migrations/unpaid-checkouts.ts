import type { Migration } from '../migrations.ts'
import { addIndexes, buildIndexes, type NewIndex } from './prepared.ts'

const onUnpaid = (column: string, key: string) =>
  `checkouts (aid, ${key}) where status <> 'paid' and ${column} is not null`

/** The key of an address with anything but ASCII letters, digits and `@._+-` is empty: SQL can't lower other letters. */
const plainEmail = (column: string) => `(case
  when ltrim(lower(${column}), 'abcdefghijklmnopqrstuvwxyz0123456789@._+-') = ''
  then lower(${column}) else '' end)`

const INDEXES: readonly NewIndex[] = [
  { name: 'checkouts_unpaid_ref', on: onUnpaid('user_ref', 'user_ref') },
  { name: 'checkouts_unpaid_subscription', on: onUnpaid('subscription_id', 'subscription_id') },
  { name: 'checkouts_unpaid_vouched', on: onUnpaid('vouched_email', plainEmail('vouched_email')) },
  { name: 'checkouts_unpaid_typed', on: onUnpaid('typed_email', plainEmail('typed_email')) },
]

/** Finds the unpaid checkouts of one person, for exports and erasures. */
export const unpaidCheckouts: Migration = {
  name: '0026_unpaid_checkouts',
  online: buildIndexes(INDEXES),
  statements: addIndexes(INDEXES),
}
