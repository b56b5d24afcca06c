import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { databases } from '../testing/databases.ts'
import { getPage, submitForm, visibleText } from '../testing/payments/page-client.ts'
import { usePageShop, useService, useSignedIn } from '../testing/use-service.ts'

const REFERENCE = [
  '/docs',
  '/docs/management',
  '/docs/guides',
  '/docs/search?q=key',
  '/openapi.json',
]

describe.each(databases)('what strangers can open on $name', (database) => {
  describe('with GATEHOUSE_SANDBOX=off', () => {
    const env = { GATEHOUSE_SANDBOX: 'off' }
    const service = useService(database, { env, checksInvariants: false })
    const shop = usePageShop(service, 'article')
    const owner = useSignedIn(service, 'owner')
    beforeAll(() => shop.addPrice('article'))

    it('nothing of the sandbox answers, and requests are told why', async () => {
      const refusal = { status: 404, code: 'sandbox_off' }
      await expect(
        shop.client.grantAccess({ rid: 'article', email: 'a@example.com' }),
      ).rejects.toMatchObject(refusal)
      // The fast path answers this one otherwise.
      const check = shop.client.getAccess({ rid: 'article', user_ref: 'ann' })
      await expect(check).rejects.toMatchObject(refusal)
      for (const path of ['/docs', '/openapi.json', '/d/x', '/images/x/y', '/test-cards/x']) {
        expect([path, (await getPage(shop.baseUrl + path)).status]).toEqual([path, 404])
      }
      const page = await getPage(shop.pageOf('article'))
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect((await submitForm(shop.pageOf('article'))).status).toBe(404)
      expect((await submitForm(`${shop.baseUrl}/events/stripe`)).status).toBe(404)
    })

    it('the dashboard has none, and production goes on', async () => {
      const { body } = await owner.request<{ has_sandbox: boolean; environments: object[] }>(
        ...(['GET', '/me'] as const),
      )
      expect(body.has_sandbox).toBe(false)
      expect(body.environments).toMatchObject([
        { name: 'production' },
        { name: 'sandbox', applications: [] },
      ])
      const call = await owner.request('GET', `/sandbox/${shop.aid}/resources`)
      expect([call.status, call.text]).toEqual([404, expect.stringContaining('sandbox_off')])
      const live = await service.newApplication()
      await live.addResource('article')
      const { uid } = await live.client.grantAccess({ rid: 'article', email: 'a@example.com' })
      expect(uid).toBeTruthy()
    })
  })

  describe('with GATEHOUSE_SANDBOX=members', () => {
    const service = useService(database, { env: { GATEHOUSE_SANDBOX: 'members' } })
    const shop = usePageShop(service, 'article')
    const member = useSignedIn(service, 'reader')
    let price: string
    beforeAll(async () => {
      price = await shop.addPrice('article')
    })

    it('pages of the sandbox are for members, from the checkout to the test cards', async () => {
      const page = shop.pageOf('article')
      const form = { email: 'ada@example.com', price }
      const stranger = await getPage(page)
      expect(stranger.status).toBe(403)
      expect(visibleText(stranger.text)).toContain('For the team only')
      expect(stranger.text).not.toContain('ada@')
      expect((await submitForm(page, form)).status).toBe(403)
      const cookie = { cookie: member.headers.cookie }
      expect((await getPage(page, cookie)).status).toBe(200)
      const begun = await submitForm(page, form, cookie)
      expect(begun.status).toBe(303)
      const cards = begun.headers.location as string
      expect((await getPage(cards)).status).toBe(403)
      expect((await getPage(cards, cookie)).status).toBe(200)
      const program = await getPage(page, { accept: 'application/json' })
      expect(JSON.parse(program.text).error.code).toBe('members_only')
    })

    it('the API of the sandbox works, and production is open', async () => {
      const { uid } = await shop.client.grantAccess({ rid: 'article', email: 'a@example.com' })
      expect(uid).toBeTruthy()
      const production = shop.pageOf('article').replace('/sandbox', '')
      expect((await getPage(production)).status).toBe(404)
    })
  })

  describe('with GATEHOUSE_DOCS', () => {
    const closed = useService(database, { env: { GATEHOUSE_DOCS: 'off' } })
    const kept = useService(database, { env: { GATEHOUSE_DOCS: 'members' } })
    const open = useService(database)
    const ofClosed = useSignedIn(closed, 'developer')
    const ofKept = useSignedIn(kept, 'developer')
    const statusesOf = async (url: string, headers = {}) =>
      await Promise.all(REFERENCE.map(async (path) => (await getPage(url + path, headers)).status))

    it('members alone, or nobody, reads the reference and the guides', async () => {
      expect(await statusesOf(open.url)).toEqual([200, 200, 200, 200, 200])
      expect(await statusesOf(closed.url)).toEqual([404, 404, 404, 404, 404])
      expect(await statusesOf(kept.url)).toEqual([403, 403, 403, 403, 403])
      const cookie = ({ headers }: { headers: Record<string, string> }) => ({
        cookie: headers.cookie,
      })
      expect(await statusesOf(kept.url, cookie(ofKept))).toEqual([200, 200, 200, 200, 200])
      // The dashboard needs the contract.
      expect(await statusesOf(closed.url, cookie(ofClosed))).toEqual([404, 404, 404, 404, 200])
      const links = async (url: string) => (await getPage(`${url}/`)).text.includes('/docs"')
      expect([await links(open.url), await links(closed.url)]).toEqual([true, false])
    })
  })
})

describe('the setting of the sandbox', () => {
  it('can’t keep pages for members at a host of its own, where no cookie arrives', () => {
    const env = { GATEHOUSE_SANDBOX: 'members', GATEHOUSE_SANDBOX_HOST: 'sandbox.example.com' }
    expect(() => readConfig(env)).toThrow(/GATEHOUSE_SANDBOX=members can't be used with/)
  })
})
