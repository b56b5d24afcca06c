import type { Migration } from '../migrations.ts'
import { addColumn, addIndexes, buildIndexes, type NewColumn, type NewIndex } from './prepared.ts'

const CLOCK_OFFSET: NewColumn = {
  table: 'outbox',
  column: 'clock_offset',
  definition: 'INT not null default 0',
}

const INDEXES: readonly NewIndex[] = [
  // For lists and counts by day of all access ever granted: the indexes by creation time leave revoked records out.
  {
    name: 'access_revoked_created',
    on: 'access (aid, created desc, id) where revoked is not null',
  },
  // For the subscriptions that renew their access, which the overview counts apart.
  {
    name: 'subscriptions_renewing',
    on: `subscriptions (aid, access_id)
      where status in ('trialing', 'active') and method is not null`,
  },
  // Every list is searched by name, in the order of the index: many people have the same first name.
  { name: 'users_by_first_name', on: `users (aid, first_name, uid) where first_name <> ''` },
  { name: 'users_by_last_name', on: `users (aid, last_name, uid) where last_name <> ''` },
]

/**
 * Tables that let a publisher sell alone: a brand, uploaded images, templates for every mail, and any number of files per
 * resource.
 */
export const selling: Migration = {
  name: '0013_selling',
  columns: [CLOCK_OFFSET],
  online: buildIndexes(INDEXES),
  statements: [
    // An image is stored in several sizes, each a row of `files`. Its id is derived from its content.
    `create table images (
      aid TEXT not null references applications (aid),
      id TEXT not null,
      type TEXT not null,
      width INT not null,
      height INT not null,
      sizes TEXT not null,
      created INT not null,
      primary key (aid, id)
    )`,
    `alter table applications add column logo_id TEXT`,
    `alter table applications add column accent TEXT`,
    `alter table applications add column support_email TEXT`,
    `alter table applications add column legal_links TEXT not null default '{}'`,
    `alter table applications add column mail_templates TEXT not null default '{}'`,
    `alter table applications add column time_zone TEXT not null default 'UTC'`,
    `alter table resources add column image_id TEXT`,
    `alter table downloads add column image_id TEXT`,
    // Several downloads of a resource are listed by position; the API shows the first.
    `alter table downloads add column position INT not null default 0`,
    { postgres: `alter table downloads drop constraint downloads_aid_rid_key` },
    {
      rebuild: [
        {
          table: 'downloads',
          edits: [['unique (aid, rid),', '']],
          constraints: [],
          isOrderedByKey: false,
          withoutIndexes: [],
        },
      ],
    },
    `create index downloads_by_resource on downloads (aid, rid, position, id)`,
    addColumn(CLOCK_OFFSET),
    ...addIndexes(INDEXES),
    `drop index users_first_name`,
    `drop index users_last_name`,
  ],
}
