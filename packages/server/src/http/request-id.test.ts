import { expect, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { startTestService } from '../testing/service.ts'

const [sqlite] = databases
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

it('a request keeps the ID that it brings, in the response and in the error, and gets one otherwise', async () => {
  const service = await startTestService(sqlite)
  const ask = async (headers: Record<string, string>) => {
    const response = await fetch(`${service.url}/r2/access?rid=news&user_ref=ann`, { headers })
    const { error } = (await response.json()) as { error: { request_id: string } }
    return [response.headers.get('x-request-id'), error.request_id]
  }
  expect(await ask({ 'x-request-id': 'proxy-1234.5' })).toEqual(['proxy-1234.5', 'proxy-1234.5'])
  for (const wrong of ['short', 'with space 123', `${'a'.repeat(129)}`, '<b>12345678</b>']) {
    const [header, id] = await ask({ 'x-request-id': wrong })
    expect(header).toBe(id)
    expect(id).toMatch(/^\w{16}$/)
  }
  const [header, id] = await ask({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01` })
  expect(header).toBe(id)
  const [none, own] = await ask({})
  expect(none).toBeNull()
  expect(own).toMatch(/^\w{16}$/)
  await service.stop()
})
