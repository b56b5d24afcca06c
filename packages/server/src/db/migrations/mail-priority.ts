import type { Migration } from '../migrations.ts'
import { addColumn, addIndexes, buildIndexes, type NewColumn, type NewIndex } from './prepared.ts'

const PRIORITY: NewColumn = {
  table: 'outbox',
  column: 'priority',
  definition: 'INT not null default 0',
}

const INDEXES: readonly NewIndex[] = [
  {
    name: 'outbox_due',
    on: `outbox (aid, priority, due) where status in ('queued', 'sending')`,
    isReplacement: true,
  },
]

/** Which mail of an application is sent first. The index answers the claims of each priority on its own. */
export const mailPriority: Migration = {
  name: '0024_mail_priority',
  columns: [PRIORITY],
  online: buildIndexes(INDEXES),
  statements: [addColumn(PRIORITY), ...addIndexes(INDEXES)],
}
