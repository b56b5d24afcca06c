import { readMeta, setMeta } from '../../db/meta.ts'
import { countRows } from '../../db/queries/rows.ts'
import type { ControlTables } from '../../db/tables.ts'
import { type ControlDb, type ControlTrx, getStaff, type StaffRow } from './staff.ts'

/** Which members must use a passkey to sign in, once they have one. */
export const PASSKEY_POLICIES = ['owners', 'everybody', 'nobody'] as const
export type PasskeyPolicy = (typeof PASSKEY_POLICIES)[number]

/** Why a member's password alone signs nobody in: `required` by the installation, or `chosen` by the member or an owner.
 * `no` if it does, as for everybody without a passkey. */
export type PasskeyOnly = 'no' | 'chosen' | 'required'

/** The host names whose passkeys count; undefined for all passkeys. A passkey works under its own host name only. */
export type PasskeyHosts = readonly string[] | undefined

/** The row of the control database's `meta`. */
const POLICY = 'passkey_policy'

export async function readPasskeyPolicy(db: ControlDb): Promise<PasskeyPolicy> {
  const stored = await readMeta(db, POLICY)
  return PASSKEY_POLICIES.find((one) => one === stored) ?? 'owners'
}

export async function setPasskeyPolicy(trx: ControlTrx, policy: PasskeyPolicy): Promise<void> {
  await setMeta<ControlTables>(trx, POLICY, policy)
}

/** The rule itself. It applies only to members with a passkey, so that nobody is locked out who never had one. */
export function passkeyOnlyOf(
  { role, passkey_only }: Pick<StaffRow, 'role' | 'passkey_only'>,
  passkeys: number,
  policy: PasskeyPolicy,
): PasskeyOnly {
  if (passkeys === 0) return 'no'
  if (policy === 'everybody' || (policy === 'owners' && role === 'owner')) return 'required'
  return passkey_only === 1 ? 'chosen' : 'no'
}

export const countPasskeys = (
  db: ControlDb,
  staffId: string,
  hosts: PasskeyHosts,
): Promise<number> => countRows(selectPasskeysOf(db, hosts).where('staff_id', '=', staffId))

/** The passkeys of everybody that count at these hosts. Those of an unknown host count everywhere. */
export const selectPasskeysOf = (db: ControlDb, hosts: PasskeyHosts) =>
  db
    .selectFrom('staff_passkeys')
    .$if(hosts !== undefined, (query) => query.where('host', 'in', ['', ...(hosts ?? [])]))

export async function readPasskeyOnly(
  db: ControlDb,
  staffId: string,
  hosts: PasskeyHosts,
): Promise<PasskeyOnly> {
  const member = await getStaff(db, staffId)
  const passkeys = await countPasskeys(db, staffId, hosts)
  return passkeyOnlyOf(member, passkeys, await readPasskeyPolicy(db))
}

export const isPasskeyOnly = async (
  db: ControlDb,
  staffId: string,
  hosts: PasskeyHosts,
): Promise<boolean> => (await readPasskeyOnly(db, staffId, hosts)) !== 'no'
