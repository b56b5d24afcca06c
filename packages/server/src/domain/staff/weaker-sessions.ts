import { type PasskeyHosts, passkeyOnlyOf, readPasskeyPolicy } from './passkey-only.ts'
import { endSessions } from './sessions.ts'
import type { ControlTrx } from './staff.ts'
import { countPasskeysByMember } from './team.ts'

/** Where a change is made. */
export interface WhereChanged {
  hosts: PasskeyHosts
  /** The session in which the change is made; it stays open. */
  spared?: string | undefined
}

/** Makes a change, and ends the sessions of members who need a passkey since then. These began with a password, which
 * somebody else may know. */
export async function endWeakerSessions<R>(
  trx: ControlTrx,
  { hosts, spared }: WhereChanged,
  change: () => Promise<R>,
): Promise<R> {
  const before = await findPasskeyOnlyMembers(trx, hosts)
  const result = await change()
  for (const id of await findPasskeyOnlyMembers(trx, hosts)) {
    if (!before.has(id)) await endSessions(trx, id, spared)
  }
  return result
}

async function findPasskeyOnlyMembers(trx: ControlTrx, hosts: PasskeyHosts): Promise<Set<string>> {
  const policy = await readPasskeyPolicy(trx)
  const passkeys = await countPasskeysByMember(trx, hosts)
  const rows = await trx.selectFrom('staff').select(['id', 'role', 'passkey_only']).execute()
  const bound = rows.filter((row) => passkeyOnlyOf(row, passkeys.get(row.id) ?? 0, policy) !== 'no')
  return new Set(bound.map(({ id }) => id))
}
