import type { Migration } from '../migrations.ts'

/** Contents of passes: a resource with entries here opens other resources for those who have access to it. */
export const passes: Migration = {
  name: '0016_passes',
  statements: [
    // A check knows the rid and looks for passes: its size, the text, then the passes in order. `size` is the number of
    // characters of a prefix, 0 for everything, or -1 for a whole rid. Few sizes are in use, so that few lookups find
    // every prefix of a rid.
    `create table pass_entries (
      aid TEXT not null,
      size INT not null,
      value TEXT not null,
      pass TEXT not null,
      primary key (aid, size, value, pass),
      foreign key (aid, pass) references resources (aid, rid)
    )`,
    `create index pass_entries_by_pass on pass_entries (aid, pass, size, value)`,
  ],
}
