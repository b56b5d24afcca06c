import { beforeEach } from 'vitest'
import { NEEDED_EVENTS } from '../../domain/payments/stripe/events-needed.ts'
import {
  type RehearsalOptions,
  type RehearsalStep,
  runRehearsal,
} from '../../domain/payments/stripe/rehearsal/rehearsal.ts'
import type { FakeCall, Fault } from './fake-stripe.ts'
import type { FakeEndpoint } from './ledger.ts'
import { useStripeProvider } from './stripe-provider.ts'

export const WEBHOOK_URL = 'https://gate.example.com/events/stripe'
export const RESTRICTED_KEY = 'rk_test_restricted0123456789'

/** Rehearses with a fake of Stripe, for the tests of the current file. */
export function useRehearsal() {
  const { fake } = useStripeProvider()
  beforeEach(() => {
    fake.moreKeys = [RESTRICTED_KEY]
    fake.ledger.endpoints.clear()
    addEndpoint(WEBHOOK_URL)
  })

  function addEndpoint(url: string, more: Partial<FakeEndpoint> = {}): void {
    const id = `we_${fake.ledger.endpoints.size}`
    const needed = { status: 'enabled' as const, metadata: {}, enabled_events: [...NEEDED_EVENTS] }
    fake.ledger.endpoints.set(id, { object: 'webhook_endpoint', id, url, ...needed, ...more })
  }

  const rehearse = (more: Partial<RehearsalOptions> = {}) =>
    runRehearsal({
      secretKey: fake.secretKey,
      api: fake.url,
      timeout: 5_000,
      webhookUrl: WEBHOOK_URL,
      waitMs: 0,
      ...more,
    })

  /** Returns the messages of the steps that don't succeed. */
  async function failuresOf(fault: (call: FakeCall) => Fault | undefined = () => undefined) {
    fake.fault = fault
    return Object.fromEntries(notOk(await rehearse()).map(({ name, message }) => [name, message]))
  }

  return { fake, addEndpoint, rehearse, failuresOf }
}

export const notOk = (steps: RehearsalStep[]) => steps.filter(({ status }) => status !== 'ok')

/** Fails the first call of a route for which a condition holds. */
export function failOnce(
  route: string,
  fault: Fault,
  isHit: (call: FakeCall) => boolean = () => true,
) {
  let isDone = false
  return (call: FakeCall) => {
    if (isDone || call.route !== route || !isHit(call)) return undefined
    isDone = true
    return fault
  }
}

export const change = (more: object): Fault => ({ rewrite: (body) => ({ ...body, ...more }) })

export const refuse = (status: number, error: object): Fault => ({
  status,
  rewrite: () => ({ error: { type: 'invalid_request_error', message: 'No.', ...error } }),
})
