import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../../logging/logger.ts'
import { databases } from '../../../testing/databases.ts'
import { sendSigned } from '../../../testing/http/requests.ts'
import {
  startTestService,
  type TestApplication,
  type TestService,
} from '../../../testing/service.ts'

/** Sends many requests, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 600_000 })

describe.each(databases)('Answers of the fast path that are compared, on $name', (database) => {
  let service: TestService
  let app: TestApplication
  const logger = createLogger('silent')
  const key = { rid: 'news', user_ref: 'ann' }

  async function start(env: Record<string, string>): Promise<void> {
    service = await startTestService(database, { env, logger })
    app = await service.newApplication()
    await app.addResource('news')
    await app.client.grantAccess({ ...key, email: 'ann@example.com' })
    // A request that arrives while the keys are being refreshed takes the route.
    vi.spyOn(app.environment.keyring, 'refreshIfStale').mockReturnValue(undefined)
  }
  afterEach(async () => {
    vi.restoreAllMocks()
    await service.stop()
  })

  const check = async () => (await sendSigned(app, 'GET', '/r2/access', key)).text
  const figure = async (name: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    return Number(new RegExp(`^gatehouse_fast_path_${name} (\\S+)$`, 'm').exec(text)?.[1])
  }
  const lookUps = () => vi.spyOn(app.environment.database, 'lookUp')

  it.each([
    [
      'another amount',
      (found: string | null) => found?.replace('"amount":0', '"amount":7') ?? null,
    ],
    ['no access', () => null],
  ])('raise an alarm when they lie (%s), and switch the fast path off', async (_, lie) => {
    await start({ GATEHOUSE_FAST_PATH_SAMPLE: '1' })
    const { lookUp } = app.environment.database
    const lying = lookUps().mockImplementation(async (...asked) =>
      (await lookUp(...asked)).map(lie),
    )
    const logged = vi.spyOn(logger, 'error')
    await check()
    await vi.waitFor(async () => expect(await figure('differences_total')).toBe(1), {
      timeout: 60_000,
    })
    expect(await figure('on')).toBe(0)
    expect(logged).toHaveBeenCalledOnce()
    const [line, message] = logged.mock.calls[0] as unknown as [object, string]
    expect(line).toMatchObject({ aid: app.aid, route_status: 200 })
    expect(message).toContain('switched off')
    expect(JSON.stringify(line)).not.toMatch(/ann|example|authorization/i)

    lying.mockClear()
    expect(JSON.parse(await check())).toMatchObject({ amount: 0, user_ref: 'ann' })
    expect(lying).not.toHaveBeenCalled()
  })

  it('raise none for what others change meanwhile', async () => {
    await start({ GATEHOUSE_FAST_PATH_SAMPLE: '1' })
    let isOver = false
    async function write(): Promise<void> {
      for (let n = 0; !isOver; n++) {
        await app.client.revokeAccess(key)
        const expiration = service.clock.seconds + 2 + (n % 3)
        await app.client.grantAccess({ ...key, email: 'ann@example.com', expiration })
        if (n % 5 === 0) service.clock.advance(1)
      }
    }
    const writing = write()
    async function ask(): Promise<void> {
      for (let n = 0; n < 60; n++) await app.client.hasAccess(key)
    }
    // On a busy machine, fewer of the responses are compared.
    for (let rounds = 0; rounds < 10 && (await figure('compared_total')) <= 100; rounds++) {
      await Promise.all(Array.from({ length: 8 }, ask))
    }
    isOver = true
    await writing
    expect(await figure('compared_total')).toBeGreaterThan(100)
    expect(await figure('differences_total')).toBe(0)
    expect(await figure('on')).toBe(1)
  })

  it('take no place of a request that is under way', async () => {
    await start({ GATEHOUSE_FAST_PATH_SAMPLE: '1', GATEHOUSE_LIMIT_IN_FLIGHT: '6' })
    for (let n = 0; n < 50; n++) expect(JSON.parse(await check())).toMatchObject(key)
    await vi.waitFor(async () => expect(await figure('compared_total')).toBeGreaterThan(10), {
      timeout: 60_000,
    })
    expect(await figure('differences_total')).toBe(0)
  })

  it('count neither for the application nor for the address', async () => {
    const limits = { GATEHOUSE_LIMIT_PER_APPLICATION: '30', GATEHOUSE_LIMIT_PER_ADDRESS: '31' }
    await start({ GATEHOUSE_FAST_PATH_SAMPLE: '1', ...limits })
    // The grant was the first request.
    for (let n = 1; n < 30; n++) expect(JSON.parse(await check())).toMatchObject(key)
    expect(JSON.parse(await check())).toMatchObject({ error: { code: 'too_many_requests' } })
  })

  it('are none with a sample of 0', async () => {
    await start({ GATEHOUSE_FAST_PATH_SAMPLE: '0' })
    const asked = lookUps()
    for (let n = 0; n < 20; n++) await check()
    expect(asked).toHaveBeenCalled()
    expect(await figure('compared_total')).toBe(0)
  })

  it('are none where the fast path is off, and the route answers', async () => {
    await start({ GATEHOUSE_FAST_PATH: 'off' })
    const asked = lookUps()
    for (let n = 0; n < 3; n++) expect(JSON.parse(await check())).toMatchObject(key)
    expect(asked).not.toHaveBeenCalled()
    expect(await figure('on')).toBe(0)
  })
})
