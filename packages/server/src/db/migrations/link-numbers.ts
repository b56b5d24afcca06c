import type { Migration } from '../migrations.ts'
import { addColumn, type NewColumn } from './prepared.ts'

const definition = 'INT not null default 0'
const COLUMNS: readonly NewColumn[] = ['users', 'outbox', 'checkouts'].map((table) => ({
  ...{ table, column: 'link_number', definition },
}))

/** The number that a reader's links carry, and the ones that were current when an email was addressed and when a
 * checkout led to links. Links of before have none, which counts as 0. */
export const linkNumbers: Migration = {
  name: '0030_link_numbers',
  columns: COLUMNS,
  statements: COLUMNS.map(addColumn),
}
