import { findRow } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { storeLink } from './links.ts'
import type { ControlTrx, StaffMember } from './staff.ts'
import { digestOf } from './tokens.ts'

/** A link that somebody asked for on the sign-in page lives short: it is used at once, or not needed. */
const ASKED_LIFE: Millis = 10 * 60_000

/** Stores the link that a member asked for, and ends those that were asked for before. Links that an owner or the command
 * line made stay valid, so that strangers who ask can't make them void. An email that is sent again has the same link.
 * Returns when it ends, or undefined if it is over. */
export async function storeAskedLink(
  trx: ControlTrx,
  { id: staff_id, email, role }: StaffMember,
  { token, askedAt }: { token: string; askedAt: Millis },
  now: Millis,
): Promise<Millis | undefined> {
  const token_digest = digestOf(token)
  const known = await findRow(trx, 'staff_links', { token_digest })
  if (known) return known.used_at === null && known.ends_at > now ? known.ends_at : undefined
  if (await hasNewer(trx, staff_id, askedAt)) return undefined
  await endAskedLinks(trx, staff_id, now)
  return await storeLink(
    trx,
    { kind: 'reset', email, role, staff_id, made_by: null, asked_for: 1 },
    { token_digest, created_at: askedAt, ends_at: now + ASKED_LIFE },
    now,
  )
}

const selectAsked = (trx: ControlTrx, staffId: string) =>
  trx
    .selectFrom('staff_links')
    .select('token_digest')
    .where('staff_id', '=', staffId)
    .where('asked_for', '=', 1)

/** An email may be sent late, after one that was asked for later. */
async function hasNewer(trx: ControlTrx, staffId: string, askedAt: Millis): Promise<boolean> {
  const newer = selectAsked(trx, staffId).where('created_at', '>', askedAt).limit(1)
  return (await newer.execute()).length > 0
}

/** The rows stay, so that an email that is tried again finds that its link is over. */
async function endAskedLinks(trx: ControlTrx, staffId: string, now: Millis): Promise<void> {
  await trx
    .updateTable('staff_links')
    .set({ ends_at: now })
    .where('token_digest', 'in', selectAsked(trx, staffId))
    .where('ends_at', '>', now)
    .execute()
}
