import type { Db, Trx } from '../../db/database.ts'
import type { Seconds, TrialTable } from '../../db/tables.ts'
import { trialDigest } from '../../signing/trial-digest.ts'
import { emailKey } from '../users/email.ts'
import { findUserByEmail } from '../users/user-email.ts'

/** Everything that can identify a person who wants a trial. */
export interface TrialReader {
  aid: string
  rid: string
  /** Undefined for a person who is not a user yet. */
  uid: string | undefined
  /** Vouched for, typed, or on record. */
  emails: readonly string[]
  /** The provider's fingerprint of the card, if it has one. */
  card?: string | undefined
}

/** A trial is given once per reader, per email address and per card. */
export async function hasHadTrial(db: Db, key: Buffer, reader: TrialReader): Promise<boolean> {
  if (await hasHadTrialByUid(db, reader)) return true
  const marks = trialDigests(key, reader).map(({ mark }) => mark)
  if (marks.length === 0) return false
  const taken = await db
    .selectFrom('trials')
    .select('mark')
    .where((eb) => eb.and({ aid: reader.aid, rid: reader.rid }))
    .where('mark', 'in', marks)
    .limit(1)
    .execute()
  return taken.length > 0
}

/** A merge moves subscriptions to the other user, so an earlier trial counts there too. */
async function hasHadTrialByUid(db: Db, { aid, rid, uid, emails }: TrialReader): Promise<boolean> {
  const uids = uid === undefined ? [] : [uid]
  for (const email of emails) {
    const owner = await findUserByEmail(db, aid, email)
    if (owner) uids.push(owner.uid)
  }
  if (uids.length === 0) return false
  const earlier = await db
    .selectFrom('subscriptions')
    .select('id')
    .where((eb) => eb.and({ aid, rid }))
    .where('uid', 'in', uids)
    .where('trial_ends', 'is not', null)
    .limit(1)
    .execute()
  return earlier.length > 0
}

/** Claims the trial for this reader. Returns false if it was used before, even by a concurrent claim. */
export async function claimTrial(
  trx: Trx,
  key: Buffer,
  reader: TrialReader,
  now: Seconds,
): Promise<boolean> {
  if (await hasHadTrial(trx, key, reader)) return false
  const rows = trialDigests(key, reader).map((mark) => ({ ...mark, created: now }))
  if (rows.length === 0) return true
  // A fixed order, so that concurrent claims can't deadlock.
  const claimed = await trx
    .insertInto('trials')
    .values(rows.sort((a, b) => (a.mark < b.mark ? -1 : 1)))
    .onConflict((conflict) => conflict.doNothing())
    .returning('mark')
    .execute()
  if (claimed.length === rows.length) return true
  await releaseTrial(trx, reader, claimed)
  return false
}

/** A trial that is refused because of the card must not use up the email address. */
async function releaseTrial(
  trx: Trx,
  { aid, rid }: TrialReader,
  claimed: readonly { mark: string }[],
): Promise<void> {
  if (claimed.length === 0) return
  await trx
    .deleteFrom('trials')
    .where((eb) => eb.and({ aid, rid }))
    .where(
      'mark',
      'in',
      claimed.map(({ mark }) => mark),
    )
    .execute()
}

function trialDigests(
  key: Buffer,
  { aid, rid, emails, card }: TrialReader,
): Omit<TrialTable, 'created'>[] {
  const names = [
    ...[...new Set(emails.map(emailKey))].map((name) => ({ kind: 'email' as const, name })),
    ...(card === undefined ? [] : [{ kind: 'card' as const, name: card }]),
  ]
  return names.map(({ kind, name }) => {
    return { aid, rid, kind, mark: trialDigest(key, [aid, rid, kind, name]) }
  })
}
