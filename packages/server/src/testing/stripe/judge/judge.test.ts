import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_VERSION } from '../../../domain/payments/stripe/connection.ts'
import { NEEDED_EVENTS } from '../../../domain/payments/stripe/events-needed.ts'
import { Dispute, Intent } from '../../../domain/payments/stripe/schemas.ts'
import { FAILURE_RESPONSES } from '../faults.ts'
import { KEY_REUSED, SERVER_ERROR } from '../idempotency-store.ts'
import { ROUTES } from '../routes.ts'
import { refundOrder, useStripeProvider } from '../stripe-provider.ts'
import { adapterSchemas, REFUSED_ON_PURPOSE, readsOfAdapter } from './adapter-reads.ts'
import { deriveStripeTypes } from './derive-types.ts'
import { judgeRequest } from './judge-request.ts'
import { STRIPE_FOLDER, stripeTypes } from './load-types.ts'
import type { StripeTypes } from './shapes.ts'
import { requireNoViolations, takeViolations } from './violations.ts'

const types = stripeTypes()
const { fake, stripe, charged } = useStripeProvider()

describe('the types of the installed library', () => {
  it('are made for the version of the API that we ask for', () => {
    expect(types.apiVersion).toBe(API_VERSION)
  })

  it('know the routes of the fake, and the events that we need', () => {
    expect(Object.keys(ROUTES).filter((route) => !types.routes[route])).toEqual([])
    expect(NEEDED_EVENTS.filter((type) => !types.events[type])).toEqual([])
  })
})

describe('the fields that the adapter reads', () => {
  it('exist in the types, and may be all that Stripe gives', () => {
    const { problems, excused } = readsOfAdapter(types)
    expect(problems).toEqual([])
    expect([...excused].sort()).toEqual(Object.keys(REFUSED_ON_PURPOSE).sort())
  })

  it('are reported if they don’t exist', () => {
    const amount_payed = Type.Integer()
    const wrong = { Intent: Type.Object({ ...Intent.properties, amount_payed }) }
    expect(readsOfAdapter(types, wrong).problems).toEqual([
      "Intent.amount_payed is read, but Stripe's types have no such field",
    ])
  })

  it('are reported if Stripe may give what is refused', () => {
    const { properties } = Dispute
    const strict = {
      ...properties,
      payment_intent: Type.String(),
      network_reason_code: Type.String(),
    }
    expect(readsOfAdapter(types, { Dispute: Type.Object(strict) }).problems).toEqual([
      'Dispute.payment_intent: Stripe may give null, which is refused',
      'Dispute.network_reason_code: Stripe may give null or nothing, which is refused',
    ])
  })

  it('must be assigned to an answer', () => {
    expect(readsOfAdapter(types, { Coffee: Type.Object({}) }).problems).toEqual([
      "Coffee: adapter-reads.ts doesn't say which answer it reads",
    ])
    expect(Object.keys(adapterSchemas())).toContain('Intent')
  })
})

describe('a request', () => {
  const refuse = async (params: object) => {
    const version = types.apiVersion
    const response = await fetch(`${fake.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fake.secretKey}`, 'stripe-version': version },
      body: new URLSearchParams(params as Record<string, string>),
    })
    return { status: response.status, violations: takeViolations() }
  }

  it('with a wrong parameter is refused, and fails the test that sent it', async () => {
    const { ref } = await charged()
    const { status, violations } = await refuse({ payment_intent: ref, amont: '100' })
    expect(status).toBe(400)
    expect(violations).toEqual([
      'POST /v1/refunds: parameter `amont`: Received unknown parameter: amont',
    ])
  })

  it('with a value that Stripe does not know is refused', async () => {
    const { ref } = await charged()
    const { violations } = await refuse({ payment_intent: ref, reason: 'bored' })
    expect(violations.join()).toMatch(/^POST \/v1\/refunds: parameter `reason`: .*must be one of/)
  })

  it('of the adapter is judged in all parts', async () => {
    const { ref } = await charged()
    await stripe.refund(refundOrder(ref as string))
    expect(takeViolations()).toEqual([])
  })
})

