import type { Selectable } from 'kysely'
import { findRow } from '../../db/queries/rows.ts'
import type { Millis, StaffLinkTable } from '../../db/tables.ts'
import { fail, requireFound } from '../../errors.ts'
import { countPasskeys, type PasskeyHosts } from './passkey-only.ts'
import { type ControlDb, getStaff, hasStaff } from './staff.ts'
import { digestOf } from './tokens.ts'

type LinkRow = Selectable<StaffLinkTable>

/** Finds the link of an email, if it still works. */
export async function findOpenLink(
  db: ControlDb,
  token_digest: string,
  now: Millis,
): Promise<LinkRow | undefined> {
  const row = await findRow(db, 'staff_links', { token_digest })
  return row && row.used_at === null && row.ends_at > now ? row : undefined
}

/** Returns what a link is for, used at these hosts. Only someone who has its token can find out. */
export async function getStaffLink(db: ControlDb, token: string, hosts: PasskeyHosts, now: Millis) {
  const row = requireFound(
    await findRow(db, 'staff_links', { token_digest: digestOf(token) }),
    'link_invalid',
  )
  if (row.used_at !== null) throw fail('link_used')
  if (row.ends_at <= now) throw fail('link_expired')
  if (row.kind === 'setup' && (await hasStaff(db))) throw fail('link_used')
  if (row.staff_id === null) {
    return { ...row, name: '', needsPasskey: false, removesPasskeys: false }
  }
  const [all, usable] = [
    await countPasskeys(db, row.staff_id, undefined),
    await countPasskeys(db, row.staff_id, hosts),
  ]
  const isAskedFor = row.asked_for === 1
  // A reader of the member's mail can ask for a link, so the link alone is not enough.
  const needsPasskey = isAskedFor && usable > 0
  const removesPasskeys = !isAskedFor && all > 0
  const { name } = await getStaff(db, row.staff_id)
  return { ...row, name, needsPasskey, removesPasskeys }
}
