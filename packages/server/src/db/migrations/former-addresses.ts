import type { Migration } from '../migrations.ts'

/** The email addresses of users who were merged into another one. Those of earlier merges are not stored anywhere. */
export const formerAddresses: Migration = {
  name: '0027_former_addresses',
  statements: [
    `create table former_addresses (
      aid TEXT not null,
      email_key TEXT not null,
      email TEXT not null,
      uid TEXT not null,
      primary key (aid, email_key),
      foreign key (aid, uid) references users (aid, uid)
    )`,
    `create index former_addresses_by_user on former_addresses (aid, uid)`,
  ],
}
