import type { Migration } from '../migrations.ts'

/** Emails to staff, what each member wants to get, and the days whose digest was made. */
export const staffMail: Migration = {
  name: '0006_staff_mail',
  statements: [
    `create table staff_mails (
      id TEXT primary key,
      key TEXT not null unique,
      kind TEXT not null,
      staff_id TEXT references staff (id),
      aid TEXT references aids (aid),
      link_digest TEXT,
      payload TEXT not null,
      status TEXT not null,
      attempts INT not null,
      created_at INT not null,
      due_at INT not null,
      lease_token TEXT,
      lease_until INT,
      last_error TEXT,
      sent_at INT
    )`,
    `create index staff_mails_open on staff_mails (due_at) where status in ('queued', 'sending')`,
    `create index staff_mails_link on staff_mails (link_digest) where link_digest is not null`,
    `create index staff_mails_application on staff_mails (aid, kind, created_at)`,
    `create table staff_notifications (
      staff_id TEXT not null references staff (id),
      aid TEXT not null references aids (aid),
      kind TEXT not null,
      is_on INT not null,
      primary key (staff_id, aid, kind)
    )`,
    `create index staff_notifications_aid on staff_notifications (aid)`,
    `create table staff_digests (
      aid TEXT primary key references aids (aid),
      day TEXT not null
    )`,
  ],
}
