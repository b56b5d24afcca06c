import type Stripe from 'stripe'
import type { StripeApi } from './api.ts'
import { StripeRefusal } from './errors.ts'

type Params = Stripe.Checkout.SessionCreateParams

/** A parameter that a page can do without. */
interface Optional {
  name: 'customer_email' | 'wallet_options'
  /** What the idempotency key of the page without it ends in. */
  suffix: string
  isRefused(refusal: StripeRefusal): boolean
}

const OPTIONAL: readonly Optional[] = [
  {
    // Stripe's rules for addresses are not published. Without one, the page asks the payer.
    name: 'customer_email',
    suffix: 'noemail',
    isRefused: ({ code, param }) => code === 'email_invalid' || param === 'customer_email',
  },
  {
    // Nothing says whether every kind of page takes it. A refusal may name no parameter.
    name: 'wallet_options',
    suffix: 'nolink',
    isRefused: ({ code, param }) =>
      param === undefined ? code === undefined : param.startsWith('wallet_options'),
  },
]

type Page = Awaited<ReturnType<StripeApi['createSession']>>

/** Creates a page for payers. If Stripe refuses a parameter that is not essential, the page is created again at once without
 * it, under another key: a reader who wants to pay must never be turned away because of it. */
export async function createPage(
  api: StripeApi,
  params: Params,
  key: string,
): Promise<{ session: Page; leftOut: readonly Optional['name'][] }> {
  try {
    return { session: await api.createSession(params, key), leftOut: [] }
  } catch (error) {
    const refused = findRefused(error, params)
    if (!refused) throw error
    const { [refused.name]: _, ...rest } = params
    const { session, leftOut } = await createPage(api, rest, `${key}-${refused.suffix}`)
    return { session, leftOut: [refused.name, ...leftOut] }
  }
}

const findRefused = (error: unknown, params: Params): Optional | undefined =>
  error instanceof StripeRefusal
    ? OPTIONAL.find(({ name, isRefused }) => name in params && isRefused(error))
    : undefined
