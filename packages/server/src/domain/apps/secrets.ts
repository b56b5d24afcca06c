import { randomBytes } from 'node:crypto'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { findRow } from '../../db/queries/rows.ts'
import { bumpKeysVersion } from './keys.ts'
import type { MasterKey } from './master-key.ts'

const SECRET_BYTES = 32

/** The text that a sealed secret is bound to. AIDs are longer than "secrets", so no application key has this binding. */
export const secretBinding = (name: string) => `secrets/${name}`

/** Returns a secret of the environment: 32 random bytes, created on first use and the same for all processes. It is
 * independent of the applications' keys. */
export async function getOrCreateSecret(
  database: EnvironmentDatabase,
  masterKey: MasterKey,
  name: string,
): Promise<Buffer> {
  const sealed =
    (await findSecret(database.read, name)) ?? (await makeSecret(database, masterKey, name))
  return Buffer.from(masterKey.open(sealed, secretBinding(name)), 'base64url')
}

/** Returns the sealed text. */
export async function findSecret(db: Db, name: string): Promise<string | undefined> {
  return (await findRow(db, 'secrets', { name }))?.sealed
}

async function makeSecret(
  database: EnvironmentDatabase,
  masterKey: MasterKey,
  name: string,
): Promise<string> {
  return await database.write(async (trx) => {
    // Taken before reading and sealing: serializes concurrent callers and a rotation of the master key.
    await bumpKeysVersion(trx)
    const found = await findSecret(trx, name)
    if (found !== undefined) return found
    const text = randomBytes(SECRET_BYTES).toString('base64url')
    const sealed = masterKey.seal(text, secretBinding(name))
    await trx.insertInto('secrets').values({ name, sealed }).execute()
    return sealed
  })
}

/** Seals a text of the environment's own in place of the one before. The caller has called `bumpKeysVersion` in the
 * same transaction, so that no rotation of the master key misses the text. */
export async function replaceSecret(
  trx: Trx,
  masterKey: MasterKey,
  name: string,
  text: string,
): Promise<void> {
  const sealed = masterKey.seal(text, secretBinding(name))
  await trx
    .insertInto('secrets')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ sealed }))
    .execute()
}
