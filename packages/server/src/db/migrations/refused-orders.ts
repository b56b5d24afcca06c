import type { Migration } from '../migrations.ts'
import { addColumn, type NewColumn } from './prepared.ts'

const REFUSALS = 'INT not null default 0'

const COLUMNS: readonly NewColumn[] = [
  { table: 'payments', column: 'refusals', definition: REFUSALS },
  { table: 'payments', column: 'last_error', definition: 'TEXT' },
  { table: 'payments', column: 'deadline', definition: 'INT' },
  { table: 'refunds', column: 'refusals', definition: REFUSALS },
]

/** How often the provider has refused an order, why a payment waits, and when its subscription ends if it still does. */
export const refusedOrders: Migration = {
  name: '0034_refused_orders',
  columns: COLUMNS,
  statements: [
    ...COLUMNS.map(addColumn),
    // Renewals that wait at the time of the upgrade end with the access that they keep open.
    `update payments set deadline = (select s.ends from sources s
        where s.aid = payments.aid and s.subscription_id = payments.subscription_id and s.closed is null)
      where status = 'pending' and subscription_id is not null`,
  ],
}
