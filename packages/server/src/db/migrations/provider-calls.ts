import type { Migration } from '../migrations.ts'

/** How many requests were sent to the payment provider on each day, counted from 1970 in UTC. */
export const providerCalls: Migration = {
  name: '0035_provider_calls',
  statements: [
    `create table provider_calls (
      day INT not null,
      reads INT not null,
      writes INT not null
    )`,
    // No primary key: on SQLite, a single number as one has no index that shows.
    `create unique index provider_calls_day on provider_calls (day)`,
  ],
}
