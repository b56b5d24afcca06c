import {
  type CheckoutRow,
  createCheckout,
  startCheckout,
} from '../../domain/payments/checkout/checkouts.ts'
import type { TestDatabase } from '../databases.ts'
import { useFreshShop, useService } from '../use-service.ts'
import { ONCE } from './shop.ts'

/** Runs a service, and opens a new shop for each test, whose buyers can be left half-way. */
export function useEdgeShop(database: TestDatabase) {
  const service = useService(database)
  const shop = useFreshShop(service, 'article', 'pass')

  const env = () => shop.environment
  const named = (user_ref: string, rid = 'pass') => ({ rid, user_ref })
  const statusOf = async (user_ref: string) =>
    (await shop.client.searchSubscriptions(named(user_ref))).data[0]?.status
  const paymentsOf = async (user_ref: string) =>
    (await shop.client.searchPayments({ user_ref })).data
  /** Simulates downtime: the clock advances and no worker runs. */
  const beAway = (seconds: number) => service.clock.advance(seconds)

  const urls = { done: 'http://localhost/', back: 'http://localhost/' }
  /** Opens a checkout and its page at the provider, without paying. */
  async function goToPay(input: {
    rid: string
    userRef: string
  }): Promise<CheckoutRow & { page: string }> {
    const checkout = await createCheckout(env(), {
      aid: shop.aid,
      terms: ONCE,
      typedEmail: `${input.userRef}@example.com`,
      firstName: '',
      lastName: '',
      ...input,
    })
    const url = await startCheckout(env(), checkout, urls)
    return { ...checkout, page: url.split('/').at(-1) as string }
  }
  return { service, shop, env, named, statusOf, paymentsOf, beAway, urls, goToPay }
}
