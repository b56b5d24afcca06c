import type { Migration } from '../migrations.ts'
import { createTrigger } from '../trigger.ts'
import { addColumn, addIndexes, buildIndexes, type NewColumn, type NewIndex } from './prepared.ts'

/** The sums hold these columns of every change of money. */
const COLUMNS = 'taken, sales, refunded, lost'
const COLUMN_SUMS = 'sum(taken), sum(sales), sum(refunded), sum(lost)'

/** Adds money to the sums of its quarter of an hour, and of its resource and eight days. The order is always the same, so that
 * two transactions on PostgreSQL don't wait for each other. */
const addToSums = (money: string) => `
  insert into revenue_sums (aid, currency, rid, at, ${COLUMNS})
  select aid, currency, '', at - at % 900, ${COLUMN_SUMS} from (${money}) as quarters
  group by aid, currency, at - at % 900
  union all select aid, currency, rid, at - at % 691200, ${COLUMN_SUMS} from (${money}) as spans
  group by aid, currency, rid, at - at % 691200
  on conflict (aid, currency, rid, at) do update set
    taken = revenue_sums.taken + excluded.taken, sales = revenue_sums.sales + excluded.sales,
    refunded = revenue_sums.refunded + excluded.refunded, lost = revenue_sums.lost + excluded.lost`

const IS_TAKEN = `status not in ('pending', 'failed')`

/** The money of a payment, added (1) or subtracted (-1). */
const moneyOfPayment = (row: string, n: 1 | -1, from = '') => `
  select ${row}.aid as aid, ${row}.currency as currency, ${row}.rid as rid,
    coalesce(${row}.settled, ${row}.created) as at,
    ${n} * ${row}.amount as taken, ${n} as sales, 0 as refunded, 0 as lost
  ${from} where ${row}.${IS_TAKEN}
  union all select ${row}.aid, ${row}.currency, ${row}.rid,
    coalesce(${row}.lost, ${row}.settled, ${row}.created),
    0, 0, 0, ${n} * (${row}.amount - ${row}.refunded)
  ${from} where ${row}.status = 'lost'`

const moneyOfRefund = (row: string, n: 1 | -1, also = '') => `
  select p.aid as aid, p.currency as currency, p.rid as rid,
    coalesce(${row}.settled, ${row}.created) as at,
    0 as taken, 0 as sales, ${n} * ${row}.amount as refunded, 0 as lost
  from payments p ${also} where p.aid = ${row}.aid and p.id = ${row}.payment_id
    and ${row}.status = 'succeeded'`

const changed = (columns: readonly string[]) =>
  columns.map((column) => `coalesce(old.${column}, -1) <> coalesce(new.${column}, -1)`).join(' or ')

/** The dispute of a payment was lost when the history says so. */
const lostInHistory = (paymentAfter: string) => `
  with losses as materialized (
    select h.aid as aid, ${paymentAfter} as payment_id, max(h.at) as at from history h
    where h.action = 'dispute lost' group by h.aid, ${paymentAfter})
  update payments set lost = (select l.at from losses l
    where l.aid = payments.aid and l.payment_id = payments.id)
  where status = 'lost' and lost is null`

const LOST: NewColumn = { table: 'payments', column: 'lost', definition: 'INT' }
const FILL_LOST = {
  sqlite: lostInHistory(`json_extract(h.after, '$.payment')`),
  postgres: lostInHistory(`(h.after::json)->>'payment'`),
}

const INDEXES: readonly NewIndex[] = [
  // For the lists behind the figures, and for what the sums of resources leave out.
  {
    name: 'payments_taken',
    on: `payments (aid, settled desc, id, currency, rid, amount)
      where ${IS_TAKEN}`,
  },
  {
    name: 'payments_disputed',
    on: `payments (aid, created desc, id)
      where status in ('disputed', 'lost')`,
  },
  { name: 'refunds_settled', on: `refunds (aid, settled) where status = 'succeeded'` },
  {
    name: 'subscriptions_past_due',
    on: `subscriptions (aid, created desc, id)
      where status = 'past_due'`,
  },
  {
    name: 'subscriptions_ended',
    on: `subscriptions (aid, ended desc, id)
      where ended is not null`,
  },
  {
    name: 'subscriptions_trials',
    on: `subscriptions (aid, trial_ends)
      where trial_ends is not null`,
  },
  // In the order in which subscriptions are grouped by price, with all that decides whether one is counted.
  {
    name: 'subscriptions_priced',
    on: `subscriptions
      (aid, currency, period, amount, created, trial_ends, periods, ended)`,
  },
]

const SUMS = `create table revenue_sums (
  aid TEXT not null references applications (aid),
  currency TEXT not null,
  rid TEXT not null,
  at INT not null,
  taken INT not null,
  sales INT not null,
  refunded INT not null,
  lost INT not null,
  primary key (aid, currency, rid, at)
)`

/** Sums for the overview: a million payments are too many to read for every look at it. */
export const figures: Migration = {
  name: '0014_figures',
  columns: [LOST],
  online: [...buildIndexes(INDEXES), FILL_LOST.postgres],
  statements: [
    addColumn(LOST),
    ...addIndexes(INDEXES),
    FILL_LOST,
    { sqlite: `${SUMS} without rowid`, postgres: SUMS },
    addToSums(`${moneyOfPayment('b', 1, 'from payments b')}
      union all ${moneyOfRefund('r', 1, 'cross join refunds r')}`),
    ...createTrigger(
      'payments_summed',
      'after insert on payments',
      `new.${IS_TAKEN}`,
      addToSums(moneyOfPayment('new', 1)),
    ),
    ...createTrigger(
      'payments_summed_again',
      'after update of status, amount, refunded, settled, lost on payments',
      `old.status <> new.status or ${changed(['amount', 'refunded', 'settled', 'lost'])}`,
      addToSums(`${moneyOfPayment('old', -1)} union all ${moneyOfPayment('new', 1)}`),
    ),
    ...createTrigger(
      'refunds_summed',
      'after insert on refunds',
      `new.status = 'succeeded'`,
      addToSums(moneyOfRefund('new', 1)),
    ),
    ...createTrigger(
      'refunds_summed_again',
      'after update of status, amount, settled on refunds',
      `old.status <> new.status or ${changed(['amount', 'settled'])}`,
      addToSums(`${moneyOfRefund('old', -1)} union all ${moneyOfRefund('new', 1)}`),
    ),
  ],
}
