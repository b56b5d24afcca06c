import type { Migration } from '../migrations.ts'

/** Events that staff may want to hear of, until they are put into emails. */
export const notices: Migration = {
  name: '0017_notices',
  statements: [
    `create table notices (
      aid TEXT not null references applications (aid),
      id TEXT not null,
      kind TEXT not null,
      event TEXT not null,
      rid TEXT not null,
      subject_id TEXT not null,
      amount INT not null,
      currency TEXT not null,
      at INT not null,
      created INT not null,
      bundle TEXT,
      primary key (aid, id)
    )`,
    `create index notices_by_kind on notices (aid, kind, created)`,
  ],
}
