import type { EnvironmentName } from '../../context.ts'
import type { TestApplication, TestService } from '../service.ts'
import type { TestMember } from '../staff.ts'
import { send, sendSigned, type TestResponse } from './requests.ts'
import { routesOf } from './route-table.ts'

/** Calls each route, with the right to do so where a signature or a session gives it; not those that end the session. */
export async function callEveryRoute(
  service: TestService,
  apps: Record<EnvironmentName, TestApplication>,
  owner: TestMember,
  look: (name: string, response: TestResponse) => void,
): Promise<void> {
  for (const route of routesOf(service)) {
    const [method = '', path = ''] = route.split(' ')
    const name = path.startsWith('/sandbox') ? 'sandbox' : 'production'
    const app = apps[name]
    const target = path
      .replace(':environment', name)
      .replace(':aid', app.aid)
      .replace(/[:*]\w*/g, 'nothing')
    const input = { rid: 'news', user_ref: 'ann', email: 'ann@example.com', lifetime: 60 }
    if (target.includes('/r2/')) look(route, await sendSigned(app, method, target, input))
    if (target.includes('sign-out')) continue
    const browser = { accept: 'text/html', cookie: owner.cookie }
    const same = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }
    for (const headers of [same, { ...same, ...browser }]) {
      look(route, await send(service.url, target, { method, headers, ...body }))
    }
  }
}
