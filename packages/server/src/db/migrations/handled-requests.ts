import type { Migration } from '../migrations.ts'

/** Requests that took effect, so that a repetition of one can be told from a new one. */
export const handledRequests: Migration = {
  name: '0021_handled_requests',
  statements: [
    `create table handled_requests (
      aid TEXT not null references applications (aid),
      digest TEXT not null,
      kind TEXT not null,
      content TEXT not null,
      uid TEXT,
      status INT,
      body TEXT,
      lease_until INT,
      ends INT not null,
      primary key (aid, digest)
    )`,
    // Old ones are deleted.
    `create index handled_requests_by_end on handled_requests (aid, ends)`,
    `create index handled_requests_by_user on handled_requests (aid, uid) where uid is not null`,
    `alter table applications add column require_ts INT not null default 0`,
  ],
}
