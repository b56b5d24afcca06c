import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SharedCache, startCache } from './walk/start-cache.ts'
import { type Site, startProgram } from './walk/start-site.ts'

const SITE = fileURLToPath(new URL('walk/gated-site.js', import.meta.url))
const ADAPTERS = ['express', 'fastify', 'hono', 'next', 'worker']
/** All pages behind a gate that say nothing of caches themselves. */
const PAGES = ['/default', '/teaser', '/introduction', '/broken']

describe('a site behind a shared cache', () => {
  const sites = new Map<string, Site>()
  let cache: SharedCache
  beforeAll(async () => {
    for (const adapter of ADAPTERS) {
      sites.set(adapter, await startProgram(process.execPath, [SITE, adapter]))
    }
    cache = await startCache([...sites.values()])
  })
  afterAll(async () => {
    await cache?.stop()
    await Promise.all([...sites.values()].map((site) => site.stop()))
  })

  async function openAt(address: string, reader?: string, accept = '*/*') {
    const response = await fetch(address, {
      headers: { accept, ...(reader && { cookie: `reader=${reader}` }) },
      redirect: 'manual',
    })
    const { status, headers } = response
    const ofCache = headers.get('cache-control')
    const vary = headers.get('vary')?.split(/, ?/) ?? []
    return { status, text: await response.text(), ofCache, vary, headers }
  }
  const siteOf = (adapter: string) => sites.get(adapter) as Site
  /** Asks the site itself. */
  const ask = (adapter: string, path: string, reader?: string) =>
    openAt(siteOf(adapter).origin + path, reader)
  /** Asks through the cache. */
  const open = (adapter: string, path: string, reader?: string, accept?: string) =>
    openAt(cache.inFrontOf(siteOf(adapter)) + path, reader, accept)

  describe.each(ADAPTERS)('%s', (adapter) => {
    it('has a cache that keeps what is for everybody', async () => {
      await open(adapter, '/free', 'eve')
      const { text, headers } = await open(adapter, '/free', 'ann')
      expect([text, headers.get('x-cache')]).toEqual(['for everybody', 'HIT'])
    })

    it.each(PAGES)('%s: a refusal is for one reader alone', async (path) => {
      const eve = await open(adapter, path, 'eve')
      const bob = await open(adapter, path, 'bob')
      expect(bob.text).not.toContain('user_ref=eve')
      expect(bob.headers.get('x-cache')).toBe('MISS')
      expect(await open(adapter, path, 'ann')).toMatchObject(
        path === '/broken' ? { status: 500 } : { status: 200, text: 'the paid text' },
      )
      for (const { ofCache } of [eve, bob]) {
        // The runtime answers what a handler throws.
        const isThrown = path === '/broken' && ['next', 'worker'].includes(adapter)
        expect(ofCache).toBe(isThrown ? null : 'private, no-store')
      }
    })

    it('/default: the way to the checkout is for one reader alone', async () => {
      for (const reader of ['eve', 'bob']) {
        const { status, headers } = await open(adapter, '/default', reader, 'text/html')
        expect(status).toBe(303)
        expect(headers.get('location')).toContain(`user_ref=${reader}`)
      }
    })

    it.each(['/default', '/teaser', '/introduction'])(
      '%s: a paid page is for its reader alone, and asked for anew',
      async (path) => {
        expect(await open(adapter, path, 'ann')).toMatchObject({
          ...{ status: 200, text: 'the paid text', ofCache: 'private, no-cache' },
        })
        const eve = await open(adapter, path, 'eve')
        expect(eve.text.includes('the paid text')).toBe(path === '/introduction')
      },
    )

    it('says that answers differ by reader, and keeps by what else they differ', async () => {
      for (const reader of ['ann', 'eve', undefined]) {
        const { vary } = await ask(adapter, '/introduction', reader)
        expect(vary).toEqual(['Accept-Language', 'Cookie', 'Authorization'])
      }
    })

    it('leaves what the site itself says, to readers with and without access', async () => {
      for (const reader of ['ann', 'eve']) {
        const { ofCache, vary } = await ask(adapter, '/own', reader)
        expect(ofCache).toBe('public, max-age=60')
        expect(vary).toEqual(expect.arrayContaining(['Cookie', 'Authorization']))
      }
    })

    it('/own: what the site lets a cache keep is kept for each cookie', async () => {
      expect((await open(adapter, '/own', 'eve')).text).toBe('teaser')
      expect((await open(adapter, '/own', 'ann')).text).toBe('the paid text')
      expect((await open(adapter, '/own')).text).toBe('teaser')
      const again = await open(adapter, '/own', 'eve')
      expect([again.text, again.headers.get('x-cache')]).toEqual(['teaser', 'HIT'])
    })
  })

  it('hono: a response that was made without the context is private too', async () => {
    expect(await ask('hono', '/response', 'eve')).toMatchObject({
      ofCache: 'private, no-store',
      vary: expect.arrayContaining(['Cookie', 'Authorization']),
    })
  })
})
