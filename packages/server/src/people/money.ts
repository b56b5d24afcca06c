import type { Db, Trx } from '../db/database.ts'
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

/** Payments and subscriptions follow the person. */
export async function moveMoney(trx: Trx, { aid, from, into }: Pair): Promise<void> {
  for (const table of ['payments', 'subscriptions'] as const) {
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

/** What was typed at checkouts goes, and the names of cards; that money moved, and how much, stays. */
export async function forgetPayer(
  trx: Trx,
  { aid, uid }: { aid: string; uid: string },
): Promise<void> {
  await trx
    .updateTable('checkouts')
    .set({
      user_ref: null,
      vouched_email: null,
      typed_email: null,
      first_name: '',
      last_name: '',
      return_url: null,
    })
    .where('aid', '=', aid)
    .where((eb) =>
      eb.or([
        eb(
          'id',
          'in',
          eb
            .selectFrom('payments')
            .select('checkout_id')
            .where('aid', '=', aid)
            .where('uid', '=', uid)
            .where('checkout_id', 'is not', null)
            .$castTo<{ checkout_id: string }>(),
        ),
        eb(
          'subscription_id',
          'in',
          eb.selectFrom('subscriptions').select('id').where('aid', '=', aid).where('uid', '=', uid),
        ),
      ]),
    )
    .execute()
  await trx
    .updateTable('subscriptions')
    .set({ method: null })
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .execute()
}

/** What somebody paid, and is paying. */
export async function collectMoney(db: Db, aid: string, uid: string) {
  const subscriptions = await db
    .selectFrom('subscriptions')
    .select(['id', 'rid', 'status', 'amount', 'currency', 'period', 'created'])
    .select(['trial_ends', 'current_period_start', 'current_period_end', 'canceled', 'ended'])
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .orderBy('created')
    .orderBy('id')
    .execute()
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'rid', 'subscription_id', 'amount', 'refunded', 'currency', 'status'])
    .select(['flag', 'failure', 'provider', 'provider_ref', 'created', 'settled'])
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .orderBy('created')
    .orderBy('id')
    .execute()
  return { subscriptions, payments }
}
