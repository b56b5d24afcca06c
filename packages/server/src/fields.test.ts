import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, inProcessCli } from './testing/cli.ts'
import { signInAs, type TestStaff } from './testing/dashboard-api.ts'
import { databases } from './testing/databases.ts'
import { send, sendSigned } from './testing/http/requests.ts'
import { startTestService, type TestApplication, type TestService } from './testing/service.ts'

interface ErrorBody {
  error: { message: string; parameter?: string; problem?: string }
}

/** A value that no entry point may accept, and how each one is given it. */
interface Case {
  parameter: string
  problem: string
  api?: [method: string, path: string, parameters: Record<string, string>]
  dashboard: [path: string, body: object]
  cli: string[]
}

const refusedRid = (rid: string, problem: string): Case => ({
  parameter: 'rid',
  problem,
  api: ['GET', '/r2/access', { rid, user_ref: 'ann' }],
  dashboard: ['/resources', { rid, name: 'News' }],
  cli: ['resource', 'create', '--rid', rid, '--name', 'News'],
})

const PRICE = ['price', 'create', '--rid', 'news']
const CASES: Case[] = [
  refusedRid('a b', 'must not contain white space'),
  refusedRid('x'.repeat(256), 'must have at most 255 characters'),
  {
    parameter: 'email',
    problem: 'not a valid email address',
    api: ['POST', '/r2/access/grant', { rid: 'news', email: 'nobody' }],
    dashboard: ['/access/grant', { rid: 'news', email: 'nobody' }],
    cli: ['access', 'grant', '--rid', 'news', '--email', 'nobody'],
  },
  {
    parameter: 'first_name',
    problem: 'must not contain control characters',
    api: ['POST', '/r2/access/grant', { rid: 'news', email: 'a@b.c', first_name: 'a\u0007' }],
    dashboard: ['/access/grant', { rid: 'news', email: 'a@b.c', first_name: 'a\u0007' }],
    cli: ['access', 'grant', '--rid', 'news', '--email', 'a@b.c', '--first-name', 'a\u0007'],
  },
  {
    parameter: 'tags',
    problem: 'each tag must not be empty',
    api: ['POST', '/r2/access/grant', { rid: 'news', email: 'a@b.c', tags: 'a,,b' }],
    dashboard: ['/access/grant', { rid: 'news', email: 'a@b.c', tags: 'a,,b' }],
    cli: ['access', 'grant', '--rid', 'news', '--email', 'a@b.c', '--tags', 'a,,b'],
  },
  {
    parameter: 'url',
    problem: 'must be a URL like https://example.com/page',
    dashboard: ['/resources', { rid: 'other', name: 'Other', url: 'ftp://example.com' }],
    cli: ['resource', 'create', '--rid', 'other', '--name', 'Other', '--url', 'ftp://example.com'],
  },
  {
    parameter: 'currency',
    problem: 'not a currency; use an ISO 4217 code such as EUR',
    dashboard: ['/resources/news/prices', { amount: 1, currency: 'XXZ' }],
    cli: [...PRICE, '--amount', '1', '--currency', 'XXZ'],
  },
  {
    parameter: 'period',
    problem: 'must be a period such as "1 month", "2 weeks" or "30 days", ten years at most',
    dashboard: ['/resources/news/prices', { amount: 1, currency: 'EUR', period: '11 years' }],
    cli: [...PRICE, '--amount', '1', '--for', '11 years'],
  },
  {
    parameter: 'amount',
    problem: 'must be more than 0 and at most 999999.99 EUR',
    dashboard: ['/resources/news/prices', { amount: 100_000_000, currency: 'EUR' }],
    cli: [...PRICE, '--amount', '1000000', '--currency', 'EUR'],
  },
]

describe('a value that is wrong', () => {
  let service: TestService
  let app: TestApplication
  let staff: TestStaff
  let cli: Cli

  beforeAll(async () => {
    service = await startTestService(databases[0], { useRealTime: true })
    app = await service.newApplication('sandbox')
    await app.addResource('news')
    staff = await signInAs(service, 'owner')
    cli = inProcessCli(service.installation.env)
  })
  afterAll(() => service.stop())

  it.each(CASES)('is refused everywhere in the same words: $parameter $problem', async (one) => {
    const { parameter, problem, api, dashboard, cli: args } = one
    const message = `${parameter}: ${problem}`
    if (api) {
      const response = await sendSigned(app, ...api)
      expect(response.status).toBe(400)
      const { error } = JSON.parse(response.text) as ErrorBody
      expect(error).toEqual({
        code: 'invalid_parameter',
        ...{ message, parameter, request_id: expect.any(String) },
      })
    }
    const shown = await staff.of(app).request<ErrorBody>('POST', ...dashboard)
    expect(shown.status).toBe(400)
    expect(shown.body.error).toMatchObject({ message, parameter, problem })
    const { code, stderr } = await cli.run(...args, '--aid', app.aid)
    expect(code).toBe(1)
    expect(stderr.toLowerCase()).toContain(problem.toLowerCase())
    expect(stderr).toContain(parameter.replaceAll('_', '-').replace('period', 'for'))
  })

  it('in a purchase link is named like in the API', async () => {
    const link = await app.client.purchaseLink({ rid: 'news', amount: '4.999', currency: 'EUR' })
    const { pathname, search } = new URL(link)
    const { status, text } = await send(service.url, pathname + search, {
      headers: { accept: 'application/json' },
    })
    expect({ status, ...(JSON.parse(text) as ErrorBody).error }).toMatchObject({
      status: 400,
      message: 'amount: not a valid EUR amount; write it like 4.99, with at most 2 decimals',
      parameter: 'amount',
    })
  })
})
