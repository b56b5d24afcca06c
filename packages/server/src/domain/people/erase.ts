import type { Trx } from '../../db/database.ts'
import { lockSortKey } from '../../db/postgres/lock-order.ts'
import type { Clocks } from '../access/grants/input.ts'
import { redactEvents } from '../events/redact.ts'
import { recordHistory } from '../history/history.ts'
import { redactHistory } from '../history/redact.ts'
import { eraseAnswers } from '../idempotency/reader-answers.ts'
import { eraseMails } from '../mail/user-mails.ts'
import { revokeWithRefund } from '../payments/refunds/revoke.ts'
import { eraseRefusedChecks } from '../refusals/refused-checks.ts'
import type { Subject } from '../users/change.ts'
import { eraseFormerAddresses } from '../users/former-addresses.ts'
import { eraseNotes } from '../users/notes.ts'
import { lockUser } from '../users/users.ts'
import { anonymizeUser } from './anonymize-user.ts'
import { eraseAccess } from './erase-access.ts'
import { endCheckouts, lockCheckoutsOf } from './erase-checkouts.ts'
import { eraseMoney } from './erase-money.ts'
import { enqueueErasureFollowUp } from './erasures.ts'
import { listUids } from './person-data.ts'

/** The changes that an erasure made. */
export interface Erasure {
  /** How many access records it revoked; those that were revoked before do not count. */
  revoked: number
  references: number
  mails: number
}

/** Ends all access, subscriptions and open checkouts of a user and removes the personal data. The uid stays, with a
 * history that names nobody. The email address and former ones can be used by a new user. */
export async function eraseUser(trx: Trx, who: Subject, clocks: Clocks): Promise<Erasure> {
  const { aid, uid, actor } = who
  const { now } = clocks
  await lockCheckoutsOf(trx, who)
  const user = await lockUser(trx, who)
  await endCheckouts(trx, user, clocks)
  const revoked = await revokeAll(trx, who, clocks)
  await eraseAccess(trx, aid, uid)
  // Must follow `eraseAccess`: the database rejects an access record whose reference does not exist.
  const references = await eraseReferences(trx, who)
  await eraseFormerAddresses(trx, aid, uid)
  await eraseMoney(trx, aid, uid)
  await eraseNotes(trx, aid, uid)
  await eraseRefusedChecks(trx, aid, uid)
  await eraseAnswers(trx, aid, uid)
  const mails = await eraseMails(trx, aid, uid)
  await anonymizeUser(trx, who, now)
  const uids = await listUids(trx, aid, uid)
  await redactHistory(trx, aid, uids)
  await redactEvents(trx, aid, uids)
  await recordHistory(trx, [
    { aid, uid, at: now, actor, action: 'user erased', told: { references } },
  ])
  await enqueueErasureFollowUp(trx, who, clocks.realTime)
  return { revoked, references: references.length, mails }
}

/** Deletes aliases too: the uids of users who were merged into this one then name nobody. */
async function eraseReferences(trx: Trx, { aid, uid }: Subject): Promise<string[]> {
  const gone = await trx
    .deleteFrom('user_refs')
    .where((eb) => eb.and({ aid, uid }))
    .returning('ref')
    .execute()
  return gone.map(({ ref }) => ref).sort()
}

async function revokeAll(trx: Trx, { aid, uid, actor }: Subject, clocks: Clocks): Promise<number> {
  const open = await trx
    .selectFrom('access')
    .select('rid')
    .where((eb) => eb.and({ aid, uid }))
    .where('revoked', 'is', null)
    .orderBy(lockSortKey('id'))
    .forUpdate()
    .execute()
  for (const { rid } of open) {
    await revokeWithRefund(trx, { aid, rid, uid, actor, refund: false }, clocks)
  }
  return open.length
}
