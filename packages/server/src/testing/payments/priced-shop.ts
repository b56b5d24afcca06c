import type { TestDatabase } from '../databases.ts'
import { useFixture } from '../fixtures.ts'
import { useServiceWithPageShop } from '../use-service.ts'

export const ADA = { email: 'ada@example.com' }

/** Runs a service with a shop that sells a pass, by the month or by the year, and an article. */
export function usePricedShop(database: TestDatabase) {
  const { service, shop } = useServiceWithPageShop(database)
  const prices = useFixture(async () => {
    await shop.changeSettings({ return_urls: '["https://magazine.example/read"]' })
    await shop.addResource('pass', { name: 'All issues' })
    const monthly = await shop.addPrice('pass', { recurring: 1, period: '1 month', trial_days: 14 })
    const yearly = await shop.addPrice('pass', { amount: 4_900, recurring: 1, period: '1 year' })
    await shop.addResource('article', { name: 'The long winter' })
    return { monthly, yearly, article: await shop.addPrice('article') }
  })

  const checkouts = () =>
    shop.environment.database.read.selectFrom('checkouts').selectAll().execute()
  const lastCheckout = async () =>
    (await checkouts()).toSorted((a, b) => (a.payment_id < b.payment_id ? -1 : 1)).at(-1)
  return { service, shop, prices, checkouts, lastCheckout }
}
