import type { Db, Trx } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { ApplicationKeyTable, Millis } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newId, newPrivateKey } from '../../ids.ts'
import { MAX_KEYS } from '../../signing/check.ts'
import type { MasterKey } from './master-key.ts'

/** The row in `meta` that changes whenever keys change, so that other processes notice. */
const KEYS_VERSION = 'keys_version'

/** Expired whatever the clock says: one that is behind, or is set back, must not revive the key. */
const ALREADY_EXPIRED: Millis = 0

/** The text that a sealed key is bound to. */
export const keyBinding = (key: { aid: string; id: string }) => `${key.aid}/${key.id}`

/** The text that a sealed webhook secret is bound to. It differs from that of any key, which has one slash. */
export const webhookSecretBinding = (secret: { aid: string; id: string }) =>
  `${secret.aid}/webhooks/${secret.id}`

export interface NewKey {
  id: string
  privateKey: string
}

export async function addApplicationKey(
  trx: Trx,
  masterKey: MasterKey,
  aid: string,
  realTime: Millis,
): Promise<NewKey> {
  // Touched before sealing, which locks the row: a rotation of the master key either sees this key or has finished.
  await bumpKeysVersion(trx)
  const id = newId()
  const privateKey = newPrivateKey()
  const sealed = masterKey.seal(privateKey, keyBinding({ aid, id }))
  const row = { id, aid, sealed, created: realTime, dies: null }
  await trx.insertInto('application_keys').values(row).execute()
  return { id, privateKey }
}

export async function listLiveKeys(
  db: Db,
  aid: string,
  realTime: Millis,
): Promise<ApplicationKeyTable[]> {
  const keys = await listRows(db, 'application_keys', { aid }, ['created', 'id'])
  return keys.filter(({ dies }) => dies === null || dies > realTime)
}

/** Adds a new key. The old ones stay valid for the overlap, so that clients can switch one by one. */
export async function rotateKey(
  trx: Trx,
  masterKey: MasterKey,
  aid: string,
  overlap: Millis,
  realTime: Millis,
): Promise<NewKey> {
  await lockApplication(trx, aid)
  const live = await listLiveKeys(trx, aid, realTime)
  if (live.length >= MAX_KEYS && overlap > 0) throw fail('too_many_keys')
  await trx
    .updateTable('application_keys')
    .set({ dies: overlap > 0 ? realTime + overlap : ALREADY_EXPIRED })
    .where('aid', '=', aid)
    .where((eb) => eb.or([eb('dies', 'is', null), eb('dies', '>', realTime + overlap)]))
    .execute()
  return await addApplicationKey(trx, masterKey, aid, realTime)
}

export async function revokeKey(
  trx: Trx,
  aid: string,
  keyId: string,
  realTime: Millis,
): Promise<void> {
  const dead = await trx
    .updateTable('application_keys')
    .set({ dies: ALREADY_EXPIRED })
    .where((eb) => eb.and({ aid, id: keyId }))
    .where((eb) => eb.or([eb('dies', 'is', null), eb('dies', '>', realTime)]))
    .returning('id')
    .execute()
  if (dead.length === 0) throw fail('key_not_found')
  await bumpKeysVersion(trx)
}

/** Serializes concurrent rotations by an update that locks the application, so that each sees the other's key. */
async function lockApplication(trx: Trx, aid: string): Promise<void> {
  await trx
    .updateTable('applications')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('aid', '=', aid)
    .execute()
}

export async function bumpKeysVersion(trx: Trx): Promise<void> {
  await setMeta(trx, KEYS_VERSION, newId())
}

export async function readKeysVersion(db: Db): Promise<string> {
  return (await readMeta(db, KEYS_VERSION)) ?? ''
}

export function decryptKey(masterKey: MasterKey, row: ApplicationKeyTable): string {
  return masterKey.open(row.sealed, keyBinding(row))
}
