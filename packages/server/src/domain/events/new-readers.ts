import type { Db } from '../../db/database.ts'
import type { AccessRow } from '../access/details.ts'
import type { HeldRecord, HeldSource } from '../decision/held-records.ts'
import type { CollectedChange } from '../history/collect.ts'
import type { NewReader } from '../history/history.ts'

export type NewReaders = ReadonlyMap<string, NewReader>

/**
 * Finds the readers whom the transaction has created, by uid. Nobody else can have changed anything about them, so that
 * their rows need not be read. A later change of the same reader makes what an earlier one knew outdated.
 */
export function findNewReaders(changes: readonly CollectedChange[]): NewReaders {
  const found = new Map<string, NewReader>()
  for (const { uid, told } of changes) {
    if (uid === undefined) continue
    if (told?.newReader) found.set(uid, told.newReader)
    else found.delete(uid)
  }
  return found
}

/** The access records of new readers, by id. */
export async function accessOfNewReaders(
  db: Db,
  aid: string,
  readers: NewReaders,
): Promise<Map<string, AccessRow>> {
  if (readers.size === 0) return new Map()
  const { currency: app_currency } = await db
    .selectFrom('applications')
    .select('currency')
    .where('aid', '=', aid)
    .executeTakeFirstOrThrow()
  return new Map(
    [...readers.values()].map(({ access, user: { email, contact_email } }) => [
      access.id,
      { ...access, email, contact_email, app_currency },
    ]),
  )
}

/** The same record with its source, as decisions are made of it. */
export const heldByNewReader = ({ access, source }: NewReader): HeldRecord => ({
  id: access.id,
  rid: access.rid,
  ends: access.ends,
  revoked: access.revoked,
  sources: [grantOf(source)],
})

/** A new reader's access is a grant, which has no payment and no subscription. All columns are spelled out, because
 * spreading so many costs as much as writing the event. */
const grantOf = (source: NewReader['source']): HeldSource => ({
  id: source.id,
  aid: source.aid,
  access_id: source.access_id,
  kind: source.kind,
  created: source.created,
  ends: source.ends,
  closed: source.closed,
  revision: source.revision,
  message_digest: source.message_digest,
  notified: source.notified,
  starts: source.starts,
  period: source.period,
  payment_id: source.payment_id,
  subscription_id: source.subscription_id,
  remaining: source.remaining,
  paid: null,
  currency: null,
  payment_status: null,
  subscription_status: null,
  current_period_end: null,
  trial_ends: null,
  ended: null,
  canceled: null,
  next_due: null,
  next_step: null,
})
