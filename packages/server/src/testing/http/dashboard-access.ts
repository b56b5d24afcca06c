import type { AccessItem, AccessList } from '../../http/dashboard/access/schemas.ts'
import type { TestDatabase } from '../databases.ts'
import { useFreshFixture } from '../fixtures.ts'
import { useFreshShop, useService, useSignedIn } from '../use-service.ts'

/** Runs a service with signed-in staff, who grant access of a new shop in each test. */
export function useDashboardAccess(database: TestDatabase) {
  const service = useService(database)
  const staff = useSignedIn(service, 'support')
  const owner = useSignedIn(service, 'owner')
  const app = useFreshShop(service, 'news', 'maps')
  const at = useFreshFixture(async () => staff.of(app))

  const list = async (query = '') => (await at.request<AccessList>('GET', `/access${query}`)).body
  const grant = async (email: string, more: object = {}) => {
    const input = { rid: 'news', email: `${email}@example.com`, ...more }
    return (await at.request<AccessItem>('POST', '/access/grant', input)).body
  }
  const post = <T>(path: string, body: object) => at.request<T>('POST', path, body)
  return { service, staff, owner, app, at, list, grant, post }
}
