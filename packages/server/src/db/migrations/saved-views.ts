import type { Migration } from '../migrations.ts'

/** The filters and the sort order of a list that a member of staff has saved under a name. */
export const savedViews: Migration = {
  name: '0005_saved_views',
  statements: [
    `create table saved_views (
      id TEXT primary key,
      staff_id TEXT not null references staff (id),
      aid TEXT not null references aids (aid),
      list TEXT not null,
      name TEXT not null,
      search TEXT not null,
      is_default INT not null,
      created_at INT not null
    )`,
    `create unique index saved_views_name on saved_views (staff_id, aid, list, name)`,
    `create unique index saved_views_default on saved_views (staff_id, aid, list)
      where is_default = 1`,
    `create index saved_views_aid on saved_views (aid)`,
    // The audit log is filtered by day and by what an action is about.
    `create index audit_at on audit (at)`,
    `create index audit_action on audit (action, seq)`,
  ],
}