describe('an answer', () => {
  /** Makes a refund, changes it, and returns the violations of the answers that show it. */
  async function violationsOf(change: object, isOdd = false): Promise<string[]> {
    const { ref } = await charged()
    const id = fake.refundByHand(ref as string)
    const refund = fake.ledger.refunds.get(id)
    if (isOdd) fake.ledger.markOdd(id, 'for this test')
    Object.assign(refund as object, change)
    await stripe.find.refund({ refundId: 'none', paymentRef: ref as string }).catch(() => {})
    return takeViolations()
  }

  it.each([
    [
      'a field that Stripe does not have',
      { colour: 'red' },
      "colour: Stripe's types have no such field",
    ],
    ['a value of the wrong type', { amount: '999' }, 'amount: "999" is not allowed; it is number'],
    [
      'null where Stripe gives none',
      { created: null },
      'created: null is not allowed; it is number',
    ],
    ['a value that Stripe does not know', { reason: 'bored' }, 'reason: "bored" is not allowed'],
    ['a field missing that is read', { currency: undefined }, 'currency: missing'],
    [
      'a wrong value in a map',
      { metadata: { a: 1 } },
      'metadata.a: 1 is not allowed; it is string',
    ],
  ])('with %s fails the test that caused it', async (_what, change, problem) => {
    const violations = await violationsOf(change)
    expect(violations).toHaveLength(1)
    expect(violations[0]).toContain(`GET /v1/refunds: answer.data[0].${problem}`)
  })

  it('with the same object marked as odd does not', async () => {
    expect(await violationsOf({ created: null }, true)).toEqual([])
  })

  it('is judged in expanded objects too', async () => {
    const { ref } = await charged()
    const intent = fake.ledger.intents.get(ref as string)
    const charge = fake.ledger.charges.get(intent?.latest_charge as string)
    Object.assign(charge as object, { disputed: 'yes' })
    await stripe.find.payment({ paymentId: undefined, method: undefined, ref }).catch(() => {})
    expect(takeViolations()).toEqual([
      'GET /v1/payment_intents/:id: answer.latest_charge.disputed: "yes" is not allowed; it is boolean',
    ])
  })

  it('with an error that Stripe does not have fails too', () => {
    const { judge } = fake.ledger
    judge.noteError('GET /v1/refunds', {
      type: 'invalid_request_error',
      message: 'No.',
      code: 'no_coffee',
    })
    expect(takeViolations().join()).toContain('GET /v1/refunds: error.code: "no_coffee"')
    for (const { body } of [...Object.values(FAILURE_RESPONSES), KEY_REUSED, SERVER_ERROR] as {
      body: string | { error: never }
    }[]) {
      if (typeof body !== 'string') judge.noteError('GET /v1/refunds', body.error)
    }
    expect(takeViolations()).toEqual([])
  })
})

describe('an event', () => {
  it('of an unknown type, or about something else, fails the test', async () => {
    const { ref } = await charged()
    const refund = fake.ledger.refunds.get(fake.refundByHand(ref as string)) as object
    fake.ledger.emitEvent('refund.reheated', refund)
    fake.ledger.emitEvent('refund.updated', { ...refund, object: 'charge' })
    expect(takeViolations()).toEqual([
      'event refund.reheated: Stripe has no such event',
      'event refund.updated: object.object: "charge" is not allowed; it is one of refund',
    ])
  })
})

describe('violations', () => {
  it('fail a test whatever the service made of them, and once', () => {
    fake.ledger.emitEvent('refund.reheated', {})
    expect(() => requireNoViolations()).toThrow('event refund.reheated: Stripe has no such event')
    expect(() => requireNoViolations()).not.toThrow()
  })
})

describe('an update of the library', () => {
  let folder: string
  let updated: StripeTypes

  /** Renames things in a copy of the package, as an update might. */
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-stripe-'))
    for (const part of ['package.json', 'esm']) {
      const filter = (path: string) => !path.endsWith('.map')
      cpSync(join(STRIPE_FOLDER, part), join(folder, part), { recursive: true, filter })
    }
    const rename = (file: string, from: string, to: string) => {
      const path = join(folder, 'esm', file)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to))
    }
    rename('resources/Refunds.d.ts', ' failure_reason?:', ' failure_cause?:')
    rename('resources/Refunds.d.ts', ' payment_intent?: string', ' payment?: string')
    rename('resources/Disputes.js', '/v1/disputes', '/v1/complaints')
    rename('resources/Events.d.ts', "'refund.failed'", "'refund.bounced'")
    updated = deriveStripeTypes(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('that renames a field which is read is reported', () => {
    expect(readsOfAdapter(updated).problems).toContain(
      "Refund.failure_reason is read, but Stripe's types have no such field",
    )
  })

  it('that renames a parameter which is sent is reported', () => {
    const params = { payment_intent: 'pi_1', amount: '100' }
    expect(judgeRequest(types, 'POST /v1/refunds', params)).toEqual([])
    expect(judgeRequest(updated, 'POST /v1/refunds', params)).toMatchObject([
      { code: 'parameter_unknown', param: 'payment_intent' },
    ])
  })

  it('that renames a route or an event is reported', () => {
    expect(updated.routes['GET /v1/disputes']).toBeUndefined()
    expect(updated.events['refund.failed']).toBeUndefined()
    expect(readsOfAdapter(updated).problems).toContain(
      "Dispute: adapter-reads.ts doesn't say which answer it reads",
    )
  })
})
