import { updateRows } from '../../db/queries/rows.ts'
import { fail } from '../../errors.ts'
import { countPasskeys, type PasskeyPolicy, setPasskeyPolicy } from './passkey-only.ts'
import {
  type ControlTrx,
  changeRole,
  getStaff,
  lockStaff,
  type Role,
  type StaffRow,
} from './staff.ts'
import { endWeakerSessions, type WhereChanged } from './weaker-sessions.ts'

/** Chooses for one member whether a passkey is needed to sign in. The choice ends with the member's last passkey. */
export async function choosePasskeyOnly(
  trx: ControlTrx,
  staffId: string,
  isOn: boolean,
  where: WhereChanged,
): Promise<StaffRow> {
  await lockStaff(trx)
  const member = await getStaff(trx, staffId)
  const hasNone = (await countPasskeys(trx, staffId, where.hosts)) === 0
  if (isOn && hasNone) throw fail('no_passkey')
  await endWeakerSessions(trx, where, () =>
    updateRows(trx, 'staff', { id: staffId }, { passkey_only: isOn ? 1 : 0 }),
  )
  return member
}

/** Chooses who needs a passkey to sign in. */
export async function choosePasskeyPolicy(
  trx: ControlTrx,
  policy: PasskeyPolicy,
  where: WhereChanged,
): Promise<void> {
  await lockStaff(trx)
  await endWeakerSessions(trx, where, () => setPasskeyPolicy(trx, policy))
}

/** Gives a member another role, which may need a passkey. */
export const giveRole = (
  trx: ControlTrx,
  staffId: string,
  role: Role,
  where: WhereChanged,
): Promise<StaffRow> => endWeakerSessions(trx, where, () => changeRole(trx, staffId, role))
