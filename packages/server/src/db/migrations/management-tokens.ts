import type { Migration } from '../migrations.ts'

/** The tokens of programs that use the management API. A token is stored as a digest; `start` is its beginning, by which
 * people recognize it. A revoked token keeps its row, because histories and the audit log name it. */
export const managementTokens: Migration = {
  name: '0008_management_tokens',
  statements: [
    `create table management_tokens (
      id TEXT primary key,
      digest TEXT not null,
      start TEXT not null,
      name TEXT not null,
      role TEXT not null check (role in ('developer', 'support', 'reader')),
      aid TEXT references aids (aid),
      made_by TEXT references staff (id),
      created_at INT not null,
      ends_at INT,
      used_at INT,
      revoked_at INT
    )`,
    `create unique index management_tokens_digest on management_tokens (digest)`,
    `alter table audit add column token_id TEXT`,
    `create index audit_token on audit (token_id, seq)`,
  ],
}
