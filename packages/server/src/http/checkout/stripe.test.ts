import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  visibleText,
} from '../../testing/payments/page-client.ts'
import { goToPayment } from '../../testing/payments/page-shop.ts'
import type { FakeSession } from '../../testing/stripe/ledger.ts'
import { useFakeStripe, usePageShop, useService } from '../../testing/use-service.ts'

const ADA = { email: 'ada@example.com' }

describe.each(databases)('buying by Stripe on $name', (database) => {
  const stripe = useFakeStripe()
  const service = useService(database, () => ({
    useRealTime: true,
    env: {
      GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY: stripe.secretKey,
      GATEHOUSE_SANDBOX_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      GATEHOUSE_STRIPE_API: stripe.url,
    },
  }))
  const shop = usePageShop(service)
  let price: string
  let events: string
  beforeAll(async () => {
    events = `${shop.baseUrl}/events/stripe`
    await shop.addResource('article')
    price = await shop.addPrice('article')
  })

  /** Starts a checkout, up to Stripe's page. */
  async function begin(): Promise<{ done: string; session: string }> {
    await goToPayment(shop.pageOf('article'), { ...ADA, price })
    const session = [...stripe.ledger.sessions.values()].at(-1) as FakeSession
    return { done: session.success_url, session: session.id }
  }
  const statusOf = async (done: string) => {
    const id = done.split('/').at(-1) as string
    const { read } = shop.environment.database
    return (await read.selectFrom('checkouts').select('status').where('id', '=', id).execute())[0]
      ?.status
  }

  it('is over when the buyer comes back, before any event', async () => {
    const { done, session } = await begin()
    expect(visibleText((await getPage(done)).text)).toContain('Confirming your payment')
    stripe.pay(session)
    expect(visibleText((await getPage(done)).text)).toContain('Thank you')
    expect(await stripe.deliver(events, { copies: 2 })).not.toContain(503)
    await service.requireInvariants()
  })

  it('is over when the event comes, before the buyer', async () => {
    const { done, session } = await begin()
    stripe.pay(session)
    expect(await statusOf(done)).toBe('open')
    const statuses = await stripe.deliver(events, { copies: 3 })
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await statusOf(done)).toBe('paid')
    await service.requireInvariants()
  })

  it('takes no event that is forged, altered or old', async () => {
    const { done, session } = await begin()
    stripe.pay(session)
    const event = stripe.events.at(-1) as object
    const { headers, body } = stripe.signEvent(event)
    const old = stripe.signEvent(event, Date.now() - 3_600_000)
    const post = (given: Record<string, string>, text: string) =>
      fetch(events, { method: 'POST', headers: given, body: text })
    const refused = [
      await post({}, body),
      await post(headers, `${body} `),
      await post(old.headers, old.body),
      await post({ ...headers, 'stripe-signature': 't=1,v1=00' }, body),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect(await statusOf(done)).toBe('open')
    expect((await post(headers, body)).status).toBe(200)
  })

  it('says above the form that the provider does not answer, and the form can be sent again', async () => {
    stripe.fault = ({ route }) => (route.startsWith('POST') ? 'reset_before' : undefined)
    const page = shop.pageOf('article')
    const { status, headers, text } = await submitForm(page, { ...ADA, price })
    stripe.fault = () => undefined
    expect(status).toBe(503)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(visibleText(text)).toContain('The payment provider is not responding.')
    expect(text).toContain('value="ada@example.com"')
    expect(redirectTarget(await submitForm(page, { ...ADA, price }), page)).toContain(stripe.url)
  })

  it('has no page for test cards', async () => {
    expect((await getPage(`${shop.baseUrl}/test-cards/x`)).status).toBe(404)
  })
})
