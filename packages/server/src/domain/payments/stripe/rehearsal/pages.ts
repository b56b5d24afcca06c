import type Stripe from 'stripe'
import type { CheckoutOrder, Money } from '../../provider.ts'
import type { StripeApi } from '../api.ts'
import { getCheckoutFinding, startCheckout } from '../checkout.ts'
import { AMOUNT, failed, outcomeOfError, type Rehearsal, requireResult, type Step } from './step.ts'

const HOUR_MS = 3_600_000
/** Two dots in a row: we let it pass, and Stripe's rules for addresses don't. */
const REFUSED_ADDRESS = 'a..b@example.com'
/** Stripe takes no Libyan dinars. */
const REFUSED_PRICE = {
  quantity: 1,
  price_data: { currency: 'lyd', unit_amount: 50_000, product_data: { name: 'Test' } },
}

export const pageSteps: readonly Step[] = [
  {
    name: 'create a checkout session',
    run: async (rehearsal) => {
      rehearsal.sale.paymentPage = await openPage(rehearsal, 'payment', AMOUNT)
      return 'it can be paid'
    },
  },
  {
    name: 'read the checkout session',
    expected: { outcome: 'the page is open' },
    run: (rehearsal) => readPage(rehearsal, 'paymentPage'),
  },
  { name: 'expire the checkout session', run: (rehearsal) => expirePage(rehearsal, 'paymentPage') },
  {
    name: 'create a session that saves a card',
    run: async (rehearsal) => {
      rehearsal.sale.setupPage = await openPage(rehearsal, 'setup', undefined)
      return 'a card can be entered'
    },
  },
  {
    name: 'read the session that saves a card',
    expected: { outcome: 'the page is open' },
    run: (rehearsal) => readPage(rehearsal, 'setupPage'),
  },
  {
    name: 'expire the session that saves a card',
    run: (rehearsal) => expirePage(rehearsal, 'setupPage'),
  },
  withoutLink('payment', AMOUNT),
  withoutLink('setup', undefined),
  {
    name: 'create a session for an address that Stripe refuses',
    expected: { answer: { status: 400, code: 'email_invalid', param: 'customer_email' } },
    run: (rehearsal) =>
      openChanged(rehearsal, 'address', AMOUNT, { customer_email: REFUSED_ADDRESS }),
  },
  {
    name: 'create a session for one cent',
    expected: {
      answer: { status: 400, code: 'amount_too_small' },
      outcome: 'refused: payments_not_set_up',
    },
    run: (rehearsal) => openChanged(rehearsal, 'cent', { ...AMOUNT, amount: 1 }, {}),
  },
  {
    name: 'create a session in a currency that Stripe refuses',
    expected: { answer: { status: 400, type: 'invalid_request_error' } },
    run: (rehearsal) => openChanged(rehearsal, 'currency', AMOUNT, { line_items: [REFUSED_PRICE] }),
  },
]

/** Gatehouse sends this parameter with each page, and creates the page without it where it is refused. Here that is a
 * finding. */
function withoutLink(mode: string, charge: Money | undefined): Step {
  return {
    name: `create a session without Link in ${mode} mode`,
    expected: { answer: { status: 200 }, outcome: 'the page is open' },
    run: async (rehearsal) => {
      const { api } = rehearsal
      const createSession: StripeApi['createSession'] = async (params, key) => {
        if (params.wallet_options === undefined) throw failed('Link can not be turned off')
        return await api.createSession(params, key)
      }
      await openPage(rehearsal, `${mode}-without-link`, charge, { ...api, createSession })
      return 'the page is open'
    },
  }
}

function pageOrder({ run }: Rehearsal, name: string, charge: Money | undefined): CheckoutOrder {
  const page = 'https://gatehouse.example/checkout'
  return {
    aid: 'rehearsal',
    checkoutId: `${run}-${name}`,
    paymentId: `${run}-${name}`,
    labels: { installation: run },
    charge,
    currency: AMOUNT.currency,
    keepCard: true,
    title: 'Test of a purchase',
    email: undefined,
    doneUrl: page,
    backUrl: page,
    created: Date.now(),
    expires: Date.now() + HOUR_MS,
  }
}

/** Returns Stripe's id of the session. */
export async function openPage(
  rehearsal: Rehearsal,
  name: string,
  charge: Money | undefined,
  api: StripeApi = rehearsal.api,
): Promise<string> {
  const { ref } = await startCheckout(
    api,
    pageOrder(rehearsal, name, charge),
    rehearsal.apiOverride,
  )
  return ref
}

/** Opens a page as Gatehouse does, with some parameters changed. Open pages are expired at the end. */
async function openChanged(
  rehearsal: Rehearsal,
  name: string,
  charge: Money | undefined,
  change: Partial<Stripe.Checkout.SessionCreateParams>,
): Promise<string> {
  const { api } = rehearsal
  const createSession: StripeApi['createSession'] = (params, key) =>
    api.createSession({ ...params, ...change }, key)
  try {
    await openPage(rehearsal, name, charge, { ...api, createSession })
    return 'the page is open'
  } catch (error) {
    return outcomeOfError(error)
  }
}

async function readPage(rehearsal: Rehearsal, page: 'paymentPage' | 'setupPage'): Promise<string> {
  const { api, apiOverride } = rehearsal
  const { status } = await getCheckoutFinding(api, requireResult(rehearsal, page), apiOverride)
  return `the page is ${status}`
}

async function expirePage(
  rehearsal: Rehearsal,
  page: 'paymentPage' | 'setupPage',
): Promise<string> {
  const { status } = await rehearsal.more.expireSession(requireResult(rehearsal, page))
  if (status !== 'expired') throw failed(`the session is ${status}`)
  return "it can't be paid any more"
}
