import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ControlDatabase, Engine } from '../../db/database.ts'
import { movedFile } from '../../db/moved.ts'
import { restoreMarkPath } from '../../db/restoring.ts'
import { OperatorError } from '../../errors.ts'
import { DATABASES, ENVIRONMENT_DATABASES } from './databases.ts'
import { identityPath, readIdentityFile } from './file.ts'

const pathOf = (folder: string, name: string) => join(folder, `${name}.sqlite`)

const missing = (folder: string, name: string) =>
  new OperatorError(
    `the database ${pathOf(folder, name)} is missing: put it back, or restore a backup into a new folder ` +
      `(GATEHOUSE_DATA) with: gatehouse restore FILE; to really begin anew, move the .sqlite files ` +
      `and installation.json out of ${folder}`,
  )

/** Must run before any file is opened, because opening creates it: an installation whose database is missing must
 * not silently start empty. */
export function requireKnownFiles(folder: string, engine: Engine): void {
  // Opening them tells more about an unfinished restore.
  if (engine !== 'sqlite' || existsSync(movedFile(folder)) || existsSync(restoreMarkPath(folder)))
    return
  const identity = readIdentityFile(folder)
  if (identity === undefined) return
  const absent = DATABASES.filter((name) => !existsSync(pathOf(folder, name)))
  if (identity.engine === 'postgres' && absent.length > 0) {
    throw new OperatorError(
      `the data folder ${folder} belongs to an installation on PostgreSQL: set GATEHOUSE_DATABASE_URL; ` +
        `to really begin anew on SQLite, move ${identityPath(folder)} away`,
    )
  }
  const [first] = absent
  if (first !== undefined) throw missing(folder, first)
}

/** Makes the same check from the control database, for an installation of an earlier version or without the
 * identity file. If an application exists, both environments had a database. */
export async function requireFilesOf(control: ControlDatabase, folder: string): Promise<void> {
  if (control.engine !== 'sqlite') return
  const absent = ENVIRONMENT_DATABASES.find((name) => !existsSync(pathOf(folder, name)))
  if (absent === undefined) return
  const known = await control.read.selectFrom('aids').select('aid').limit(1).execute()
  if (known.length > 0) throw missing(folder, absent)
}
