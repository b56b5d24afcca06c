import type { Engine } from '../database.ts'
import type { Migration } from '../migrations.ts'
import { createTrigger } from '../trigger.ts'
import { addIndexes, buildIndexes, type NewIndex } from './prepared.ts'

/** The columns that are added up. */
const COLUMNS = 'taken, sales, refunded, lost'
const COLUMN_SUMS = 'sum(taken), sum(sales), sum(refunded), sum(lost)'

const CHANGE = `insert into revenue_changes (aid, currency, rid, at, ${COLUMNS})`

const IS_TAKEN = `status not in ('pending', 'failed')`

/** The money of a payment, added (1) or subtracted (-1). */
const moneyOfPayment = (row: 'old' | 'new', n: 1 | -1) => `
  select ${row}.aid, ${row}.currency, ${row}.rid, coalesce(${row}.settled, ${row}.created),
    ${n} * ${row}.amount, ${n}, 0, 0 where ${row}.${IS_TAKEN}
  union all select ${row}.aid, ${row}.currency, ${row}.rid,
    coalesce(${row}.lost, ${row}.settled, ${row}.created),
    0, 0, 0, ${n} * (${row}.amount - ${row}.refunded) where ${row}.status = 'lost'`

const moneyOfRefund = (row: 'old' | 'new', n: 1 | -1) => `
  select p.aid, p.currency, p.rid, coalesce(${row}.settled, ${row}.created),
    0, 0, ${n} * ${row}.amount, 0
  from payments p where p.aid = ${row}.aid and p.id = ${row}.payment_id
    and ${row}.status = 'succeeded'`

const changed = (columns: readonly string[]) =>
  columns.map((column) => `coalesce(old.${column}, -1) <> coalesce(new.${column}, -1)`).join(' or ')

const TRIGGERS = [
  ['payments', 'payments_summed'],
  ['payments', 'payments_summed_again'],
  ['refunds', 'refunds_summed'],
  ['refunds', 'refunds_summed_again'],
] as const

const dropTriggers = TRIGGERS.flatMap(([table, name]): Partial<Record<Engine, string>>[] => [
  { sqlite: `drop trigger ${name}`, postgres: `drop trigger ${name} on ${table}` },
  { postgres: `drop function ${name}()` },
])

/** Not called `revenue_sums`: a process of an earlier version would add up all sizes. */
const TOTALS = `create table revenue_totals (
  aid TEXT not null,
  currency TEXT not null,
  size INT not null,
  at INT not null,
  rid TEXT not null,
  taken INT not null,
  sales INT not null,
  refunded INT not null,
  lost INT not null,
  primary key (aid, currency, size, at, rid)
)`

const changesTable = (id: string) => `create table revenue_changes (
  aid TEXT not null,
  id TEXT not null default ${id},
  currency TEXT not null,
  rid TEXT not null,
  at INT not null,
  taken INT not null,
  sales INT not null,
  refunded INT not null,
  lost INT not null,
  primary key (aid, id)
)`

/** Adds up sums that were kept before to larger ones, which begin together with one of them. */
const enlarge = (size: number, isKept: string) => `
  select aid, currency, ${size}, at - at % ${size}, rid, ${COLUMN_SUMS}
  from kept_sums where ${isKept} group by aid, currency, at - at % ${size}, rid`

const INDEXES: readonly NewIndex[] = [
  { name: 'payments_lost', on: `payments (aid, lost) where status = 'lost'` },
  // Erased people too, whose payments are part of a list by name.
  {
    name: 'users_by_title',
    on: `users (aid,
      lower(coalesce(nullif(trim(first_name || ' ' || last_name), ''), email, contact_email, '')), uid)`,
    isReplacement: true,
  },
  // For readers with several subscriptions to a resource, with all that decides who is back, and what that is worth.
  {
    name: 'subscriptions_of_reader',
    on: `subscriptions (aid, uid, rid,
      created, trial_ends, periods, ended, id, currency, period, amount)`,
  },
]

/** Payments append what they change, and a worker adds it up. Before, each payment updated the sums itself, so that the payments of
 * an application waited for each other on PostgreSQL. Larger sums make long ranges fast to read. */
export const revenueChanges: Migration = {
  name: '0022_revenue_changes',
  online: buildIndexes(INDEXES),
  statements: [
    ...dropTriggers,
    // The history of a payment that was lost long ago may not tell when.
    `update payments set lost = coalesce(settled, created) where status = 'lost' and lost is null`,
    ...addIndexes(INDEXES),
    `create temporary table kept_sums as select * from revenue_sums`,
    `drop table revenue_sums`,
    { sqlite: `${TOTALS} without rowid`, postgres: TOTALS },
    `insert into revenue_totals (aid, currency, size, at, rid, ${COLUMNS})
      ${enlarge(900, "rid = ''")}
      union all ${enlarge(86_400, "rid = ''")}
      union all ${enlarge(691_200, "rid <> ''")}
      union all ${enlarge(5_529_600, "rid <> ''")}`,
    `drop table kept_sums`,
    {
      sqlite: `${changesTable('(hex(randomblob(8)))')} without rowid`,
      postgres: changesTable('gen_random_uuid()'),
    },
    ...createTrigger(
      'payments_summed',
      'after insert on payments',
      `new.${IS_TAKEN}`,
      `${CHANGE} ${moneyOfPayment('new', 1)}`,
    ),
    ...createTrigger(
      'payments_summed_again',
      'after update of status, amount, refunded, settled, lost on payments',
      `old.status <> new.status or ${changed(['amount', 'refunded', 'settled', 'lost'])}`,
      `${CHANGE} ${moneyOfPayment('old', -1)} union all ${moneyOfPayment('new', 1)}`,
    ),
    ...createTrigger(
      'refunds_summed',
      'after insert on refunds',
      `new.status = 'succeeded'`,
      `${CHANGE} ${moneyOfRefund('new', 1)}`,
    ),
    ...createTrigger(
      'refunds_summed_again',
      'after update of status, amount, settled on refunds',
      `old.status <> new.status or ${changed(['amount', 'settled'])}`,
      `${CHANGE} ${moneyOfRefund('old', -1)} union all ${moneyOfRefund('new', 1)}`,
    ),
  ],
}
