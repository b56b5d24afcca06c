import type { Migration } from '../migrations.ts'

/** Members who sign in with a passkey only, and links that somebody asked for on the sign-in page: those alone lived an hour
 * so far. */
export const passkeyOnly: Migration = {
  name: '0010_passkey_only',
  statements: [
    `alter table staff add column passkey_only INT not null default 0`,
    `alter table staff_links add column asked_for INT not null default 0`,
    `update staff_links set asked_for = 1
      where kind = 'reset' and made_by is null and ends_at - created_at = 3600000`,
  ],
}
