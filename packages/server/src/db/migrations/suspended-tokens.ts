import type { Migration } from '../migrations.ts'

/** Tokens that a restore has brought back don't work until an owner confirms them: some may have been revoked since. */
export const suspendedTokens: Migration = {
  name: '0011_suspended_tokens',
  statements: [`alter table management_tokens add column suspended_at INT`],
}
