import type { Engine } from '../database.ts'
import type { Migration } from '../migrations.ts'
import { createTrigger } from '../trigger.ts'
import { addColumn, addIndexes, buildIndexes, type NewColumn, type NewIndex } from './prepared.ts'

const LOST_AMOUNT: NewColumn = {
  table: 'payments',
  column: 'lost_amount',
  definition: 'INT not null default 0',
}

const COLUMNS: readonly NewColumn[] = [
  LOST_AMOUNT,
  { ...LOST_AMOUNT, column: 'disputed_amount' },
  { ...LOST_AMOUNT, column: 'refundable_in_dispute' },
  { ...LOST_AMOUNT, column: 'access_left', definition: 'INT' },
  { table: 'test_ledger', column: 'disputed_amount', definition: 'INT' },
]

const INDEXES: readonly NewIndex[] = [
  {
    name: 'payments_lost',
    on: 'payments (aid, lost) where lost is not null',
    isReplacement: true,
  },
]

const CHANGE = `insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost)`

const IS_TAKEN = `status not in ('pending', 'failed')`

/** What disputes took of a payment that had not been refunded. */
const lostOf = (row: 'old' | 'new') => `case
  when ${row}.lost_amount > ${row}.amount - ${row}.refunded then ${row}.amount - ${row}.refunded
  else ${row}.lost_amount end`

/** The money of a payment, added (1) or subtracted (-1). */
const moneyOfPayment = (row: 'old' | 'new', n: 1 | -1) => `
  select ${row}.aid, ${row}.currency, ${row}.rid, coalesce(${row}.settled, ${row}.created),
    ${n} * ${row}.amount, ${n}, 0, 0 where ${row}.${IS_TAKEN}
  union all select ${row}.aid, ${row}.currency, ${row}.rid,
    coalesce(${row}.lost, ${row}.settled, ${row}.created),
    0, 0, 0, ${n} * ${lostOf(row)} where ${row}.lost_amount > 0`

const SUMMED = ['amount', 'refunded', 'settled', 'lost', 'lost_amount']
const changed = SUMMED.map(
  (column) => `coalesce(old.${column}, -1) <> coalesce(new.${column}, -1)`,
).join(' or ')

const dropTriggers = ['payments_summed', 'payments_summed_again'].flatMap(
  (name): Partial<Record<Engine, string>>[] => [
    { sqlite: `drop trigger ${name}`, postgres: `drop trigger ${name} on payments` },
    { postgres: `drop function ${name}()` },
  ],
)

/** A dispute may be about a part of a payment, and a lost one can be won on appeal: the amounts are stored, and what is
 * lost no longer depends on the status. */
export const partialDisputes: Migration = {
  name: '0037_partial_disputes',
  columns: COLUMNS,
  online: buildIndexes(INDEXES),
  statements: [
    ...dropTriggers,
    ...COLUMNS.map(addColumn),
    `update payments set lost_amount = amount where status = 'lost'`,
    `update payments set disputed_amount = amount where status = 'disputed'`,
    ...addIndexes(INDEXES),
    ...createTrigger(
      'payments_summed',
      'after insert on payments',
      `new.${IS_TAKEN}`,
      `${CHANGE} ${moneyOfPayment('new', 1)}`,
    ),
    ...createTrigger(
      'payments_summed_again',
      `after update of status, ${SUMMED.join(', ')} on payments`,
      `old.status <> new.status or ${changed}`,
      `${CHANGE} ${moneyOfPayment('old', -1)} union all ${moneyOfPayment('new', 1)}`,
    ),
  ],
}
