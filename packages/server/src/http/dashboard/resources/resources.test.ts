import { beforeEach, describe, expect, it } from 'vitest'
import { listHistory } from '../../../domain/history/history.ts'
import type { TestStaff } from '../../../testing/dashboard-api.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { addDownload } from '../../../testing/downloads/downloads.ts'
import { send } from '../../../testing/http/requests.ts'
import { useFreshApplication, useService, useSignedIn } from '../../../testing/use-service.ts'
import type { PriceItem, ResourceDetails, ResourcePage } from './schemas.ts'

describe.each(entryPointDatabases)('resources in the dashboard on $name', (database) => {
  const service = useService(database)
  const staff = useSignedIn(service, 'support')
  const app = useFreshApplication(service, { environment: 'sandbox' })
  let at: ReturnType<TestStaff['of']>
  beforeEach(async () => {
    at = staff.of(app)
  })

  const list = async (query = '') =>
    (await at.request<ResourcePage>('GET', `/resources${query}`)).body
  const show = async (rid: string) =>
    (await at.request<ResourceDetails>('GET', `/resources/${rid}`)).body

  it('are made, found, changed, and tell what they have', async () => {
    const made = await at.request<ResourceDetails>('POST', '/resources', {
      rid: 'issue-7',
      name: 'Écology today',
      url: 'https://example.com/7',
    })
    expect(made).toMatchObject({ status: 200, body: { rid: 'issue-7', live: 0, files: [] } })
    await app.addResource('other')
    await addDownload(app, 'issue-7')
    await app.client.grantAccess({ rid: 'issue-7', email: 'ann@example.com' })
    await at.request('POST', '/resources/issue-7/prices', { amount: 499, currency: 'EUR' })
    expect(await list()).toMatchObject({ total: 2, page: 0, pagesize: 50 })
    for (const q of ['issue', '%C3%A9COLO', 'today']) {
      const { data } = await list(`?q=${q}`)
      expect(data).toMatchObject([
        {
          rid: 'issue-7',
          live: 1,
          files: [{ title: 'Download of issue-7', published: true }],
          prices: [
            { amount: { amount: 499, currency: 'EUR' }, terms: '4.99 EUR for lifetime access' },
          ],
        },
      ])
    }
    await at.request('PATCH', '/resources/issue-7', { description: 'All of it.', url: '' })
    expect(await show('issue-7')).toMatchObject({
      ...{ name: 'Écology today', url: '', description: 'All of it.' },
      checkout_url: `${app.baseUrl}/checkout/${app.aid}/issue-7`,
    })
    const history = await listHistory(app.environment.database.read, app.aid, { rid: 'issue-7' })
    const last = history.at(-1)
    expect(last).toMatchObject({
      ...{ action: 'resource changed', actor: `staff:${staff.member.id}` },
    })
    expect(JSON.parse(last?.before ?? '')).toEqual({
      description: '',
      url: 'https://example.com/7',
    })
  })

  it('say at which field something is wrong, and change nothing then', async () => {
    await app.addResource('news')
    const wrong = [
      ['POST', '/resources', { rid: 'a b', name: 'x' }, 'rid: must not contain white space'],
      ['POST', '/resources', { rid: 'a', name: '' }, 'name: must not be empty'],
      ['PATCH', '/resources/news', { url: 'javascript:alert(1)' }, /^url: must be a URL/],
      ['PATCH', '/resources/news', { image: 'data:text/html,x' }, /^image: must be a URL/],
      ['POST', '/resources/news/prices', { amount: 1, currency: 'XXZ' }, /^currency: /],
      ['POST', '/resources/news/prices', { amount: 1, period: 'often' }, /^period: /],
      ['POST', '/resources/news/prices', { amount: 0 }, /^amount: must be more than 0/],
    ] as const
    for (const [method, path, body, message] of wrong) {
      const response = await at.request<{ error: { message: string } }>(method, path, body)
      expect(response.status).toBe(400)
      expect(response.body.error.message).toMatch(message)
    }
    const twice = await at.request('POST', '/resources', { rid: 'news', name: 'x' })
    expect(twice).toMatchObject({ status: 402, body: { error: { code: 'resource_exists' } } })
    expect(await list()).toMatchObject({ data: [{ rid: 'news', prices: [] }], total: 1 })
  })

  it('that are archived are neither granted nor sold, and access to them stays', async () => {
    await app.addResource('news')
    await at.request('POST', '/resources/news/prices', { amount: 499, currency: 'EUR' })
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    const checkout = async () => (await send(app.baseUrl, checkoutPath())).status
    const checkoutPath = () => new URL(`${app.baseUrl}/checkout/${app.aid}/news`).pathname
    expect(await checkout()).toBe(200)

    await at.request('POST', '/resources/news/archive')
    expect(await list()).toMatchObject({ total: 0 })
    expect(await list('?archived=true')).toMatchObject({ data: [{ rid: 'news', live: 1 }] })
    expect(await app.client.getAccess({ rid: 'news', user_ref: 'ann' })).toMatchObject({
      rid: 'news',
    })
    for (const email of ['ann@example.com', 'bob@example.com']) {
      await expect(app.client.grantAccess({ rid: 'news', email })).rejects.toMatchObject({
        ...{ status: 402, code: 'resource_archived' },
      })
    }
    expect(await checkout()).toBe(402)

    await at.request('POST', '/resources/news/restore')
    await app.client.grantAccess({ rid: 'news', email: 'bob@example.com' })
    expect(await checkout()).toBe(200)
  })

  it('are not sold twice at the same price, also if it is added twice at the same moment', async () => {
    await app.addResource('news')
    const add = (terms: object) => at.request('POST', '/resources/news/prices', terms)
    const monthly = { amount: 999, currency: 'EUR', recurring: true, period: '1 month' }
    const both = await Promise.all([add(monthly), add(monthly)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 402])
    expect(await add(monthly)).toMatchObject({ body: { error: { code: 'price_exists' } } })
    expect((await add({ ...monthly, trial_days: 7 })).status).toBe(200)
    expect(await show('news')).toMatchObject({ prices: [{ trial_days: 0 }, { trial_days: 7 }] })
  })

  it('keep prices that were archived, of the resource that they are of, and restore them', async () => {
    await app.addResource('news')
    await app.addResource('maps')
    const terms = { amount: 999, currency: 'EUR', recurring: true, period: '1 months' }
    const { body: price } = await at.request<PriceItem>('POST', '/resources/news/prices', terms)
    expect(price).toMatchObject({ recurring: true, period: '1 month', archived: null })
    const elsewhere = await at.request('POST', `/resources/maps/prices/${price.id}/archive`)
    expect(elsewhere).toMatchObject({ status: 404, body: { error: { code: 'price_not_found' } } })
    await at.request('POST', `/resources/news/prices/${price.id}/archive`)
    expect(await show('news')).toMatchObject({
      prices: [],
      all_prices: [{ id: price.id, archived: service.clock.seconds }],
    })
    const foreign = await at.request('POST', `/resources/maps/prices/${price.id}/restore`)
    expect(foreign).toMatchObject({ status: 404, body: { error: { code: 'price_not_found' } } })
    for (const _ of ['restored', 'restored again']) {
      const restored = await at.request('POST', `/resources/news/prices/${price.id}/restore`)
      expect(restored).toMatchObject({ status: 200, body: { id: price.id, archived: null } })
    }
    expect(await show('news')).toMatchObject({ prices: [{ id: price.id }] })
    const history = await listHistory(app.environment.database.read, app.aid)
    expect(history.filter(({ action }) => action === 'price restored')).toHaveLength(1)
  })
})
