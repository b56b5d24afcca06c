import type { Migration } from '../migrations.ts'

/** One second past the last time that a client may name: access that ends then has no end. */
const FOREVER = 253402300800

/** What happened, for the sites that want to hear of it. */
export const events: Migration = {
  name: '0020_events',
  statements: [
    // A row is numbered by `position` after its transaction has ended: until then nobody knows its place.
    `create table events (
      aid TEXT not null references applications (aid),
      id TEXT not null,
      position INT,
      uid TEXT,
      sequence INT,
      type TEXT not null,
      at INT not null,
      created INT not null,
      body TEXT not null,
      primary key (aid, id),
      unique (aid, position)
    )`,
    `create unique index events_of_reader on events (aid, uid, sequence)`,
    `create table event_counters (
      aid TEXT primary key references applications (aid),
      position INT not null,
      swept INT not null
    )`,
    // Not a column of users, which every transaction locks first: this row is locked last.
    `create table event_sequences (
      aid TEXT not null references applications (aid),
      uid TEXT not null,
      sequence INT not null,
      primary key (aid, uid)
    )`,
    `alter table access add column end_told INT`,
    // Access that ended before there were events gets no event of its end.
    `update access set end_told = ends where revoked is null and ends <= NOW`,
    `create index access_untold_ends on access (aid, ends)
      where revoked is null and ends < ${FOREVER} and (end_told is null or end_told <> ends)`,
  ],
}
