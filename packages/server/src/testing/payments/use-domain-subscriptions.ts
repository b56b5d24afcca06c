import { updateRows } from '../../db/queries/rows.ts'
import { beginRenewal, type Renewal } from '../../domain/payments/renewals/orders.ts'
import { getSubscription, type SubscriptionRow } from '../../domain/subscriptions/subscriptions.ts'
import { MONTHLY, type Purchase } from './shop.ts'
import { useDomainShop } from './use-domain-shop.ts'

/** Opens a new shop for each test, whose readers subscribe, and whose renewals are ordered one by one. */
export function useDomainSubscriptions() {
  const domainShop = useDomainShop()
  const { shop, env, db } = domainShop

  const read = (id: string) => getSubscription(db().read, shop.aid, id)

  async function subscribe(purchase: Partial<Purchase> = {}): Promise<SubscriptionRow> {
    const terms = { ...MONTHLY, ...purchase.terms }
    const bought = await shop.buy({ rid: 'pass', userRef: 'ann', ...purchase, terms })
    return await read(bought.subscription_id as string)
  }

  async function change(
    { aid, id }: SubscriptionRow,
    changes: Partial<SubscriptionRow>,
  ): Promise<SubscriptionRow> {
    await db().write((trx) => updateRows(trx, 'subscriptions', { aid, id }, changes))
    return await read(id)
  }

  const at = (now: number) => ({ now, realTime: env().realTime() })

  /** Orders the next renewal. */
  const begin = (row: SubscriptionRow, now = row.current_period_end): Promise<Renewal> =>
    db().write((trx) => beginRenewal(trx, env(), row, 'installation', at(now)))

  return { ...domainShop, read, subscribe, change, at, begin }
}
