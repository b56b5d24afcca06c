import { newId } from '../ids.ts'
import type { Database } from './database.ts'
import { readMeta, setMetaOnce } from './meta.ts'

/** The row of `meta` that holds the installation id. */
export const INSTALLATION = 'installation'

/** Returns the id of this environment of this installation. It lives as long as the data: a backup contains it and
 * a restore brings it back. Orders sent to payment providers carry it, so that they are recognized later. It is
 * created on first use, in a write: don't call this inside a write of the same database. */
export async function getInstallationId<T>(database: Database<T>): Promise<string> {
  const known = await readMeta(database.read, INSTALLATION)
  if (known !== undefined) return known
  return await database.write(async (trx) => {
    await setMetaOnce(trx, INSTALLATION, newId())
    return (await readMeta(trx, INSTALLATION)) as string
  })
}
