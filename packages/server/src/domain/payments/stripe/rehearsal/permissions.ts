import { type AccountApi, createAccountApi } from '../account-api.ts'
import { createStripeApi, type StripeApi } from '../api.ts'
import { chargeCard } from '../charges.ts'
import type { StripeConnection } from '../connection.ts'
import { StripeRefusal } from '../errors.ts'
import { METADATA_KEYS } from '../metadata.ts'
import { createRefund } from '../refunds.ts'
import { decodeSavedCard } from '../saved-card.ts'
import { openPage } from './pages.ts'
import { refundOrder } from './sale.ts'
import { AMOUNT, chargeOrder, type Rehearsal, requireResult, type Step } from './step.ts'

type Call = (api: StripeApi, account: AccountApi, rehearsal: Rehearsal) => Promise<unknown>

/** An id that nothing has. */
const NOTHING = 'gatehouse_rehearsal'
/** Stripe refuses this address, so nothing is created. */
const PRIVATE_URL = 'https://localhost/events/stripe'

/** All calls that Gatehouse makes. Those that are refused for another reason than the key are allowed. */
const NEEDED: Readonly<Record<string, Call>> = {
  'list payments': (api) => api.check(),
  'search payments': (api) => api.searchIntents(`metadata['${METADATA_KEYS.payment}']:'none'`),
  'read a payment with its charge': (api, _, rehearsal) =>
    api.findIntent(requireResult(rehearsal, 'charge')),
  'charge a saved card': (api, _, rehearsal) =>
    chargeCard(api, chargeOrder(rehearsal, 'restricted', requireResult(rehearsal, 'card'))),
  'read a saved card': (api, _, rehearsal) => {
    const saved = decodeSavedCard(requireResult(rehearsal, 'card'))
    return api.findMethod(saved?.paymentMethod ?? NOTHING)
  },
  'cancel a payment': (api, _, rehearsal) => api.cancelIntent(requireResult(rehearsal, 'charge')),
  'create a checkout session': (api, _, rehearsal) =>
    openPage(rehearsal, 'restricted', AMOUNT, api),
  'create a session that saves a card': (api, _, rehearsal) =>
    openPage(rehearsal, 'restricted-setup', undefined, api),
  'read a checkout session': (api, _, rehearsal) =>
    api.findSession(requireResult(rehearsal, 'paymentPage')),
  'read a session that saves a card': (api, _, rehearsal) =>
    api.findSession(requireResult(rehearsal, 'setupPage')),
  'list checkout sessions': (api, _, rehearsal) =>
    api.sessionsOf(requireResult(rehearsal, 'charge')).next(),
  'expire a checkout session': (api, _, rehearsal) =>
    api.expireSession(requireResult(rehearsal, 'paymentPage')),
  'create a refund': (api, _, rehearsal) =>
    createRefund(api, refundOrder(rehearsal, 'restricted', requireResult(rehearsal, 'charge'))),
  'read a refund': (api) => api.findRefund(`re_${NOTHING}`),
  'list refunds': (api, _, rehearsal) => api.refundsOf(requireResult(rehearsal, 'charge')).next(),
  'list disputes': (api, _, rehearsal) => api.disputesOf(requireResult(rehearsal, 'charge')).next(),
}

/** Gatehouse works without these. */
const OPTIONAL: Readonly<Record<string, Call>> = {
  'read the account': (_, account) => account.findAccount(),
  'list webhook endpoints': (_, account) => account.listEndpoints(),
  'create a webhook endpoint': (_, account) => account.createEndpoint(PRIVATE_URL, NOTHING),
  'delete a webhook endpoint': (_, account) => account.deleteEndpoint(`we_${NOTHING}`),
}

/** Tries with a restricted key whether it has the permissions for what Gatehouse does. */
export function permissionSteps(restricted: StripeConnection): Step[] {
  const api = createStripeApi(restricted)
  const account = createAccountApi(restricted)
  const toStep = ([name, call]: [string, Call]): Step => ({
    name: `restricted key: ${name}`,
    expected: { outcome: 'allowed' },
    run: async (rehearsal) => {
      try {
        await call(api, account, rehearsal)
      } catch (error) {
        if (!(error instanceof StripeRefusal)) throw error
      }
      return 'allowed'
    },
  })
  return [
    ...Object.entries(NEEDED).map(toStep),
    ...Object.entries(OPTIONAL)
      .map(toStep)
      .map((step): Step => ({ ...step, isOptional: true })),
  ]
}
