import type { ControlDatabase, EnvironmentDatabase } from '../../db/database.ts'
import { withGlobalLock } from '../../db/meta.ts'
import {
  addKeyToFile,
  createMasterKey,
  dropOldKeysFromFile,
  type MasterKey,
  readKeyFile,
} from './master-key.ts'
import { reseal } from './sealed.ts'

/** The row in the control database's `meta` that serializes rotations. */
const ROTATION_LOCK = 'master_key_rotation'

/** Replaces the master key in the key file. If the process is killed at any point, everything can still be read and
 * the next run finishes: a file with several keys means that a rotation is in progress. */
export async function rotateKeyFile(
  control: ControlDatabase,
  databases: readonly EnvironmentDatabase[],
  folder: string,
): Promise<number> {
  return await withGlobalLock(control, ROTATION_LOCK, async () => {
    if (readKeyFile(folder).length === 1) addKeyToFile(folder)
    const masterKey = createMasterKey(folder, () => readKeyFile(folder))
    const count = await resealAll(databases, masterKey)
    dropOldKeysFromFile(folder)
    return count
  })
}

/** Seals everything that is not sealed with the newest key again. Returns the number of rows. */
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
