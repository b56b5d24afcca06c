import type { Migration } from '../migrations.ts'

/** Where an import has left sites with an older state of a reader than the present one. */
export const silentChanges: Migration = {
  name: '0023_silent_changes',
  statements: [`alter table event_sequences add column silent_at INT`],
}
