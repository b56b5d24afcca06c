import type { Db, Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import { bumpKeysVersion, keyBinding, webhookSecretBinding } from './keys.ts'
import type { MasterKey } from './master-key.ts'
import { secretBinding } from './secrets.ts'

/** The text that the sealed text of a row is bound to, by table. Every table with sealed texts is here. */
const BINDINGS = {
  application_keys: keyBinding,
  webhook_secrets: webhookSecretBinding,
  secrets: ({ name }: { name: string }) => secretBinding(name),
}

export interface SealedText {
  binding: string
  sealed: string
}

interface SealedRow extends SealedText {
  table: keyof typeof BINDINGS
  /** The id of a key or of a webhook's secret, or the name of a secret. */
  id: string
  /** The application; undefined for a secret of the environment. */
  aid: string | undefined
}

/** Whether the rows of a table have sealed texts. */
export const isSealedTable = (table: string): table is keyof typeof BINDINGS =>
  Object.hasOwn(BINDINGS, table)

/** Returns the sealed text of a row from outside the database, such as a backup. */
export const toSealedText = (
  table: keyof typeof BINDINGS,
  row: Readonly<Record<string, unknown>>,
): SealedText => ({ binding: BINDINGS[table](row as never), sealed: String(row.sealed) })

/** Whether the master key opens a text with its binding. */
export function canOpen(masterKey: MasterKey, { sealed, binding }: SealedText): boolean {
  try {
    return masterKey.open(sealed, binding) !== ''
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
        binding: BINDINGS.application_keys(row),
        sealed,
      }
    }),
    ...webhooks.map((row) => {
      const { aid, id, sealed } = row
      const binding = BINDINGS.webhook_secrets(row)
      return { table: 'webhook_secrets' as const, aid, id, binding, sealed }
    }),
    ...secrets.map((row) => {
      const binding = BINDINGS.secrets(row)
      return {
        table: 'secrets' as const,
        aid: undefined,
        id: row.name,
        binding,
        sealed: row.sealed,
      }
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
    await replaceSeal(
      trx,
      row,
      masterKey.seal(masterKey.open(row.sealed, row.binding), row.binding),
    )
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
