import type { Db, Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import { bumpKeysVersion, keyOwner, webhookSecretOwner } from './keys.ts'
import type { MasterKey } from './master-key.ts'
import { secretOwner } from './secrets.ts'

/** The owner that the sealed text of a row is bound to, by table. Every table with sealed texts is here. */
const OWNERS = {
  application_keys: keyOwner,
  webhook_secrets: webhookSecretOwner,
  secrets: ({ name }: { name: string }) => secretOwner(name),
}

export interface SealedText {
  owner: string
  sealed: string
}

interface SealedRow extends SealedText {
  table: keyof typeof OWNERS
  /** The id of a key or of a webhook's secret, or the name of a secret. */
  id: string
  /** The application; undefined for a secret of the environment. */
  aid: string | undefined
}

/** Whether the rows of a table have sealed texts. */
export const isSealedTable = (table: string): table is keyof typeof OWNERS =>
  Object.hasOwn(OWNERS, table)

/** Returns the sealed text of a row from outside the database, such as a backup. */
export const toSealedText = (
  table: keyof typeof OWNERS,
  row: Readonly<Record<string, unknown>>,
): SealedText => ({ owner: OWNERS[table](row as never), sealed: String(row.sealed) })

/** Whether the master key opens a text that was sealed for its owner. */
export function canOpen(masterKey: MasterKey, { sealed, owner }: SealedText): boolean {
  try {
    return masterKey.open(sealed, owner) !== ''
  } catch {
    return false
  }
}

/** Lists everything sealed with the master key: the keys and webhook secrets of applications, expired ones included,
 * and the environment's secrets. */
async function listSealed(db: Db): Promise<SealedRow[]> {
  const keys = await db.selectFrom('application_keys').selectAll().execute()
  const webhooks = await db.selectFrom('webhook_secrets').selectAll().execute()
  const secrets = await db.selectFrom('secrets').selectAll().execute()
  return [
    ...keys.map((row) => {
      const { aid, id, sealed } = row
      return {
        table: 'application_keys' as const,
        aid,
        id,
        owner: OWNERS.application_keys(row),
        sealed,
      }
    }),
    ...webhooks.map((row) => {
      const { aid, id, sealed } = row
      const owner = OWNERS.webhook_secrets(row)
      return { table: 'webhook_secrets' as const, aid, id, owner, sealed }
    }),
    ...secrets.map((row) => {
      const owner = OWNERS.secrets(row)
      return { table: 'secrets' as const, aid: undefined, id: row.name, owner, sealed: row.sealed }
    }),
  ]
}

export async function isAnythingSealed(db: Db): Promise<boolean> {
  return (await listSealed(db)).length > 0
}

/** Seals everything that is not sealed with the newest master key again. Returns the number of rows. */
export async function reseal(trx: Trx, masterKey: MasterKey): Promise<number> {
  // Taken first: a key or secret created concurrently must not be sealed with an old master key; see `addApplicationKey`.
  await bumpKeysVersion(trx)
  const old = (await listSealed(trx)).filter((row) => !masterKey.isCurrent(row.sealed))
  for (const row of old) {
    await replaceSeal(trx, row, masterKey.seal(masterKey.open(row.sealed, row.owner), row.owner))
  }
  return old.length
}

async function replaceSeal(trx: Trx, { table, aid, id }: SealedRow, sealed: string): Promise<void> {
  if (aid === undefined || table === 'secrets')
    await updateRows(trx, 'secrets', { name: id }, { sealed })
  else await updateRows(trx, table, { aid, id }, { sealed })
}

/** Finds the keys and secrets that the master key can't open, and those not sealed with its newest key. */
export async function findSealProblems(
  db: Db,
  masterKey: MasterKey,
): Promise<{ count: number; unreadable: string[]; old: string[] }> {
  const rows = await listSealed(db)
  return {
    count: rows.length,
    unreadable: rows.filter((row) => !canOpen(masterKey, row)).map((row) => row.id),
    old: rows.filter((row) => !masterKey.isCurrent(row.sealed)).map((row) => row.id),
  }
}
