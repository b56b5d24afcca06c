import type { Db } from '../../../db/database.ts'
import type { Millis, WebhookSecretTable } from '../../../db/tables.ts'
import { webhookSecretBinding } from '../../apps/keys.ts'
import type { MasterKey } from '../../apps/master-key.ts'

/** Lists the secrets of an endpoint that sign at this time, the newest first. */
export async function listLiveSecrets(
  db: Db,
  { aid, endpoint }: Pick<WebhookSecretTable, 'aid' | 'endpoint'>,
  realTime: Millis,
): Promise<WebhookSecretTable[]> {
  return await db
    .selectFrom('webhook_secrets')
    .selectAll()
    .where((eb) => eb.and({ aid, endpoint }))
    .where((eb) => eb.or([eb('dies', 'is', null), eb('dies', '>', realTime)]))
    .orderBy('created', 'desc')
    .orderBy('id')
    .execute()
}

/** Decrypts the secrets with which an event to an endpoint is signed. */
export async function readSigningSecrets(
  db: Db,
  masterKey: MasterKey,
  key: Pick<WebhookSecretTable, 'aid' | 'endpoint'>,
  realTime: Millis,
): Promise<string[]> {
  const rows = await listLiveSecrets(db, key, realTime)
  return rows.map((row) => masterKey.open(row.sealed, webhookSecretBinding(row)))
}
