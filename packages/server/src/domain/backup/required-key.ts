import { OperatorError } from '../../errors.ts'
import { findMasterKey, type KeySettings, originOf } from '../apps/open-master-key.ts'
import { canOpen } from '../apps/sealed.ts'
import type { CheckedBackup } from './restore.ts'

/** Throws unless the master key opens everything that is sealed in the backup. Must run before the databases are opened,
 * because opening them creates them, and a missing master key too. A backup without sealed texts needs no key, but a
 * key that is there must be readable. With `isLost`, the sealed texts may stay unreadable. */
export function requireKeyOf(
  { sealed }: Pick<CheckedBackup, 'sealed'>,
  settings: KeySettings,
  { isLost = false } = {},
): void {
  const origin = originOf(settings)
  const masterKey = asRefusal(() => findMasterKey(settings))
  if (isLost || sealed.length === 0) return
  if (!masterKey) {
    throw refusal(
      `the master key ${origin} is missing, and the backup has ${sealed.length} encrypted keys and secrets; ` +
        `put ${NEEDED} there (chmod 600), or set GATEHOUSE_MASTER_KEY; ${IF_LOST}`,
    )
  }
  const closed = sealed.filter((text) => !canOpen(masterKey, text)).length
  if (closed === 0) return
  throw refusal(
    `the master key ${origin} can't decrypt ${closed} of the backup's ${sealed.length} keys and secrets; ` +
      `use ${NEEDED}. If another installation uses this key, leave it in place, and restore with another GATEHOUSE_DATA; ${IF_LOST}`,
  )
}

const NEEDED = 'the master key that the installation had when the backup was made'
const IF_LOST = 'if it is lost for good, see: gatehouse restore --help'

const refusal = (text: string) => new OperatorError(`nothing was restored: ${text}`)

function asRefusal<R>(work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw error instanceof OperatorError ? refusal(error.message) : error
  }
}
