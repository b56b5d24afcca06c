import { deleteRows, updateRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { requireName } from './fields.ts'
import { countPasskeys } from './passkey-only.ts'
import { enqueueSecurityMail } from './security-mails.ts'
import { type ControlDb, type ControlTrx, lockStaff } from './staff.ts'

export interface ListedPasskey {
  id: string
  name: string
  created_at: Millis
  used_at: Millis | null
}

/** The passkeys of a member, the oldest first. */
export const selectPasskeys = (db: ControlDb, staffId: string) =>
  db
    .selectFrom('staff_passkeys')
    .selectAll()
    .where('staff_id', '=', staffId)
    .orderBy('created_at')
    .orderBy('id')

export async function listPasskeys(db: ControlDb, staffId: string): Promise<ListedPasskey[]> {
  const rows = await selectPasskeys(db, staffId).execute()
  return rows.map(({ id, name, created_at, used_at }) => ({ id, name, created_at, used_at }))
}

export async function renamePasskey(
  trx: ControlTrx,
  staffId: string,
  id: string,
  typed: string,
): Promise<void> {
  const name = requireName(typed)
  const changed = await updateRows(trx, 'staff_passkeys', { staff_id: staffId, id }, { name })
  if (changed === 0) throw fail('passkey_not_found')
}

/** Removes one passkey. With the last one, the member signs in with the password again. */
export async function removePasskey(
  trx: ControlTrx,
  staffId: string,
  id: string,
  now: Millis,
): Promise<void> {
  await lockStaff(trx)
  const removed = await deleteRows(trx, 'staff_passkeys', { staff_id: staffId, id })
  if (removed === 0) throw fail('passkey_not_found')
  if ((await countPasskeys(trx, staffId, undefined)) === 0) await endPasskeyChoice(trx, staffId)
  await enqueueSecurityMail(trx, staffId, 'passkey_removed', now)
}

/** Also ends the member's choice to sign in with a passkey only. */
export async function removeAllPasskeys(
  trx: ControlTrx,
  staffId: string,
  now: Millis,
): Promise<void> {
  const removed = await deleteRows(trx, 'staff_passkeys', { staff_id: staffId })
  await endPasskeyChoice(trx, staffId)
  if (removed > 0) await enqueueSecurityMail(trx, staffId, 'passkey_removed', now)
}

async function endPasskeyChoice(trx: ControlTrx, staffId: string): Promise<void> {
  await updateRows(trx, 'staff', { id: staffId }, { passkey_only: 0 })
}
