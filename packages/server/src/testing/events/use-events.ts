import { findLastPosition, listEvents } from '../../domain/events/list.ts'
import type { TestDatabase } from '../databases.ts'
import { useFreshShop, useService } from '../use-service.ts'

/** Runs a service; each test has a new shop, and can list the events of it. */
export function useEvents(database: TestDatabase) {
  const service = useService(database)
  const shop = useFreshShop(service, 'news', 'archive')

  const db = () => shop.environment.database
  const now = () => shop.environment.clock()
  const clocks = () => ({ now: now(), realTime: shop.environment.realTime() })
  const all = async (after = 0) =>
    (await listEvents(db(), shop.aid, { after, limit: 1000 })).map(({ body }) => JSON.parse(body))
  /** The events that `act` causes. */
  async function eventsOf(act: () => Promise<unknown>) {
    const last = await findLastPosition(db(), shop.aid)
    await act()
    return await all(last)
  }
  const typesOf = async (act: () => Promise<unknown>) =>
    (await eventsOf(act)).map(({ type }) => type)
  async function listed() {
    const entitlements: unknown[] = []
    for await (const one of shop.client.listEntitlements({ user_ref: 'ann' }))
      entitlements.push(one)
    return entitlements
  }
  const ann = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
  return { service, shop, ann, db, now, clocks, all, eventsOf, typesOf, listed }
}
