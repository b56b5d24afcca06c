import type { Migration } from '../migrations.ts'
import { addColumn, addIndexes, buildIndexes, type NewColumn, type NewIndex } from './prepared.ts'

/** One second past the last time that a client may name: access that ends then has no end. */
const FOREVER = 253402300800

const END_TOLD: NewColumn = { table: 'access', column: 'end_told', definition: 'INT' }

const INDEXES: readonly NewIndex[] = [
  {
    name: 'access_untold_ends',
    on: `access (aid, ends)
      where revoked is null and ends < ${FOREVER} and (end_told is null or end_told <> ends)`,
  },
]

/** Access that ended before there were events gets no event of its end. */
const FILL_END_TOLD = `update access set end_told = ends where revoked is null and ends <= NOW
  and ends < ${FOREVER} and (end_told is null or end_told <> ends)`

/** Fills the column in parts of 1,024 pages, so that no writer waits for long. */
const FILL_IN_PARTS = `do $$
  declare
    part constant bigint := 1024;
    pages bigint := pg_relation_size('access') / current_setting('block_size')::bigint;
  begin
    for n in 0 .. pages / part loop
      ${FILL_END_TOLD}
        and ctid >= format('(%s,0)', n * part)::tid and ctid < format('(%s,0)', (n + 1) * part)::tid;
      commit;
    end loop;
  end $$`

/** Events, for the sites that want to hear of them. */
export const events: Migration = {
  name: '0020_events',
  columns: [END_TOLD],
  online: [FILL_IN_PARTS, ...buildIndexes(INDEXES)],
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
    addColumn(END_TOLD),
    // Before the rows are filled: with it, those that are not filled yet are found quickly.
    ...addIndexes(INDEXES),
    FILL_END_TOLD,
  ],
}
