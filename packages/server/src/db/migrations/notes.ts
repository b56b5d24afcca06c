import type { Migration } from '../migrations.ts'
import { addIndexes, buildIndexes, type NewIndex } from './prepared.ts'

const INDEXES: readonly NewIndex[] = [
  // People are sorted by what their line in the list begins with: the name, or the address if there is none.
  {
    name: 'users_by_title',
    on: `users (aid,
      lower(coalesce(nullif(trim(first_name || ' ' || last_name), ''), email, contact_email, '')), uid)
      where erased is null`,
  },
  // Amounts are compared within a currency.
  { name: 'payments_by_amount', on: 'payments (aid, currency, amount, id)' },
  { name: 'subscriptions_by_amount', on: 'subscriptions (aid, currency, amount, id)' },
  { name: 'subscriptions_by_period_end', on: 'subscriptions (aid, current_period_end, id)' },
]

/** Notes of staff about people, and the indexes by which staff sort their lists. */
export const notes: Migration = {
  name: '0015_notes',
  online: buildIndexes(INDEXES),
  statements: [
    `create table notes (
      aid TEXT not null,
      id TEXT not null,
      uid TEXT not null,
      text TEXT not null,
      actor TEXT not null,
      created INT not null,
      changed INT,
      changed_by TEXT,
      primary key (aid, id),
      foreign key (aid, uid) references users (aid, uid)
    )`,
    `create index notes_by_user on notes (aid, uid, created desc, id)`,
    ...addIndexes(INDEXES),
  ],
}
