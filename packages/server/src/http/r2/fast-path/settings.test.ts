import { encodeParameters } from '@gatehouse/sdk/signing'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ENVIRONMENTS } from '../../../context.ts'
import { advanceClock } from '../../../domain/sandbox/clock.ts'
import { databases } from '../../../testing/databases.ts'
import { type RawResponse, sendRaw, signedBytes } from '../../../testing/http/raw-http.ts'
import { sendSigned } from '../../../testing/http/requests.ts'
import type { TestApplication } from '../../../testing/service.ts'
import { useFreshApplication, useService } from '../../../testing/use-service.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SANDBOX_HOST = 'sandbox.example.com'
const PER_ADDRESS = 40
const PER_APPLICATION = 60

/** A header that makes the fast path leave a request to the route, where it has no effect. */
const BY_ROUTE = { 'content-length': '0' }
const KEY = { rid: 'news', user_ref: 'ann' }
const PERSON = { ...KEY, email: 'ann@example.com' }
/** Everything that must be identical in two responses. An ID that the service chose is another in each. */
function shownOf(response: RawResponse | undefined) {
  const withoutChosen = (id: string | undefined) => id?.replace(/^\w{16}$/, 'chosen')
  const { date: _, ...headers } = Object.fromEntries(response?.headers ?? [])
  const body = JSON.parse(response?.body ?? '')
  const id = withoutChosen(body.error?.request_id)
  headers['x-request-id'] = withoutChosen(headers['x-request-id']) ?? 'none'
  return {
    status: response?.status,
    headers,
    id,
    body: response?.body.replace(body.error?.request_id, ''),
  }
}

const TARGET = `/r2/access?${encodeParameters(KEY)}`

