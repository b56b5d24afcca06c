import { databases } from '../databases.ts'
import { useFreshShop, useService } from '../use-service.ts'

/**
 * Opens a new shop for each test of domain functions, with one resource, `pass`. It runs on one database: the same
 * queries run on both, and what differs between them is tested with the front doors.
 */
export function useDomainShop() {
  const service = useService(databases[0], { checksInvariants: false })
  const shop = useFreshShop(service, 'pass')
  const env = () => shop.environment
  return { service, shop, env, db: () => env().database }
}
