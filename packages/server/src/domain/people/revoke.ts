import type { Db, Trx } from '../../db/database.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail, requireFound } from '../../errors.ts'
import { findAccessById } from '../access/details.ts'
import type { Clocks } from '../access/grants/input.ts'
import { listSourceDetails } from '../access/source-details.ts'
import type { PaymentRow } from '../payments/payments.ts'
import { refundableAmount } from '../payments/refunds/orders.ts'
import {
  listRefundablePayments,
  type RevokeResult,
  revokeWithRefund,
} from '../payments/refunds/revoke.ts'
import { mailAddressOf } from '../users/buyer.ts'
import { findLiveUser, lockUsers } from '../users/users.ts'

interface Which {
  aid: string
  id: string
}

async function getUnrevoked(db: Db, { aid, id }: Which) {
  const access = await findAccessById(db, aid, id)
  if (!access || access.revoked !== null) throw fail('access_not_found')
  return access
}

export async function revokeById(
  trx: Trx,
  input: Which & { actor: string; refund: boolean },
  clocks: Clocks,
): Promise<RevokeResult> {
  const { aid, actor, refund } = input
  const { uid } = await getUnrevoked(trx, input)
  // Prevents a merge from moving the record to another user before it is read again.
  await lockUsers(trx, aid, [uid])
  const access = await getUnrevoked(trx, input)
  const who = { aid, rid: access.rid, uid: access.uid, actor, refund }
  return requireFound(await revokeWithRefund(trx, who, clocks), 'access_not_found')
}

/** Previews a revoke: what it would end, what it could refund, and where the email about a refund would go. The subscription
 * of an open source has not ended. */
export async function previewRevoke(db: Db, which: Which, now: Seconds) {
  const access = await getUnrevoked(db, which)
  const sources = (await listSourceDetails(db, which.aid, which.id)).filter(
    ({ closed }) => closed === null,
  )
  const ids = sources.flatMap(({ subscription_id }) => subscription_id ?? [])
  const subscriptions = await listRows(db, 'subscriptions', { aid: which.aid, id: ids })
  const refundable: { payment: PaymentRow; left: number }[] = []
  for (const payment of await listRefundablePayments(db, sources, { now })) {
    refundable.push({ payment, left: await refundableAmount(db, payment) })
  }
  const user = await findLiveUser(db, which.aid, access.uid)
  const mailAddress = user && mailAddressOf(user)
  return { access, sources, subscriptions, refundable, mailAddress }
}
