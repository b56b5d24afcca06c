import type { ControlDatabase, EnvironmentDatabase } from '../../db/database.ts'
import { withGlobalLock } from '../../db/meta.ts'
import { OperatorError } from '../../errors.ts'
import { createMasterKey, hasKeyFile, type MasterKey, readKeyFile } from './master-key.ts'
import { isAnythingSealed } from './sealed.ts'

async function requireNothingSealed(databases: readonly EnvironmentDatabase[], origin: string) {
  for (const { read } of databases) {
    if (await isAnythingSealed(read)) {
      throw new OperatorError(
        `the master key ${origin} is missing and the private keys can't be read without it; ` +
          'put your copy back, or set GATEHOUSE_MASTER_KEY',
      )
    }
  }
}

/** Where the settings say that the master key is. */
export interface KeySettings {
  masterKeys?: readonly Buffer[] | undefined
  dataFolder: string
}

export const originOf = ({ masterKeys, dataFolder }: KeySettings) =>
  masterKeys ? 'GATEHOUSE_MASTER_KEY' : `${dataFolder}/master.key`

/** Returns undefined if there is no key. One that can't be read is an error. */
export function findMasterKey(settings: KeySettings): MasterKey | undefined {
  const { masterKeys, dataFolder } = settings
  if (!masterKeys && !hasKeyFile(dataFolder)) return undefined
  return createMasterKey(originOf(settings), () => masterKeys ?? readKeyFile(dataFolder))
}

/** Creates the key file if nothing is sealed yet. Otherwise a missing file is an error. */
export async function loadOrCreateMasterKey(
  settings: KeySettings,
  control: ControlDatabase,
  databases: readonly EnvironmentDatabase[],
  createFile: () => void,
): Promise<MasterKey> {
  const found = findMasterKey(settings)
  if (found) return found
  const { dataFolder } = settings
  const origin = originOf(settings)
  // Two processes that start concurrently must not create two keys.
  await withGlobalLock(control, 'key_file', async () => {
    if (hasKeyFile(dataFolder)) return
    await requireNothingSealed(databases, origin)
    createFile()
  })
  return createMasterKey(origin, () => readKeyFile(dataFolder))
}
