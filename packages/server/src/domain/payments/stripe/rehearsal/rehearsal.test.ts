import { describe, expect, it } from 'vitest'
import type { FakeCall, Fault } from '../../../../testing/stripe/fake-stripe.ts'
import { REFUSALS } from '../../../../testing/stripe/refusals.ts'
import {
  change,
  failOnce,
  notOk,
  RESTRICTED_KEY,
  refuse,
  useRehearsal,
} from '../../../../testing/stripe/rehearsals.ts'
import { CREATE_INTENT, CREATE_REFUND } from '../../../../testing/stripe/stripe-provider.ts'

const { fake, rehearse, failuresOf } = useRehearsal()

const SEARCH = 'GET /v1/payment_intents/search'
const ofCard = (card: string) => (call: FakeCall) => call.text.includes(`payment_method=${card}`)

describe('a rehearsal', () => {
  it('finds that the imitation does what is expected, in every step', async () => {
    const steps = await rehearse({ restrictedKey: RESTRICTED_KEY })
    expect(notOk(steps)).toEqual([])
    expect(steps.filter(({ answers }) => answers.length === 0)).toEqual([])
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length)
  })

  it('shows what Stripe answered, and what Gatehouse makes of it', async () => {
    const steps = await rehearse()
    const find = (name: string) => steps.find((step) => step.name === name)
    expect(find('charge pm_card_visa_chargeDeclinedLostCard')).toMatchObject({
      message: 'the payment fails: declined',
      answers: [
        {
          call: 'POST /v1/payment_intents',
          status: 402,
          type: 'card_error',
          code: 'card_declined',
          decline_code: 'lost_card',
          request: expect.stringMatching(/^req_\w+$/),
        },
        { call: 'POST /v1/payment_intents/:id/cancel', status: 200 },
      ],
    })
    expect(find('repeat the refused refund under its key')?.answers[0]).toMatchObject({
      status: 400,
      param: 'amount',
      replayed: true,
    })
    expect(find('look at a charge with an inquiry')?.message).toBe(
      'disputed true, status warning_needs_response, is_charge_refundable true',
    )
  })

  it('leaves nothing open, nothing that can be refunded, and no customer', async () => {
    const { customers } = fake.ledger
    customers.clear()
    const steps = await rehearse({ restrictedKey: RESTRICTED_KEY })
    const { sessions, charges, methods } = fake.ledger
    expect([...sessions.values()].filter(({ status }) => status === 'open')).toEqual([])
    const kept = [...charges.values()].filter((one) => one.paid && !one.refunded)
    expect(kept.filter(({ disputed }) => !disputed)).toEqual([])
    expect(customers.size).toBe(0)
    expect([...methods.values()].filter((one) => customers.has(one.customer ?? ''))).toEqual([])
    expect(steps.at(-1)?.message).toMatch(
      /^4 sessions expired, 5 charges refunded, 1 customers deleted with their cards; what stays are 8 charges/,
    )
  })

  it('says what could not be cleaned up', async () => {
    fake.fault = ({ route }) => (route === 'DELETE /v1/customers/:id' ? 'no_permission' : undefined)
    const steps = await rehearse()
    expect(steps.at(-1)?.message).toContain('0 customers deleted')
    expect(steps.at(-1)?.message).toContain('could not be cleaned up')
  })

  it.each<[string, (call: FakeCall) => Fault | undefined, string, string]>([
    [
      'another decline code',
      failOnce(
        CREATE_INTENT,
        {
          rewrite: (body) => ({
            error: { ...(body.error as object), decline_code: 'do_not_honor' },
          }),
        },
        ofCard('pm_card_visa_chargeDeclinedLostCard'),
      ),
      'charge pm_card_visa_chargeDeclinedLostCard',
      'status 402, type card_error, code card_declined, decline_code lost_card',
    ],
    [
      'a code where there was none',
      failOnce(CREATE_REFUND, refuse(400, { code: 'charge_disputed', param: 'amount' }), (call) =>
        call.text.includes('amount=501'),
      ),
      'refund more than was charged',
      'the refund fails: refused',
    ],
    [
      'another state of an inquiry',
      failOnce('GET /v1/disputes', {
        rewrite: ({ data, ...body }) => ({
          ...body,
          data: (data as object[]).map((one) => ({ ...one, is_charge_refundable: true })),
        }),
      }),
      'look at a disputed charge',
      'disputed true, status needs_response, is_charge_refundable false',
    ],
    [
      'another code for an address',
      failOnce(
        'POST /v1/checkout/sessions',
        refuse(400, { code: 'parameter_invalid', param: 'customer_email' }),
        ({ text }) => text.includes('customer_email'),
      ),
      'create a session for an address that Stripe refuses',
      'status 400, code email_invalid, param customer_email',
    ],
  ])('notices %s', async (_what, fault, name, expected) => {
    fake.fault = fault
    const found = notOk(await rehearse())
    expect(found.map((step) => [step.name, step.expected])).toEqual([[name, expected]])
  })

  it('tells a wrong result of Gatehouse from another answer with the same result', async () => {
    const statusWith = async (fault: Fault, card: string) => {
      fake.fault = failOnce(CREATE_INTENT, fault, ofCard(card))
      return notOk(await rehearse()).map(({ status }) => status)
    }
    expect(await statusWith(REFUSALS.method, 'pm_card_radarBlock')).toEqual(['failed'])
    const gone = {
      rewrite: (body: object) => ({ ...body, error: { ...errorOf(body), code: 'x' } }),
    }
    expect(await statusWith(gone, 'pm_card_radarBlock')).toEqual(['differs'])
  })

  it('finds a renewal that Stripe refuses without return_url', async () => {
    const refusal = refuse(400, { param: 'return_url' })
    const failures = await failuresOf(({ route, text }) =>
      route === CREATE_INTENT && !text.includes('return_url') ? refusal : undefined,
    )
    expect(failures).toHaveProperty(['charge without return_url'])
    expect(failures).not.toHaveProperty(['create a customer'])
  })

  it('says that a page is refused without Link', async () => {
    fake.fault = ({ route, text }) =>
      route === 'POST /v1/checkout/sessions' &&
      text.includes('mode=setup') &&
      text.includes('wallet_options')
        ? refuse(400, { code: 'parameter_unknown', param: 'wallet_options' })
        : undefined
    const steps = await rehearse()
    const step = steps.find(({ name }) => name === 'create a session without Link in setup mode')
    expect(step).toMatchObject({ status: 'failed', answers: [{ param: 'wallet_options' }] })
  })

  it('says that search does not find the charge yet, which is no failure', async () => {
    fake.fault = ({ route }) =>
      route === SEARCH ? change({ data: [], has_more: false }) : undefined
    const step = (await rehearse()).find(({ name }) => name === 'search for the charge')
    expect(step).toMatchObject({ status: 'ok', message: 'not yet found after 0 s' })
  })

  it('goes without a search where Stripe offers none', async () => {
    fake.fault = ({ route }) => (route === SEARCH ? refuse(400, {}) : undefined)
    const step = (await rehearse()).find(({ name }) => name === 'search for the charge')
    expect(step).toMatchObject({ status: 'ok', message: 'Stripe offers no search here' })
  })

  it('searches again until the charge is found', async () => {
    fake.ledger.searchDelayMs = 0
    const isLast = ({ text }: FakeCall) => !text.includes('gatehouse_subscription')
    fake.fault = failOnce(SEARCH, change({ data: [], has_more: false }), isLast)
    const steps = await rehearse({ waitMs: 1_000 })
    const step = steps.find(({ name }) => name === 'search for the charge')
    expect(step?.message).toMatch(/^found after/)
    expect(step?.answers).toHaveLength(2)
  })

  it('goes on after an error that no step expects, and shows no text of it', async () => {
    const tooSmall = refuse(400, { code: 'amount_too_small' })
    const failures = await failuresOf(failOnce('POST /v1/checkout/sessions', tooSmall))
    const skipped = 'an earlier step has failed'
    expect(failures).toEqual({
      'create a checkout session': 'Gatehouse gives up: payments_not_set_up',
      'read the checkout session': skipped,
      'expire the checkout session': skipped,
    })
  })

  it('counts its steps', async () => {
    const seen: [number, number][] = []
    const steps = await rehearse({ onStep: (...counts) => seen.push(counts) })
    expect(seen).toEqual(steps.map((_, index) => [index + 1, steps.length]))
  })

  it('says that a charge did not succeed, and what could not be tried then', async () => {
    const unpaid = change({ status: 'processing', amount_received: 0 })
    const failures = await failuresOf(
      failOnce(CREATE_INTENT, unpaid, ({ text }) => text.includes('amount=500&')),
    )
    expect(failures['charge the card while nobody is there']).toBe('the payment is pending')
    expect(failures['refund a part']).toBe('an earlier step has failed')
    expect(failures).not.toHaveProperty(['charge a detached card'])
  })

  it('says that the lists lack a charge that was made, and refunds all the same', async () => {
    const failures = await failuresOf(({ route }) =>
      /^GET .v1.payment_intents(.search)?$/.test(route)
        ? change({ data: [], has_more: false })
        : undefined,
    )
    expect(failures).toEqual({
      'find the charge by its metadata': 'the charge is not in the lists',
      'list what is new': 'the lists lack the charge',
    })
  })

  it.each(['sk_live_1', 'pk_live_1', 'xsk_test_1'])('is refused with the key %s', async (key) => {
    fake.calls.length = 0
    await expect(rehearse({ secretKey: key })).rejects.toThrow('the sale check needs test keys')
    await expect(rehearse({ restrictedKey: key })).rejects.toThrow(
      'the restricted key is no test key',
    )
    expect(fake.calls).toEqual([])
  })
})

const errorOf = (body: object) => (body as { error: object }).error
