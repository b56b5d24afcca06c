import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningGatehouse, startGatehouse } from '../packages/sdk/src/testing.ts'
import { WITHOUT_CHECKOUT_LIMITS } from '../packages/server/src/testing/payments/without-limits.ts'
import { choose } from './walk/choose.ts'
import { type Site, startBun, startDeno, startNode, startWorker } from './walk/start-site.ts'

const here = (file: string) => fileURLToPath(new URL(`runtimes/${file}`, import.meta.url))
const PAGE = 'text/html,application/xhtml+xml'
/** The maximum duration of a request. A busy machine gets `SLACK_MS` more. */
const LIMIT_MS = 2_000
const SLACK_MS = 1_000

const starts: Record<string, (env: Record<string, string>) => Promise<Site>> = choose(
  {
    'Express on Node': (env) => startNode(here('express.js'), env),
    'Fastify on Node': (env) => startNode(here('fastify.js'), env),
  },
  {
    'Hono on workerd': (env) => startWorker(here('hono.js'), env),
    'a worker on workerd': (env) => startWorker(here('workerd.js'), env),
    Deno: (env) => startDeno(here('deno.js'), env),
    Bun: (env) => startBun(here('bun.js'), env),
  },
)
const names = Object.keys(starts)

/** One service is killed, stopped and started again under all sites at once. */
describe('a site with the SDK', () => {
  let service: RunningGatehouse
  const sites = new Map<string, Site>()

  beforeAll(async () => {
    service = await startGatehouse({ env: WITHOUT_CHECKOUT_LIMITS })
    await service.run(
      'resource',
      'create',
      '--aid',
      service.aid,
      '--rid',
      'tides',
      '--name',
      'Tides',
    )
    await service.run('price', 'create', '--aid', service.aid, '--rid', 'tides', '--amount', '2.50')
    await grant('ann')
    const env = { GATEHOUSE: service.baseUrl, AID: service.aid, PRIVATE_KEY: service.privateKey }
    await Promise.all(
      names.map(async (name) => sites.set(name, (await starts[name]?.(env)) as Site)),
    )
  })
  afterAll(async () => {
    await Promise.all([...sites.values()].map((site) => site.stop()))
    await service?.stop()
  })

  const grant = (reader: string) =>
    service.client.grantAccess({
      ...{ rid: 'tides', user_ref: reader, email: `${reader}@example.com` },
      suppress_email: true,
    })

  /** Opens the paid page, as a script or as a browser does. */
  async function open(name: string, reader?: string, { accept = '*/*', query = '' } = {}) {
    const from = performance.now()
    const response = await fetch(`${sites.get(name)?.origin}/tides${query}`, {
      headers: { accept, ...(reader && { 'x-reader': reader }) },
      redirect: 'manual',
    })
    const text = await response.text()
    const { status, headers } = response
    expect(performance.now() - from).toBeLessThan(LIMIT_MS + SLACK_MS)
    return { status, headers, text }
  }

  const codeIn = ({ text }: { text: string }) => JSON.parse(text).error.code

  describe.each(names)('%s', (name) => {
    it('shows the page to a reader with access, and lets no shared cache keep it', async () => {
      const { status, text, headers } = await open(name, 'ann')
      expect([status, text]).toEqual([200, 'for ann only'])
      expect(headers.get('cache-control')).toBe('private, no-cache')
    })

    it('refuses others with 402 and says what they could buy', async () => {
      const answer = await open(name, 'eve')
      expect(answer.status).toBe(402)
      expect(JSON.parse(answer.text)).toMatchObject({
        error: { code: 'user_unknown' },
        offers: [{ amount: 2.5, rid: 'tides' }],
        checkout_url: expect.stringContaining(`${service.baseUrl}/checkout/${service.aid}/tides?`),
      })
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      const anonymous = await open(name)
      expect([anonymous.status, codeIn(anonymous)]).toEqual([402, 'anonymous'])
    })

    it('sends browsers to a purchase page that exists', async () => {
      const { status, headers } = await open(name, 'eve', { accept: PAGE })
      expect(status).toBe(303)
      const page = await fetch(headers.get('location') as string)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('2.50')
    })
  })

  describe('with the service killed', () => {
    beforeAll(() => service.kill())

    it.each(names)('%s: known readers read on, strangers are refused', async (name) => {
      for (let n = 0; n < 3; n++) {
        expect(await open(name, 'ann')).toMatchObject({ status: 200, text: 'for ann only' })
        expect((await open(name, 'eve')).status).toBe(402)
        const stranger = await open(name, 'stranger', { accept: PAGE })
        expect([stranger.status, codeIn(stranger)]).toEqual([503, 'unavailable'])
        expect(stranger.headers.get('retry-after')).toBe('5')
      }
    })
  })

  describe('with the service back', () => {
    beforeAll(async () => {
      await service.restart()
      await grant('stranger')
    })

    it.each(names)('%s: strangers read if they have access', async (name) => {
      expect(await open(name, 'stranger')).toMatchObject({ status: 200, text: 'for stranger only' })
      expect((await open(name, 'eve')).status).toBe(402)
    })
  })

  describe('with the service hanging', () => {
    beforeAll(() => service.pause())
    afterAll(() => service.resume())

    it('nobody waits for more than two seconds', async () => {
      await Promise.all(
        names.map(async (name) => {
          expect((await open(name, 'ann')).status).toBe(200)
          expect((await open(name, 'new')).status).toBe(503)
        }),
      )
    })
  })
})
