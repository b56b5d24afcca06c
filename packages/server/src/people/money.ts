import type { Trx } from '../db/database.ts'
import { fail } from '../errors.ts'

interface Pair {
  aid: string
  from: string
  into: string
}

/** Two subscriptions to one thing can't become one: which is to be paid on, and which paid back, is not
 * for a merge to decide. */
export async function requireNoTwoSubscriptions(
  trx: Trx,
  { aid, from, into }: Pair,
): Promise<void> {
  const open = await trx
    .selectFrom('subscriptions')
    .select(['rid', 'uid'])
    .where('aid', '=', aid)
    .where('uid', 'in', [from, into])
    .where('status', '<>', 'ended')
    .execute()
  const both = open.find(({ rid, uid }) =>
    open.some((other) => other.rid === rid && other.uid !== uid),
  )
  if (both) {
    throw fail(
      'already_subscribed',
      `Both users have a subscription to ${both.rid} that is not ended. End one of them first, ` +
        'with: gatehouse access revoke.',
    )
  }
}

/** Payments, subscriptions and checkouts follow the person. */
export async function moveMoney(trx: Trx, { aid, from, into }: Pair): Promise<void> {
  for (const table of ['payments', 'subscriptions', 'checkouts'] as const) {
    await trx
      .updateTable(table)
      .set({ uid: into })
      .where('aid', '=', aid)
      .where('uid', '=', from)
      .execute()
  }
}

/** They follow the access, where two records become one. */
export async function moveMoneyOfAccess(
  trx: Trx,
  aid: string,
  gone: string,
  kept: string,
): Promise<void> {
  for (const table of ['payments', 'subscriptions'] as const) {
    await trx
      .updateTable(table)
      .set({ access_id: kept })
      .where('aid', '=', aid)
      .where('access_id', '=', gone)
      .execute()
  }
}
