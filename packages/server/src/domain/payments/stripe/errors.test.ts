import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import {
  CREATE_INTENT,
  chargeOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import { toProviderError } from './errors.ts'

const { stripe, saveCard, failWith } = useStripeProvider()

describe('trouble with Stripe', () => {
  it.each([
    ['key_refused', 'key_refused'],
    ['no_permission', 'no_permission'],
    ['reset_before', 'unreachable'],
    ['not_json', 'unreachable'],
    ['error_before', undefined],
    ['rate_limited', undefined],
  ] as const)('of the kind %s says what an operator can do: %s', async (fault, kind) => {
    const order = chargeOrder(await saveCard())
    failWith(fault, CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).kind).toBe(kind)
  })

  it('names the request, so that Stripe’s support can find it', async () => {
    const order = chargeOrder(await saveCard())
    failWith('rate_limited', CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toMatch(
      /^Stripe: 429, rate_limit \(endpoint-rate\), req_\w+$/,
    )
  })
})

describe('an error of Stripe’s SDK', () => {
  /** Describes an error as the SDK makes it from a response. */
  const describeError = (more: object) => {
    const raw = { type: 'api_error', statusCode: 500, message: 'About jo@example.com', ...more }
    return toProviderError(new Stripe.errors.StripeAPIError(raw as never), 'KEY')
  }

  it.each([
    ['7', 7_000],
    ['3600', 3_600_000],
    ['3601', 3_600_000],
    ['0', 0],
    ['1234567', undefined],
    ['soon', undefined],
    ['7 seconds', undefined],
    ['in 7', undefined],
    ['-7', undefined],
    [undefined, undefined],
  ])('that asks for a pause of %s asks for %s ms', (header, retryAfter) => {
    expect(describeError({ headers: { 'retry-after': header } }).retryAfter).toBe(retryAfter)
  })

  it.each([
    ['global-rate', 'Stripe: 429, rate_limit (global-rate), req_1'],
    ['resource-specific', 'Stripe: 429, rate_limit (resource-specific), req_1'],
    ['jo@example.com', 'Stripe: 429, rate_limit, req_1'],
    ['Global rate', 'Stripe: 429, rate_limit, req_1'],
    ['x'.repeat(62), 'Stripe: 429, rate_limit, req_1'],
  ])('says which limit was reached, if it is a plain word: %s', (reason, message) => {
    const headers = { 'stripe-rate-limited-reason': reason }
    const limited = { statusCode: 429, code: 'rate_limit', requestId: 'req_1', headers }
    expect(describeError(limited).message).toBe(message)
    const other = describeError({ statusCode: 500, code: 'rate_limit', headers })
    expect(other.message).toBe('Stripe: 500, rate_limit')
  })

  it.each([
    [{ code: 'lock_timeout', requestId: 'req_aB1' }, 'Stripe: 500, lock_timeout, req_aB1'],
    [{ code: 'x'.repeat(80) }, `Stripe: 500, ${'x'.repeat(80)}`],
    [{ code: 'x'.repeat(81) }, 'Stripe: 500, api_error'],
    [{ code: 'jo@example.com' }, 'Stripe: 500, api_error'],
    [{ code: 'Code_1' }, 'Stripe: 500, api_error'],
    [{ code: 7, type: 'jo@example.com' }, 'Stripe: 500, no code'],
    [{ statusCode: undefined }, 'Stripe: no status, api_error'],
    [{ requestId: 'req_jo@example.com' }, 'Stripe: 500, api_error'],
    [{ requestId: ' req_1' }, 'Stripe: 500, api_error'],
    [{ requestId: `req_${'1'.repeat(65)}` }, 'Stripe: 500, api_error'],
    [{ requestId: 7 }, 'Stripe: 500, api_error'],
  ])('is told by its codes only: %j', (more, message) => {
    expect(describeError(more).message).toBe(message)
  })

  it.each([
    [{ code: 'resource_missing', param: 'customer' }, 'resource_missing', 'customer'],
    [{ code: 7, param: {} }, undefined, undefined],
  ])('is a refusal if Stripe can’t carry out the order: %j', (more, code, param) => {
    const refusal = describeError({ type: 'invalid_request_error', statusCode: 400, ...more })
    const about = { isCardError: false, isAmountError: false, intent: undefined }
    expect(refusal).toMatchObject({ name: 'StripeRefusal', code, param, ...about })
  })

  it.each([
    ['invalid_request_error', 400, 'StripeRefusal'],
    ['invalid_request_error', 402, 'StripeRefusal'],
    ['invalid_request_error', 404, 'StripeRefusal'],
    ['invalid_request_error', 409, 'ProviderError'],
    ['invalid_request_error', 500, 'ProviderError'],
    ['card_error', 402, 'StripeRefusal'],
    ['card_error', 400, 'ProviderError'],
    ['card_error', 500, 'ProviderError'],
    ['api_error', 400, 'ProviderError'],
    ['api_error', 402, 'ProviderError'],
    ['idempotency_error', 400, 'IdempotencyKeyReused'],
    ['idempotency_error', 409, 'ProviderError'],
    ['api_error', 409, 'ProviderError'],
  ])('of the type %s under %d is a %s', (type, statusCode, name) => {
    expect(describeError({ type, statusCode }).name).toBe(name)
  })

  it('that is none is told by no word of it', () => {
    const { message } = toProviderError(new Error('jo@example.com'), 'KEY')
    expect(message).toBe("Stripe: the answer can't be read")
  })
})
