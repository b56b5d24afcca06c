import type { Migration } from '../migrations.ts'
import { addIndexes, buildIndexes, type NewIndex } from './prepared.ts'

const INDEXES: readonly NewIndex[] = [
  {
    name: 'outbox_given_up',
    on: `outbox (aid, status, created desc, id)
      where status = 'dead' and recipient <> ''`,
    isReplacement: true,
  },
]

/**
 * Failed emails in the order of their list. The status, which all of them share, is part of the key because SQLite has no
 * statistics: of two indexes that begin with the application it may choose the one of all emails, but never over one that
 * more conditions fit.
 */
export const failedMails: Migration = {
  name: '0025_failed_mails',
  online: buildIndexes(INDEXES),
  statements: addIndexes(INDEXES),
}
