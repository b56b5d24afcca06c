import type { Migration } from '../migrations.ts'

/** Which mail of an application is sent first. The index answers the claims of each priority on its own. */
export const mailPriority: Migration = {
  name: '0024_mail_priority',
  statements: [
    `alter table outbox add column priority INT not null default 0`,
    `drop index outbox_due`,
    `create index outbox_due on outbox (aid, priority, due) where status in ('queued', 'sending')`,
  ],
}
