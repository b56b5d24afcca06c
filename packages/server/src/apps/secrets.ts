import { randomBytes } from 'node:crypto'
import type { Db, EnvironmentDatabase } from '../db/database.ts'
import { touchKeys } from './keys.ts'
import type { MasterKey } from './master-key.ts'

const SECRET_BYTES = 32

/** What a sealed secret is bound to. No AID is so short: it can't be taken for an application's key. */
export const secretOwner = (name: string) => `secrets/${name}`

/** A secret of the environment itself: 32 random bytes, made when they are first asked for, the same
 * for everybody from then on. It outlives the keys of all applications. */
export async function openSecret(
  database: EnvironmentDatabase,
  masterKey: MasterKey,
  name: string,
): Promise<Buffer> {
  const sealed =
    (await findSecret(database.read, name)) ?? (await makeSecret(database, masterKey, name))
  return Buffer.from(masterKey.open(sealed, secretOwner(name)), 'base64url')
}

async function findSecret(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('secrets')
    .select('sealed')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.sealed
}

async function makeSecret(
  database: EnvironmentDatabase,
  masterKey: MasterKey,
  name: string,
): Promise<string> {
  return await database.write(async (trx) => {
    // Before looking and sealing: others who make it wait here, and so does a rotation of the master key.
    await touchKeys(trx)
    const found = await findSecret(trx, name)
    if (found !== undefined) return found
    const text = randomBytes(SECRET_BYTES).toString('base64url')
    const sealed = masterKey.seal(text, secretOwner(name))
    await trx.insertInto('secrets').values({ name, sealed }).execute()
    return sealed
  })
}
