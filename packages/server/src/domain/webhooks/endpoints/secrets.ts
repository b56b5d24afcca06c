import { randomBytes } from 'node:crypto'
import type { Trx } from '../../../db/database.ts'
import type { Millis } from '../../../db/tables.ts'
import { newId } from '../../../ids.ts'
import { bumpKeysVersion, webhookSecretBinding } from '../../apps/keys.ts'
import type { MasterKey } from '../../apps/master-key.ts'

/** How long the old secret goes on signing after a rotation, unless asked otherwise. */
export const DEFAULT_OVERLAP_MS: Millis = 86_400_000

/** The format of Standard Webhooks. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

interface SecretScope {
  aid: string
  endpoint: string
}

/** Adds a secret to an endpoint and returns it. */
export async function addSecret(
  trx: Trx,
  masterKey: MasterKey,
  { aid, endpoint }: SecretScope,
  realTime: Millis,
): Promise<string> {
  // Touched before sealing, as in `addApplicationKey`.
  await bumpKeysVersion(trx)
  const [id, secret] = [newId(), newSecret()]
  const sealed = masterKey.seal(secret, webhookSecretBinding({ aid, id }))
  const row = { aid, id, endpoint, sealed, created: realTime, dies: null }
  await trx.insertInto('webhook_secrets').values(row).execute()
  return secret
}

/**
 * Replaces the secret of an endpoint whose row is locked. The last one goes on signing for the overlap, beside the new
 * one; an older one, of a rotation just before, ends at once, so that two are live at most.
 */
export async function replaceSecret(
  trx: Trx,
  masterKey: MasterKey,
  scope: SecretScope,
  overlap: Millis,
  realTime: Millis,
): Promise<string> {
  const { aid, endpoint } = scope
  await trx
    .deleteFrom('webhook_secrets')
    .where((eb) => eb.and({ aid, endpoint }))
    .where((eb) => (overlap > 0 ? eb('dies', 'is not', null) : eb.val(true)))
    .execute()
  await trx
    .updateTable('webhook_secrets')
    .set({ dies: realTime + overlap })
    .where((eb) => eb.and({ aid, endpoint }))
    .execute()
  return await addSecret(trx, masterKey, scope, realTime)
}
