import type { Db } from '../../db/database.ts'
import { readMeta } from '../../db/meta.ts'
import { OperatorError } from '../../errors.ts'
import type { AnyTables } from './databases.ts'
import { type DatabaseName, RESTORE_MARKER } from './tables.ts'

/** Whether all rows of this backup are in a database. The last step of a restore deletes what shows that. */
export const isFilledFrom = async (db: Db<AnyTables>, { sha256 }: { sha256: string }) =>
  (await readMeta(db, RESTORE_MARKER)) === sha256

/** Throws if a database without a mark has data. If the installation is still on hold because of this backup, an earlier
 * command restored all of it, even if its last answer was lost. */
export async function requireEmpty(
  db: Db<AnyTables>,
  name: DatabaseName,
  wasRestored = false,
): Promise<void> {
  if (name === 'control') return
  const taken = await db.selectFrom('applications').select('aid').limit(1).execute()
  if (taken.length === 0) return
  const reason = wasRestored
    ? 'this backup was completely restored here before, and Gatehouse can be started'
    : `${name} already has applications`
  throw new OperatorError(
    `${reason}: a backup can be restored only into an empty installation (set GATEHOUSE_DATA to a new ` +
      'folder, or GATEHOUSE_DATABASE_URL to a new database)',
  )
}
