import { beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../../testing/stripe/fake-stripe.ts'
import type { FakeEndpoint } from '../../../testing/stripe/ledger.ts'
import {
  CREATE_INTENT,
  CREATE_REFUND,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import { NEEDED_EVENTS } from './events-needed.ts'
import { rehearseSale } from './stripe.ts'

const { fake, callsTo } = useStripeProvider()
const WEBHOOK_URL = 'https://gate.example.com/events/stripe'
const OTHER_URL = 'https://other.example.com'

beforeEach(() => {
  fake.ledger.endpoints.clear()
  addEndpoint(WEBHOOK_URL)
})

function addEndpoint(url: string, more: Partial<FakeEndpoint> = {}) {
  const id = `we_${fake.ledger.endpoints.size}`
  const needed = { status: 'enabled' as const, enabled_events: [...NEEDED_EVENTS] }
  const endpoint = {
    object: 'webhook_endpoint' as const,
    id,
    url,
    metadata: {},
    ...needed,
    ...more,
  }
  fake.ledger.endpoints.set(id, endpoint)
}

/** Returns the messages of the steps that don't succeed. */
async function failuresOf(faults: Record<string, Fault> = {}) {
  fake.fault = ({ route }) => faults[route]
  const steps = await rehearseSale(
    { secretKey: fake.secretKey, webhookSecret: fake.webhookSecret, api: fake.url },
    WEBHOOK_URL,
  )
  const failed = steps.filter(({ status }) => status !== 'ok')
  return Object.fromEntries(failed.map(({ name, message }) => [name, message]))
}

const change = (more: object): Fault => ({ rewrite: (body) => ({ ...body, ...more }) })

describe('the check of a sale', () => {
  it('succeeds with the endpoint that leads here among others', async () => {
    fake.ledger.endpoints.clear()
    addEndpoint(OTHER_URL, { status: 'disabled' })
    addEndpoint(WEBHOOK_URL)
    expect(await failuresOf()).toEqual({})
    expect(
      callsTo(CREATE_INTENT).map(({ text }) => new URLSearchParams(text).get('amount')),
    ).toEqual(['500', '500', '501'])
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

  it('says that a charge did not succeed, and what could not be tried then', async () => {
    const unpaid = { status: 'processing', amount_received: 0 }
    const failures = await failuresOf({ [CREATE_INTENT]: change(unpaid) })
    const [first, ...others] = Object.entries(failures)
    expect(first).toEqual(['charge the card while nobody is there', 'the charge is processing'])
    expect(others.map(([, message]) => message)).toEqual(
      Array(others.length).fill('an earlier step has failed'),
    )
    expect(others).toHaveLength(6)
  })

  it('says that the lists lack a charge that was made, and refunds all the same', async () => {
    const nothing = change({ data: [] })
    const lists = ['GET /v1/payment_intents', 'GET /v1/payment_intents/search']
    const failures = await failuresOf(Object.fromEntries(lists.map((route) => [route, nothing])))
    const name = 'find the charge by its metadata'
    expect(failures).toEqual({ [name]: 'the charge is not in the lists' })
  })

  it('says that another amount was paid back', async () => {
    expect(await failuresOf({ [CREATE_REFUND]: change({ amount: 1 }) })).toEqual({
      'refund a part': '1 was paid back',
      'refund the rest': '1 was paid back',
    })
  })

  it.each(['GET /v1/account', 'GET /v1/webhook_endpoints'])(
    'leaves open what a restricted key may not do: %s',
    async (route) => {
      fake.fault = (call) => (call.route === route ? 'no_permission' : undefined)
      const options = { secretKey: fake.secretKey, webhookSecret: '', api: fake.url }
      const steps = await rehearseSale(options, WEBHOOK_URL)
      expect(steps.filter(({ status }) => status === 'unknown')).toHaveLength(1)
      expect(steps.filter(({ status }) => status === 'failed')).toEqual([])
    },
  )

  it.each(['sk_live_1', 'pk_live_1', 'xsk_test_1'])(
    'is refused with the key %s',
    async (secretKey) => {
      const options = { secretKey, webhookSecret: '', api: fake.url }
      await expect(rehearseSale(options, WEBHOOK_URL)).rejects.toThrow(
        'the sale check needs test keys',
      )
      expect(fake.calls).toEqual([])
    },
  )
})
