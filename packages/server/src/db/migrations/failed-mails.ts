import type { Migration } from '../migrations.ts'

/**
 * Failed emails in the order of their list. The status, which all of them share, is part of the key because SQLite has no
 * statistics: of two indexes that begin with the application it may choose the one of all emails, but never over one that
 * more conditions fit.
 */
export const failedMails: Migration = {
  name: '0025_failed_mails',
  statements: [
    `drop index outbox_given_up`,
    `create index outbox_given_up on outbox (aid, status, created desc, id)
      where status = 'dead' and recipient <> ''`,
  ],
}
