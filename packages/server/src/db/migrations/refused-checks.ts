import type { Migration } from '../migrations.ts'

/** The last access checks that were refused to each reader. */
export const refusedChecks: Migration = {
  name: '0018_refused_checks',
  statements: [
    `create table refused_checks (
      aid TEXT not null,
      uid TEXT not null,
      rid TEXT not null,
      code TEXT not null,
      since INT,
      via TEXT,
      first_at INT not null,
      last_at INT not null,
      times INT not null,
      primary key (aid, uid, rid, code),
      foreign key (aid, uid) references users (aid, uid)
    )`,
    // Old ones are deleted.
    `create index refused_checks_by_time on refused_checks (aid, last_at)`,
  ],
}
