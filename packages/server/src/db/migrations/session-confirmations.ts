import type { Migration } from '../migrations.ts'

/** When the member of a session last proved who they are. Sessions that are open during the upgrade have to do it again
 * before an action that gives lasting access. */
export const sessionConfirmations: Migration = {
  name: '0009_session_confirmations',
  statements: [`alter table staff_sessions add column confirmed_at INT not null default 0`],
}
