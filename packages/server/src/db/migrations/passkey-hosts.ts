import type { Migration } from '../migrations.ts'

/** The host name for which each passkey was made: elsewhere, it can't be used. Empty for those from before. */
export const passkeyHosts: Migration = {
  name: '0013_passkey_hosts',
  statements: [`alter table staff_passkeys add column host TEXT not null default ''`],
}
