import type { Migration } from '../migrations.ts'

/** From where an audited action was done: the client's address, its browser or program, the session, and for a command
 * the user of the operating system. Entries of before have none. */
export const auditOrigins: Migration = {
  name: '0012_audit_origins',
  statements: [
    `alter table audit add column address TEXT`,
    `alter table audit add column agent TEXT`,
    `alter table audit add column session_id TEXT`,
    `alter table audit add column os_user TEXT`,
  ],
}
