import { newId } from '../ids.ts'
import type { Database } from './database.ts'
import { readMeta, setMetaOnce } from './meta.ts'

const NAME = 'installation'

/** Names this environment of this installation, for as long as its data lives: a backup keeps it and a
 * restore brings it back. Orders to the outside carry it, so that they are recognized later. Made when it
 * is first asked for; must not be called inside a write. */
export async function installationOf<T>(database: Database<T>): Promise<string> {
  const known = await readMeta(database.read, NAME)
  if (known !== undefined) return known
  return await database.write(async (trx) => {
    await setMetaOnce(trx, NAME, newId())
    return (await readMeta(trx, NAME)) as string
  })
}
