import { newId } from '../ids.ts'
import type { EnvironmentDatabase } from './database.ts'
import { readMeta, setMetaOnce } from './meta.ts'
import type { Tables } from './tables.ts'

/** The row of `meta` that names an environment's database. */
export const INSTALLATION = 'installation'

/** The random name of an environment's database. It is made once, and every copy of the database has it:
 * what we send out carries it, so that it can be found again as ours. */
export async function installationOf(database: EnvironmentDatabase): Promise<string> {
  const known = await readMeta(database.read, INSTALLATION)
  if (known !== undefined) return known
  return await database.write(async (trx) => {
    await setMetaOnce(trx, INSTALLATION, newId())
    return (await readMeta<Tables>(trx, INSTALLATION)) as string
  })
}
