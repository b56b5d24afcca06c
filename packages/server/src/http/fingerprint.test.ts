import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { databases } from '../testing/databases.ts'
import { callEveryRoute } from '../testing/http/every-route.ts'
import { sendRaw } from '../testing/http/raw-http.ts'
import { send, type TestResponse } from '../testing/http/requests.ts'
import { useApplication, useOwner, useService } from '../testing/use-service.ts'
import { version } from '../version.ts'

/** Every header that we send. Before you add one, make sure that it doesn't reveal what runs here. */
const HEADERS = [
  ...['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...[
    'content-disposition',
    'location',
    'retry-after',
    'set-cookie',
    'transfer-encoding',
    'vary',
    'etag',
    'gatehouse-time',
    'www-authenticate',
  ],
  ...['content-security-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'],
  ...['permissions-policy', 'strict-transport-security'],
  ...['referrer-policy', 'x-content-type-options', 'x-robots-tag'],
]

const fastify = JSON.parse(
  readFileSync(new URL(import.meta.resolve('fastify/package.json')), 'utf8'),
) as { version: string }

/** The message of an exception, which must not be in any answer. */
const SECRET = 'the secret of an exception'
/** Texts that no error response may contain, in any letter case. */
const TELLING = [
  ...[SECRET, version(), process.version, fastify.version],
  ...['fastify', 'node.js', 'node_modules', 'node:', '.ts:', '.mjs', '\n    at '],
  ...['sqlite', 'postgres', process.cwd()],
]

function requireNothingTold(name: string, { status, headers, text }: TestResponse): void {
  const further = Object.keys(headers).filter((header) => !HEADERS.includes(header))
  expect([name, further]).toEqual([name, []])
  if (status < 400) return
  const told = TELLING.filter((one) => text.toLowerCase().includes(one.toLowerCase()))
  expect([name, told]).toEqual([name, []])
}

describe('no answer tells what runs here', () => {
  const service = useService(databases[0])
  const production = useApplication(service)
  const sandbox = useApplication(service, { environment: 'sandbox' })
  const owner = useOwner(service)
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const callAll = (look: (name: string, response: TestResponse) => void) =>
    callEveryRoute(service, { production, sandbox }, owner, look)

  it('by any route', async () => {
    await callAll(requireNothingTold)
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      requireNothingTold(method, await send(service.url, '/nothing', { method }))
    }
  })

  it('when something of ours fails', async () => {
    for (const { database } of Object.values(service.ctx.environments)) {
      for (const name of ['selectFrom', 'selectNoFrom'] as const) {
        vi.spyOn(database.read, name).mockImplementation(() => {
          throw new TypeError(SECRET)
        })
      }
      vi.spyOn(database, 'write').mockRejectedValue(new TypeError(SECRET))
    }
    const statuses: number[] = []
    await callAll((name, response) => {
      statuses.push(response.status)
      requireNothingTold(name, response)
    })
    expect(statuses.filter((status) => status === 500).length).toBeGreaterThan(50)
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a bad header', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['an endless header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(170_000)}\r\n\r\n`],
    ['a bad length', 'POST /r2/access/grant HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
  ])('when the request is %s', async (name, bytes) => {
    const answer = await sendRaw(service.url, bytes)
    if (!answer) throw new Error('there is no answer')
    const { status, headers, body } = answer
    expect(status).toBe(400)
    requireNothingTold(name, { status, headers: Object.fromEntries(headers), text: body })
  })
})
