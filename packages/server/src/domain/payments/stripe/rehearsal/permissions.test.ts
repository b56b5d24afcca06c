import { describe, expect, it } from 'vitest'
import type { FakeEndpoint } from '../../../../testing/stripe/ledger.ts'
import {
  notOk,
  RESTRICTED_KEY,
  refuse,
  useRehearsal,
  WEBHOOK_URL,
} from '../../../../testing/stripe/rehearsals.ts'
import { CREATE_REFUND } from '../../../../testing/stripe/stripe-provider.ts'
import { NEEDED_EVENTS } from '../events-needed.ts'

const { fake, addEndpoint, rehearse, failuresOf } = useRehearsal()

const OTHER_URL = 'https://other.example.com'

describe('a rehearsal of permissions', () => {
  it.each(['GET /v1/account', 'GET /v1/webhook_endpoints'])(
    'leaves open what a restricted key may not do: %s',
    async (route) => {
      fake.fault = (call) => (call.route === route ? 'no_permission' : undefined)
      const found = notOk(await rehearse())
      expect(found.map(({ status }) => status)).toEqual(['unknown'])
    },
  )

  it('names the permission that a restricted key lacks', async () => {
    const message = `The provided key '${RESTRICTED_KEY}' does not have the required permissions. Having the 'rak_refund_write' permission would allow this request to continue.`
    fake.fault = ({ route, headers }) =>
      route === CREATE_REFUND && headers.authorization?.includes(RESTRICTED_KEY)
        ? refuse(403, { message })
        : undefined
    const found = notOk(await rehearse({ restrictedKey: RESTRICTED_KEY }))
    expect(found).toMatchObject([
      {
        name: 'restricted key: create a refund',
        status: 'failed',
        answers: [{ status: 403, permission: 'rak_refund_write' }],
      },
    ])
    expect(JSON.stringify(found)).not.toContain(RESTRICTED_KEY)
  })

  it('tries each call that Gatehouse makes with the restricted key, and creates no webhook', async () => {
    fake.calls.length = 0
    await rehearse({ restrictedKey: RESTRICTED_KEY })
    const isRestricted = ({ headers }: (typeof fake.calls)[number]) =>
      headers.authorization === `Bearer ${RESTRICTED_KEY}`
    const routes = new Set(fake.calls.filter(isRestricted).map(({ route }) => route))
    const own = [
      'customers',
      'customers/:id',
      'payment_methods/:id/attach',
      'payment_methods/:id/detach',
    ]
    const ofRehearsal = new Set(own.map((path) => `/v1/${path}`))
    const others = new Set(fake.calls.map(({ route }) => route))
    const missing = [...others].filter(
      (route) => !routes.has(route) && !ofRehearsal.has(route.split(' ')[1] as string),
    )
    expect(missing).toEqual([])
    expect(routes.size).toBeGreaterThan(15)
    expect(fake.ledger.endpoints.size).toBe(1)
  })
})

describe('a rehearsal of the webhook', () => {
  it('succeeds with the endpoint that leads here among others', async () => {
    fake.ledger.endpoints.clear()
    addEndpoint(OTHER_URL, { status: 'disabled' })
    addEndpoint(WEBHOOK_URL)
    expect(await failuresOf()).toEqual({})
  })

  it.each<[string, Partial<FakeEndpoint>, string]>([
    ['elsewhere', { url: OTHER_URL }, `no webhook endpoint leads to ${WEBHOOK_URL}`],
    ['nowhere', { status: 'disabled' }, `the endpoint to ${WEBHOOK_URL} is disabled`],
    [
      'here without some events',
      { enabled_events: NEEDED_EVENTS.slice(2) },
      `the endpoint lacks the events ${NEEDED_EVENTS.slice(0, 2).join(', ')}`,
    ],
  ])('says that the endpoint leads %s', async (_where, more, message) => {
    fake.ledger.endpoints.clear()
    addEndpoint(WEBHOOK_URL, more)
    expect(await failuresOf()).toEqual({ webhook: message })
  })

  it("says that Stripe can't reach a private address, which is no failure", async () => {
    const steps = await rehearse({ webhookUrl: undefined })
    const step = steps.find(({ name }) => name === 'webhook')
    expect(step).toMatchObject({ status: 'ok', answers: [] })
    expect(step?.message).toContain("Stripe can't reach this address")
  })
})
