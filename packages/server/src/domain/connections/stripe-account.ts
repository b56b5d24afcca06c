import { fail, invalid } from '../../errors.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import { ProviderError } from '../payments/provider-error.ts'
import type { AccountApi } from '../payments/stripe/account-api.ts'
import { type Connections, KEY_SETTING } from './connections.ts'
import type { StripeAccount } from './stored.ts'
import { KEY_TEXTS, STRIPE_FAILED } from './texts.ts'

/** Somebody waits for the result in front of a form. */
const TIMEOUT_MS = 10_000

/** A key that is tried out. */
export interface OpenStripe {
  account: AccountApi
  provider: PaymentProvider
  /** Checks the key; returns null if it may not read the account. */
  inspect(): Promise<StripeAccount | null>
}

/** Calls Stripe, or the server that the operator has set in its place. */
export async function openStripe(connections: Connections, secretKey: string): Promise<OpenStripe> {
  // Imported only if it is used, like the provider itself.
  const { connectStripe } = await import('../payments/stripe/connection.ts')
  const { createAccountApi } = await import('../payments/stripe/account-api.ts')
  const options = { secretKey, api: connections.stripeApi, keySetting: KEY_SETTING }
  const account = createAccountApi(connectStripe({ ...options, timeout: TIMEOUT_MS }))
  const provider = await connections.tryProvider(secretKey)
  return {
    account,
    provider,
    inspect: () =>
      explainingStripe(async () => {
        await provider.check()
        return await findAccount(account)
      }),
  }
}

async function findAccount(api: AccountApi): Promise<StripeAccount | null> {
  try {
    const { id, settings, business_profile } = await api.findAccount()
    const name = settings?.dashboard?.display_name || business_profile?.name || null
    return { id, name }
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'no_permission') return null
    throw error
  }
}

/** Says what is wrong in our own words: Stripe's may repeat a part of the key. */
export async function explainingStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'key_refused') throw keyProblem(KEY_TEXTS.refused)
    if (error.kind === 'no_permission') throw keyProblem(KEY_TEXTS.noPermission)
    throw fail('provider_unavailable', STRIPE_FAILED)
  }
}

const keyProblem = (text: string) => invalid('secret_key', text, 'connection_failed')
