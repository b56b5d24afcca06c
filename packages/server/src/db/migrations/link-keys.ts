import type { Migration } from '../migrations.ts'

/** The versions of the keys that sign readers' links, and when each stops to work; null for the one that signs. The keys
 * themselves are in `secrets`. An installation whose keys were never replaced has version 1, and no row. */
export const linkKeys: Migration = {
  name: '0033_link_keys',
  statements: [
    `create table link_keys (
      version INT not null,
      created INT not null,
      ends INT
    )`,
    // No primary key: on SQLite, a single number as one has no index that shows.
    `create unique index link_keys_version on link_keys (version)`,
  ],
}
