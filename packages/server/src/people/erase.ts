import type { Times } from '../access/grant-wish.ts'
import type { Trx } from '../db/database.ts'
import { lockOrder } from '../db/lock-order.ts'
import type { Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { recordHistory } from '../history/history.ts'
import { eraseMails } from '../outbox/person.ts'
import { revokeWithRefund } from '../payments/revoke.ts'
import type { Subject } from '../users/change.ts'
import { lockUsers } from '../users/users.ts'
import { forgetPayer } from './money.ts'

export interface Erasure {
  /** Access that was open and is now revoked. */
  revoked: number
  references: number
  mails: number
}

/** Ends all access of a person and forgets who it was. The uid stays, with a history that names
 * nobody; the address is free for a new user. */
export async function eraseUser(trx: Trx, who: Subject, times: Times): Promise<Erasure> {
  const { aid, uid, actor } = who
  const { now } = times
  const [user] = await lockUsers(trx, aid, [uid])
  if (!user) throw fail('user_not_found')
  await forgetPayer(trx, user)
  const revoked = await revokeAll(trx, who, times)
  await trx
    .updateTable('access')
    .set({ user_ref: null })
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .execute()
  // After the access no longer shows them: the database lets no access show a reference that is not there.
  const references = await forgetReferences(trx, who)
  const mails = await eraseMails(trx, aid, uid)
  await blankUser(trx, who, now)
  await recordHistory(trx, [{ aid, uid, at: now, actor, action: 'user erased' }])
  return { revoked, references, mails }
}

/** The row stays, so that its uid keeps its meaning; who it was is gone. */
export async function blankUser(
  trx: Trx,
  { aid, uid }: { aid: string; uid: string },
  now: Seconds,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      email: null,
      email_key: null,
      contact_email: null,
      first_name: '',
      last_name: '',
      erased: now,
    })
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .execute()
}

/** Aliases too: the uids of users who were merged into this one name nobody from then on. */
async function forgetReferences(trx: Trx, { aid, uid }: Subject): Promise<number> {
  const gone = await trx
    .deleteFrom('user_refs')
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .returning('ref')
    .execute()
  return gone.length
}

async function revokeAll(trx: Trx, { aid, uid, actor }: Subject, times: Times): Promise<number> {
  const open = await trx
    .selectFrom('access')
    .select('rid')
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .where('revoked', 'is', null)
    .orderBy(lockOrder('id'))
    .forUpdate()
    .execute()
  for (const { rid } of open) {
    await revokeWithRefund(trx, { aid, rid, uid, actor, refund: false }, times)
  }
  return open.length
}
