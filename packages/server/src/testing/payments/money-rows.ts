import type { TestApplication } from '../service.ts'

/** Terms of a purchase link to a subscription. */
export const MONTHLY = {
  amount: '4.99',
  currency: 'EUR',
  recurring: true,
  period: '1 month',
} as const

/** All payments, refunds, subscriptions and checkouts of an application. */
export async function moneyOf({ environment, aid }: TestApplication) {
  const { read } = environment.database
  const own = <T extends { aid: string }>(rows: T[]) => rows.filter((row) => row.aid === aid)
  return {
    payments: own(await read.selectFrom('payments').selectAll().execute()),
    refunds: own(await read.selectFrom('refunds').selectAll().execute()),
    subscriptions: own(await read.selectFrom('subscriptions').selectAll().execute()),
    checkouts: own(await read.selectFrom('checkouts').selectAll().execute()),
  }
}
