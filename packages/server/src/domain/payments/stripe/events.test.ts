import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../testing/random.ts'
import { type FakeStripe, startFakeStripe } from '../../../testing/stripe/fake-stripe.ts'
import {
  checkoutOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { EventSubject } from '../provider.ts'
import { createStripe } from './stripe.ts'

const { fake, stripe, charged } = useStripeProvider()

describe('an event of Stripe', () => {
  const WALL = Date.UTC(2027, 4, 1)
  const received = ({ headers, body }: ReturnType<FakeStripe['signEvent']>, realTime = WALL) => ({
    headers,
    body: Buffer.from(body),
    realTime,
  })
  const read = (event: object) => stripe.readEvent(received(fake.signEvent(event, WALL)))
  const event = (type: string, object: object) => ({ id: 'evt_1', type, data: { object } })
  const session = event('checkout.session.completed', {
    id: 'cs_1',
    metadata: { gatehouse_checkout: 'c1', gatehouse_payment: 'p1' },
  })

  it.each([
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.expired',
  ])('%s is about a checkout', async (type) => {
    const subject = { kind: 'checkout', checkoutId: 'c1', page: { ref: 'cs_1' } }
    expect(await read({ ...session, type })).toMatchObject([subject])
  })

  it.each([
    ['checkout.session.completed', true],
    ['checkout.session.async_payment_succeeded', true],
    ['checkout.session.async_payment_failed', false],
    ['checkout.session.expired', false],
    ['checkout.session.completed_in_part', false],
  ])('%s says whether the checkout is complete: %s', async (type, isComplete) => {
    expect(await read({ ...session, type })).toMatchObject([{ isComplete }])
  })

  it('about a checkout names the installation and the charge', async () => {
    const metadata = { gatehouse_checkout: 'c1', gatehouse_installation: 'i1', gatehouse_aid: 'a1' }
    const object = { id: 'cs_1', created: 7, payment_intent: 'pi_1', metadata }
    expect(await read(event('checkout.session.completed', object))).toEqual([
      {
        ...{ kind: 'checkout', checkoutId: 'c1', isComplete: true },
        page: {
          ref: 'cs_1',
          owner: { installation: 'i1', aid: 'a1' },
          created: 7,
          paymentRef: 'pi_1',
        },
      },
    ])
  })

  it('about a checkout without a time or a charge is about that checkout', async () => {
    const metadata = { gatehouse_checkout: 'c1' }
    const page = { ref: 'cs_1', owner: {}, created: 0, paymentRef: undefined }
    const subject = { kind: 'checkout', checkoutId: 'c1', isComplete: true, page }
    for (const payment_intent of [undefined, null, 7]) {
      const object = { id: 'cs_1', payment_intent, metadata }
      expect(await read(event('checkout.session.completed', object))).toEqual([subject])
    }
  })

  it('about a refund that was made by hand names its payment', async () => {
    const object = { id: 're_1', payment_intent: 'pi_1', metadata: {} }
    const [subject, ...rest] = (await read(event('refund.created', object))) ?? []
    expect(subject).toStrictEqual({ kind: 'refund', ref: 're_1', paymentRef: 'pi_1' })
    expect(rest).toEqual([])
  })

  it('about a refund of ours needs no payment', async () => {
    const object = { id: 're_1', payment_intent: null, metadata: { gatehouse_refund: 'r1' } }
    const [subject] = (await read(event('refund.created', object))) ?? []
    const owner = { installation: undefined, aid: undefined }
    expect(subject).toStrictEqual({ kind: 'refund', ref: 're_1', refundId: 'r1', owner })
  })

  it('about a charge of ours, which is no payment, is about nothing', async () => {
    const { order, ref } = await charged({ labels: { installation: 'i1' } })
    const [charge] = fake.ledger.chargesOf(order.paymentId)
    expect(charge).toMatchObject({ payment_intent: ref, metadata: { gatehouse_aid: order.aid } })
    for (const type of ['charge.succeeded', 'charge.refunded', 'invoice.payment_intent.odd']) {
      expect(await read(event(type, charge as object))).toEqual([])
    }
  })

  it.each([
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
    'payment_intent.processing',
  ])('%s is about a payment', async (type) => {
    const metadata = { gatehouse_payment: 'p1', gatehouse_installation: 'i1', gatehouse_aid: 'a1' }
    const owner = { installation: 'i1', aid: 'a1' }
    const subject = { kind: 'payment', paymentId: 'p1', ref: 'pi_1', owner }
    expect(await read(event(type, { id: 'pi_1', metadata }))).toEqual([subject])
  })

  it.each(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])(
    '%s is about a refund',
    async (type) => {
      const metadata = { gatehouse_refund: 'r1', gatehouse_aid: 'a1' }
      const object = { id: 're_1', payment_intent: 'pi_1', metadata }
      const subject = { kind: 'refund', refundId: 'r1', ref: 're_1', paymentRef: 'pi_1' }
      expect(await read(event(type, object))).toEqual([{ ...subject, owner: { aid: 'a1' } }])
    },
  )

  it.each(['charge.dispute.created', 'charge.dispute.closed', 'charge.dispute.funds_withdrawn'])(
    '%s is about the payment that is disputed',
    async (type) => {
      const { order, ref } = await charged({ labels: { installation: 'i1' } })
      const dispute = fake.ledger.disputes.get(fake.openDispute(ref)) as object
      const owner = { installation: 'i1', aid: order.aid }
      const subject = { kind: 'payment', paymentId: order.paymentId, ref, owner }
      expect(await read(event(type, dispute))).toEqual([subject])
    },
  )

  it('about a dispute without a payment asks Stripe nothing', async () => {
    for (const payment_intent of [undefined, null, 7, {}]) {
      const dispute = { id: 'du_4', payment_intent }
      expect(await read(event('charge.dispute.created', dispute))).toEqual([])
    }
    expect(fake.calls).toEqual([])
  })

  it('about a disputed payment that carries no name of ours is about nothing', async () => {
    const { id } = fake.ledger.addIntent({ amount: 999, currency: 'eur', metadata: {} })
    const dispute = { id: 'du_3', payment_intent: id }
    expect(await read(event('charge.dispute.created', dispute))).toEqual([])
  })

  it('about a dispute comes again while Stripe does not say whose payment it is', async () => {
    const { ref } = await charged()
    const dispute = fake.ledger.disputes.get(fake.openDispute(ref)) as object
    fake.fault = () => 'reset_before'
    await troubleOf(read(event('charge.dispute.created', dispute)))
  })

  it.each<[string, object]>([
    ['a type that we don’t follow', event('invoice.paid', { id: 'in_1', metadata: {} })],
    ['a thing without a name', event('balance.available', { object: 'balance' })],
    ['a checkout of another system', event('checkout.session.completed', { id: 'cs_2' })],
    [
      'a payment of another system',
      event('payment_intent.succeeded', { id: 'pi_2', metadata: {} }),
    ],
    ['a payment without metadata', event('payment_intent.succeeded', { id: 'pi_2' })],
    ['a refund of another system', event('refund.created', { id: 're_2', metadata: null })],
    ['a dispute of another system', event('charge.dispute.created', { id: 'du_2' })],
    [
      'a disputed payment that is unknown',
      event('charge.dispute.created', { id: 'du_2', payment_intent: 'pi_unknown' }),
    ],
    ['metadata of the wrong type', event('refund.created', { id: 're_2', metadata: 'r1' })],
    ['nothing', {}],
    ['a list', []],
  ])('about %s is about nothing', async (_what, odd) => {
    expect(await read(odd)).toEqual([])
  })

  it('comes again until it is taken, more than once and in any order', async () => {
    const own = await startFakeStripe()
    const seller = createStripe({ ...own, api: own.url })
    const order = checkoutOrder()
    own.pay((await seller.startCheckout(order)).ref)
    const subjects: (EventSubject[] | undefined)[] = []
    let status = 500
    const door = createServer(async (request, response) => {
      const body = await buffer(request)
      const { headers } = request
      subjects.push(await seller.readEvent({ headers, body, realTime: Date.now() }))
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/events/stripe`
    const twice = 2 * own.events.length
    const how = { copies: 2, random: seededRandom(7) }
    expect(await own.deliver(url, how)).toEqual(Array(twice).fill(500))
    status = 200
    expect(await own.deliver(url, how)).toEqual(Array(twice).fill(200))
    expect(await own.deliver(url, how)).toEqual([])
    const checkout = { kind: 'checkout', checkoutId: order.checkoutId }
    expect(subjects.flat().filter((one) => one?.kind === 'checkout')).toMatchObject(
      Array(4).fill(checkout),
    )
    await new Promise((resolve) => door.close(resolve))
    expect(await own.deliver(url)).toEqual([])
    await own.stop()
  })

  it('is good for five minutes by the wall clock that it is read with', async () => {
    const sent = fake.signEvent(session, WALL)
    expect(await stripe.readEvent(received(sent, WALL + 300_000))).toHaveLength(1)
    expect(await stripe.readEvent(received(sent, WALL + 301_000))).toBeUndefined()
    expect(await stripe.readEvent(received(fake.signEvent(session), WALL))).toBeUndefined()
  })

  it('is refused with any byte changed', async () => {
    const { headers, body } = fake.signEvent(session, WALL)
    for (let at = 0; at < body.length; at++) {
      const altered = Buffer.from(body)
      altered[at] = (altered[at] as number) ^ 1
      expect(await stripe.readEvent({ headers, body: altered, realTime: WALL })).toBeUndefined()
    }
    for (const other of [`${body} `, ` ${body}`, `\uFEFF${body}`, body.slice(0, -1), '']) {
      expect(await stripe.readEvent(received({ headers, body: other }))).toBeUndefined()
    }
  })

  it('is refused with another signature, or none', async () => {
    const { headers, body } = fake.signEvent(session, WALL)
    const good = headers['stripe-signature'] as string
    const [time, mac] = good.split(',') as [string, string]
    const forged = [
      '',
      'garbage',
      time,
      mac,
      `${time},v1=`,
      `${time},v1=${'0'.repeat(64)}`,
      `${time},v1=${'é'.repeat(64)}`,
      `${time},${mac.slice(0, -1)}`,
      `${time},${mac.replace('v1', 'v0')}`,
      `t=${Number(time.slice(2)) + 1},${mac}`,
      `t=abc,${mac}`,
    ]
    for (const signature of forged) {
      const sent = { headers: { 'stripe-signature': signature }, body }
      expect(await stripe.readEvent(received(sent)), signature).toBeUndefined()
    }
    expect(await stripe.readEvent(received({ headers: {}, body }))).toBeUndefined()
    const twice = { 'stripe-signature': [good, good] as unknown as string }
    expect(await stripe.readEvent(received({ headers: twice, body }))).toBeUndefined()
  })

  it('is refused when another secret has signed it, and taken when one of two is right', async () => {
    const stranger = createStripe({
      secretKey: fake.secretKey,
      webhookSecret: 'whsec_another0123456789',
      api: fake.url,
    })
    const { headers, body } = fake.signEvent(session, WALL)
    expect(await stranger.readEvent(received({ headers, body }))).toBeUndefined()
    const [time, mac] = (headers['stripe-signature'] as string).split(',')
    const both = { 'stripe-signature': `${time},v1=${'0'.repeat(64)},${mac}` }
    expect(await stripe.readEvent(received({ headers: both, body }))).toHaveLength(1)
  })
})
