import { beforeEach, describe, expect, it } from 'vitest'
import { troubleOf, useStripeProvider } from '../../../testing/stripe/stripe-provider.ts'

const LIVE_KEY = 'sk_live_fake0123456789'
const ACCOUNT = 'GET /v1/account'

const { fake, stripe, connect, failWith, callsTo } = useStripeProvider()
const problem = async () => await connect({ secretKey: LIVE_KEY }).accountProblem?.()

describe('a problem of the account', () => {
  beforeEach(() => {
    if (!fake.moreKeys.includes(LIVE_KEY)) fake.moreKeys.push(LIVE_KEY)
  })

  it.each([
    ['nothing', {}, undefined],
    ['a missing form', { charges_enabled: false, details_submitted: false }, 'details_missing'],
    ['a block of charges', { charges_enabled: false }, 'charges_off'],
    [
      'a block without a reason',
      { charges_enabled: false, details_submitted: null },
      'charges_off',
    ],
    ['cards that are off', { capabilities: { card_payments: 'inactive' } }, 'cards_off'],
    ['cards that are checked', { capabilities: { card_payments: 'pending' } }, 'cards_off'],
    ['a block of payouts', { payouts_enabled: false }, 'payouts_off'],
    ['other capabilities', { capabilities: {} }, undefined],
    ['no capabilities', { capabilities: null }, undefined],
    [
      'a key that may see nothing',
      { charges_enabled: undefined, details_submitted: undefined, payouts_enabled: undefined },
      undefined,
    ],
  ])('is found: %s', async (_what, change, expected) => {
    failWith({ rewrite: (body) => ({ ...body, ...change }) }, ACCOUNT)
    expect(await problem()).toBe(expected)
  })

  it('is not asked for with test keys, which take payments in any case', async () => {
    fake.ledger.account.charges_enabled = false
    expect(await stripe.accountProblem?.()).toBeUndefined()
    fake.ledger.account.charges_enabled = true
    expect(callsTo(ACCOUNT)).toEqual([])
  })

  it('is not known to a key that may not read the account', async () => {
    failWith('no_permission', ACCOUNT)
    expect(await problem()).toBeUndefined()
    failWith('error_before', ACCOUNT)
    await troubleOf(problem())
  })
})
