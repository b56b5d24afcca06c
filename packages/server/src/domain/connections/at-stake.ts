import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { listApplications } from '../apps/applications.ts'

/** The unfinished business that would be lost with a payment provider. */
export interface AtStake {
  /** Payments, refunds and opened payment pages without an outcome. */
  payments: number
  /** Subscriptions that have not ended. */
  subscriptions: number
}

/** Counts what depends on one provider, over all applications. */
export async function countAtStake(db: Db, provider: string): Promise<AtStake> {
  const total = { payments: 0, subscriptions: 0 }
  for (const { aid } of await listApplications(db)) {
    const { rows } = await sql<{ pending: number; subscriptions: number }>`select
      (select count(*) from payments
        where aid = ${aid} and status = 'pending' and provider = ${provider})
      + (select count(*) from refunds r join payments p on p.aid = r.aid and p.id = r.payment_id
        where r.aid = ${aid} and r.status = 'pending' and p.provider = ${provider})
      + (select count(*) from checkouts
        where aid = ${aid} and status = 'open' and provider_ref is not null
          and provider = ${provider}) as pending,
      (select count(*) from subscriptions
        where aid = ${aid} and status in ('trialing', 'active', 'past_due')
          and provider = ${provider}) as subscriptions`.execute(db)
    total.payments += Number(rows[0]?.pending ?? 0)
    total.subscriptions += Number(rows[0]?.subscriptions ?? 0)
  }
  return total
}

export const isAnythingAtStake = ({ payments, subscriptions }: AtStake) =>
  payments + subscriptions > 0

/** Returns references by which an account recognizes what we sold through it: the newest payment and the newest payment
 * page. */
export async function findProviderRefs(
  db: Db,
  provider: string,
): Promise<{ payment: string | undefined; checkout: string | undefined }> {
  const newest: { at: number; payment?: string; checkout?: string }[] = []
  for (const { aid } of await listApplications(db)) {
    for (const table of ['payments', 'checkouts'] as const) {
      const row = await db
        .selectFrom(table)
        .select(['provider_ref', 'created'])
        .where((eb) => eb.and({ aid, provider }))
        .where('provider_ref', 'is not', null)
        .orderBy('created', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (row?.provider_ref == null) continue
      const kind = table === 'payments' ? 'payment' : 'checkout'
      newest.push({ at: row.created, [kind]: row.provider_ref })
    }
  }
  newest.sort((a, b) => b.at - a.at)
  return {
    payment: newest.find((one) => one.payment !== undefined)?.payment,
    checkout: newest.find((one) => one.checkout !== undefined)?.checkout,
  }
}
