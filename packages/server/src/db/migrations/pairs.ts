import type { Migration } from '../migrations.ts'

/** Which application of production belongs to which one of the sandbox. One row is the link in both directions, so
 * that a pair can't be one-sided; and neither application can be in a second pair. */
export const applicationPairs: Migration = {
  name: '0007_application_pairs',
  statements: [
    `create table application_pairs (
      production_aid TEXT primary key references aids (aid),
      sandbox_aid TEXT not null references aids (aid),
      created_at INT not null
    )`,
    `create unique index application_pairs_sandbox on application_pairs (sandbox_aid)`,
  ],
}
