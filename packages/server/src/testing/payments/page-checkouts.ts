import { beforeAll } from 'vitest'
import type { TestDatabase } from '../databases.ts'
import { useServiceWithPageShop } from '../use-service.ts'
import { goToPayment, type PageShop } from './page-shop.ts'

export const ADA = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
export const RETURN = 'https://magazine.example/read/7?a=1#top'

/** Runs a service with a shop that sells an article, and starts checkouts there. */
export function useCheckouts(database: TestDatabase) {
  const { service, shop } = useServiceWithPageShop(database)
  beforeAll(async () => {
    await shop.changeSettings({ return_urls: '["https://magazine.example"]' })
    await shop.addResource('article', {
      name: 'The long winter',
      url: 'https://magazine.example/7',
    })
  })

  let readers = 0
  /** Starts a checkout by a link that names a new reader; returns the payment page. */
  async function begin(more: Partial<Parameters<PageShop['link']>[0]> = {}): Promise<string> {
    readers += 1
    const input = { rid: 'article', amount: '2.90', currency: 'EUR', user_ref: `reader-${readers}` }
    return await goToPayment(await shop.link({ ...input, ...more }), ADA)
  }
  const lastReader = () => `reader-${readers}`
  const doneOf = async (payment: string) =>
    (await shop.cards.session(payment.split('/').at(-1) as string))?.doneUrl as string
  return { service, shop, begin, lastReader, doneOf }
}
