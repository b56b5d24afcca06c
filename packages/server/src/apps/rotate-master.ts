import type { ControlDatabase, EnvironmentDatabase } from '../db/database.ts'
import { exclusively } from '../db/meta.ts'
import {
  addKeyToFile,
  dropOldKeysFromFile,
  type MasterKey,
  masterKeyFrom,
  readKeyFile,
} from './master-key.ts'
import { reseal } from './sealed.ts'

/** The row of the control database's `meta` that two rotations at once wait for. */
const TURNSTILE = 'master_key_rotation'

/**
 * Puts a new master key in the place of the one in the key file. Killed at any moment, everything can
 * still be read, and the next run finishes: a file with several keys is a rotation under way.
 */
export async function rotateKeyFile(
  control: ControlDatabase,
  databases: readonly EnvironmentDatabase[],
  folder: string,
): Promise<number> {
  return await exclusively(control, TURNSTILE, async () => {
    if (readKeyFile(folder).length === 1) addKeyToFile(folder)
    const masterKey = masterKeyFrom(folder, () => readKeyFile(folder))
    const count = await resealAll(databases, masterKey)
    dropOldKeysFromFile(folder)
    return count
  })
}

/** Seals all that is not under the newest key again; returns how many. */
export async function resealAll(
  databases: readonly EnvironmentDatabase[],
  masterKey: MasterKey,
): Promise<number> {
  let count = 0
  for (const database of databases) {
    count += await database.write((trx) => reseal(trx, masterKey))
  }
  return count
}