describe.each(databases)('With limits, a proxy in front and a sandbox, on $name', (database) => {
  const lines: string[] = []
  const logger = pino({ level: 'silent' }, { write: (line) => lines.push(line) })
  const env = {
    GATEHOUSE_LIMIT_PER_ADDRESS: String(PER_ADDRESS),
    GATEHOUSE_LIMIT_PER_APPLICATION: String(PER_APPLICATION),
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    GATEHOUSE_SANDBOX_HOST: SANDBOX_HOST,
    GATEHOUSE_FAST_PATH_SAMPLE: '1',
  }
  const service = useService(database, { env, logger })
  const second = useService(database, () => ({ installation: service.installation }))
  const inProduction = useFreshApplication(service, { resources: ['news'] })
  const inSandbox = useFreshApplication(service, { resources: ['news'], environment: 'sandbox' })
  const apps = { production: inProduction, sandbox: inSandbox }

  beforeEach(() => {
    // The limits' minute must not end during a test.
    vi.useFakeTimers({ toFake: ['hrtime'] })
    for (const name of ENVIRONMENTS) {
      // A request that arrives while the keys are being refreshed takes the route.
      const { keyring } = service.ctx.environments[name]
      vi.spyOn(keyring, 'refreshIfStale').mockReturnValue(undefined)
    }
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  let addresses = 0
  const newAddress = () => `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`
  const lookUps = (app: TestApplication) => vi.spyOn(app.environment.database, 'lookUp')
  const checkFrom = (address: string, headers = {}, app: TestApplication = inProduction) =>
    sendSigned(app, 'GET', '/r2/access', KEY, {
      headers: { 'x-forwarded-for': address, ...headers },
    })
  const statusFrom = async (...args: Parameters<typeof checkFrom>) =>
    (await checkFrom(...args)).status
  /** The keys of a new application are read when its first request is refused. */
  const grantIn = (app: TestApplication, more = {}) =>
    app.client.grantAccess({ ...PERSON, ...more })

  it.each(ENVIRONMENTS)(
    'checks in the %s environment take the fast path, and get the same bytes',
    async (name) => {
      const app = apps[name]
      await grantIn(app, { expiration: app.environment.clock() + 60 })
      // Only the fast path asks for this.
      const taken = vi.spyOn(app.environment.keyring, 'stableKeys')
      const answerTo = async (headers: string[], version: string, target: string) => {
        const from = [`X-Forwarded-For: ${newAddress()}`, ...headers]
        const prefix = name === 'sandbox' ? '/sandbox' : ''
        const bytes = signedBytes(app, { target, prefix, headers: from })
        return await sendRaw(service.url, bytes.replace('HTTP/1.1', version))
      }
      for (const headers of [
        [],
        ['X-Request-Id: proxy-1234.5'],
        ['X-Request-Id: short'],
        ['X-Request-Id: proxy-1234.5', 'X-Request-Id: proxy-1234.6'],
        [`traceparent: 00-${TRACE}-00f067aa0ba902b7-01`],
        ['X-Real-IP: 10.0.0.1', 'X-Forwarded-Proto: https', 'Via: 1.1 proxy'],
      ]) {
        for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
          for (const target of [TARGET, TARGET.replace('ann', 'nobody')]) {
            taken.mockClear()
            const fast = await answerTo(headers, version, target)
            expect(taken, `${headers} ${version}`).toHaveBeenCalled()
            const route = await answerTo([...headers, 'Content-Length: 0'], version, target)
            expect(shownOf(fast), `${headers} ${version}`).toEqual(shownOf(route))
          }
        }
      }
    },
  )

  it('a request counts once for its address, whichever way it goes', async () => {
    await grantIn(inProduction)
    const address = newAddress()
    const asked = lookUps(inProduction)
    for (let n = 0; n < 10; n++) expect(await statusFrom(address)).toBe(200)
    expect(asked).toHaveBeenCalled()
    for (let n = 0; n < 5; n++) expect(await statusFrom(address, BY_ROUTE)).toBe(200)
    for (let n = 0; n < 5; n++) {
      expect(await statusFrom(address, { authorization: `${inProduction.aid}:x` })).toBe(401)
    }
    for (let n = 0; n < 5; n++) {
      asked.mockRejectedValueOnce(new Error('broken'))
      await inProduction.addResource(`more${n}`)
      expect(await statusFrom(address)).toBe(200)
    }
    // A target that is not canonical is refused before it is counted.
    const wrong = signedBytes(inProduction, {
      target: `${TARGET}#x`,
      headers: [`X-Forwarded-For: ${address}`],
    })
    for (let n = 0; n < 5; n++) expect((await sendRaw(service.url, wrong))?.status).toBe(404)
    for (let n = 25; n < PER_ADDRESS; n++) expect(await statusFrom(address)).toBe(200)
    for (const headers of [{}, BY_ROUTE]) {
      const refused = await checkFrom(address, headers)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    // The address that the trusted proxy itself has seen counts, whatever the client claims.
    expect(await statusFrom(`10.9.9.9, ${address}`)).toBe(429)
    expect(await statusFrom(newAddress())).toBe(200)
  })

  it('of requests that arrive together, exactly as many are let in as the limits allow', async () => {
    await grantIn(inSandbox)
    const statusesFrom = (address: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          statusFrom(address, n % 4 === 0 ? BY_ROUTE : {}, inSandbox),
        ),
      )
    const accepted = (statuses: number[]) => statuses.filter((status) => status === 200).length
    const [one, two] = [newAddress(), newAddress()]
    expect(accepted(await statusesFrom(one, 60))).toBe(PER_ADDRESS)
    // Requests over the limit of their address did not count for the application. The grant did.
    expect(accepted(await statusesFrom(two, 50))).toBe(PER_APPLICATION - PER_ADDRESS - 1)
    // Requests over the limit of the application counted for their address.
    expect(await statusFrom(two, {}, inProduction)).toBe(429)
  })

  it("the sandbox's clock counts at once, whoever moved it", async () => {
    const there = second.ctx.environments.sandbox
    for (let round = 0; round < 5; round++) {
      await grantIn(inSandbox, { expiration: inSandbox.environment.clock() + 10 })
      for (let n = 0; n < 3; n++) expect(await statusFrom(newAddress(), {}, inSandbox)).toBe(200)
      await advanceClock(there, 10)
      const asked = lookUps(inSandbox)
      expect(await statusFrom(newAddress(), {}, inSandbox)).toBe(404)
      expect(asked).toHaveBeenCalled()
      expect(await statusFrom(newAddress(), BY_ROUTE, inSandbox)).toBe(404)
    }
  })

  it("a clock that can't be read leaves the request to the route", async () => {
    await grantIn(inSandbox)
    const clock = vi.spyOn(inSandbox.environment, 'isClockCurrent').mockReturnValue(false)
    const refresh = vi.spyOn(inSandbox.environment, 'refreshClock')
    refresh.mockRejectedValueOnce(new Error('broken'))
    expect(await statusFrom(newAddress(), {}, inSandbox)).toBe(200)
    expect(clock).toHaveBeenCalledOnce()
  })

  it('a sandbox with its own host name is compared with its own route', async () => {
    await grantIn(inSandbox)
    const figure = async (name: string) => {
      const text = await (await fetch(`${service.url}/metrics`)).text()
      return Number(new RegExp(`^gatehouse_fast_path_${name} (\\S+)$`, 'm').exec(text)?.[1])
    }
    const before = await figure('compared_total')
    const asked = lookUps(inSandbox)
    const app = { ...inSandbox, baseUrl: service.url }
    for (let n = 0; n < 5; n++) {
      const { status } = await checkFrom(newAddress(), { host: SANDBOX_HOST }, app)
      expect(status).toBe(200)
    }
    expect(asked).toHaveBeenCalled()
    await expect.poll(() => figure('compared_total'), { interval: 1_000 }).toBeGreaterThan(before)
    expect(await figure('differences_total')).toBe(0)
    expect(await figure('on')).toBe(1)
  })

  it('log lines have the IDs that a request brought', async () => {
    await grantIn(inProduction)
    logger.level = 'debug'
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
    await checkFrom(newAddress(), { traceparent, 'x-request-id': 'proxy-1234.5' })
    logger.level = 'silent'
    const ids = { request_id: 'proxy-1234.5', trace_id: TRACE }
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ ...ids, route: '/r2/access', status: 200 }),
    )
  })
})
