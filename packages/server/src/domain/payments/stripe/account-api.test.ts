import { describe, expect, it } from 'vitest'
import { troubleOf, useStripeProvider } from '../../../testing/stripe/stripe-provider.ts'
import { createAccountApi } from './account-api.ts'
import { connectStripe } from './connection.ts'
import { NEEDED_EVENTS } from './events-needed.ts'

const { fake, failWith, callsTo } = useStripeProvider()
const account = () =>
  createAccountApi(connectStripe({ secretKey: fake.secretKey, api: fake.url, timeout: 5_000 }))

const ACCOUNT = 'GET /v1/account'
const LIST = 'GET /v1/webhook_endpoints'
const CREATE = 'POST /v1/webhook_endpoints'
const DELETE = 'DELETE /v1/webhook_endpoints/:id'
const URL = 'https://gate.example.com/events/stripe'

type Body = Record<string, unknown>

describe('the account at Stripe', () => {
  it('is known by its id and names', async () => {
    expect(await account().findAccount()).toMatchObject({
      id: fake.ledger.account.id,
      country: 'DE',
      settings: { dashboard: { display_name: fake.ledger.account.name } },
    })
  })

  it.each<[string, Body]>([
    [
      'nothing but its id',
      { country: undefined, business_profile: undefined, settings: undefined },
    ],
    ['nothing for its names', { country: null, business_profile: null, settings: null }],
    ['no names', { business_profile: {}, settings: {} }],
    ['no name of its dashboard', { settings: { dashboard: null } }],
    ['an empty name of its dashboard', { settings: { dashboard: { display_name: null } } }],
  ])('is readable if a key may see %s', async (_what, change) => {
    failWith({ rewrite: (body) => ({ ...body, ...change }) }, ACCOUNT)
    expect(await account().findAccount()).toMatchObject({ id: fake.ledger.account.id })
  })

  it.each<[string, Body]>([
    ['another kind of thing', { object: 'customer' }],
    ['no id', { id: undefined }],
    ['a country of the wrong type', { country: 7 }],
    ['a name of the wrong type', { business_profile: { name: 7 } }],
    ['settings of the wrong type', { settings: 'none' }],
    ['a display name of the wrong type', { settings: { dashboard: { display_name: 7 } } }],
  ])('is not readable in an answer of %s', async (_what, change) => {
    failWith({ rewrite: (body) => ({ ...body, ...change }) }, ACCOUNT)
    await troubleOf(account().findAccount())
  })
})

describe('the endpoints of an account', () => {
  it('are created for the events that we need, listed with our label, and deleted', async () => {
    const { id, secret } = await account().createEndpoint(URL, 'i1')
    expect(secret).toMatch(/^whsec_/)
    const params = new URLSearchParams(callsTo(CREATE)[0]?.text)
    expect(params.get('api_version')).toBe('2026-10-28.endive')
    expect(params.get('description')).toBe('Gatehouse')
    const [endpoint, ...others] = await account().listEndpoints()
    expect(others).toEqual([])
    expect(endpoint).toMatchObject({
      ...{ id, url: URL, status: 'enabled', enabled_events: [...NEEDED_EVENTS] },
      metadata: { gatehouse_installation: 'i1' },
    })
    await account().deleteEndpoint(id)
    expect(await account().listEndpoints()).toEqual([])
  })

  it('are not created without a secret', async () => {
    failWith({ rewrite: (body) => ({ ...body, secret: undefined }) }, CREATE)
    await troubleOf(account().createEndpoint(URL, 'i1'))
  })

  it.each([{ deleted: false }, { deleted: undefined }, { id: undefined }])(
    'are not deleted by an answer of %j',
    async (change) => {
      const { id } = await account().createEndpoint(URL, 'i1')
      failWith({ rewrite: (body) => ({ ...body, ...change }) }, DELETE)
      await troubleOf(account().deleteEndpoint(id))
    },
  )

  it.each<[string, Body]>([
    ['no address', { url: null }],
    ['no state', { status: undefined }],
    ['events of the wrong type', { enabled_events: [7] }],
  ])('are not readable with %s', async (_what, change) => {
    const { id } = await account().createEndpoint(URL, 'i1')
    const rewrite = (body: Body) => {
      const data = body.data as Body[]
      return { ...body, data: data.map((one) => ({ ...one, ...change })) }
    }
    failWith({ rewrite }, LIST)
    await troubleOf(account().listEndpoints())
    await account().deleteEndpoint(id)
  })

  it('leave out those of other systems that can’t be read', async () => {
    const before = await account().listEndpoints()
    fake.addForeignObjects()
    expect(await account().listEndpoints()).toEqual(before)
  })
})
