import { ProviderError } from '../payments/provider-error.ts'
import type { AccountApi } from '../payments/stripe/account-api.ts'
import { ENDPOINT_LABEL } from '../payments/stripe/events-needed.ts'
import type { WebhookEndpoint } from './stored.ts'

/** Why Stripe sends us no events. Payments then settle by polling. */
export type WebhookProblem =
  /** Stripe calls only https addresses on the internet. */
  | 'address_not_public'
  /** The restricted key may not create webhook endpoints. */
  | 'no_permission'
  /** Nothing is sent out while the installation is on hold. */
  | 'on_hold'
  | 'failed'

const PRIVATE_HOST =
  /^(localhost|.*\.(local|localhost|internal|test)|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|169\.254\..*|0\.0\.0\.0|\[.*\])$/

/** Whether Stripe can call an address. */
export function isPublicAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && hostname.includes('.') && !PRIVATE_HOST.test(hostname)
}

interface Wanted {
  url: string
  /** Our installation, by which we recognize our own endpoints. */
  installation: string
  /** The endpoint in use before, if it belongs to the same account. */
  known: WebhookEndpoint | undefined
  isOnHold: boolean
}

export interface Registered {
  webhook: WebhookEndpoint | null
  problem: WebhookProblem | undefined
}

/** Keeps the endpoint that is known, if Stripe still has it; otherwise creates one, and removes those that an earlier
 * attempt of ours left behind. */
export async function registerWebhook(api: AccountApi, wanted: Wanted): Promise<Registered> {
  const { url, installation, known, isOnHold } = wanted
  // Created by hand, so its existence is not ours to question.
  if (known && known.id === null && known.url === url) return { webhook: known, problem: undefined }
  if (!isPublicAddress(url)) return { webhook: null, problem: 'address_not_public' }
  if (isOnHold) return { webhook: null, problem: 'on_hold' }
  try {
    const listed = await api.listEndpoints()
    const isKept = listed.some(
      (one) => one.id === known?.id && one.url === url && one.status === 'enabled',
    )
    if (known && isKept) return { webhook: known, problem: undefined }
    const { id, secret } = await api.createEndpoint(url, installation)
    for (const one of listed) {
      const isOurs = one.metadata?.[ENDPOINT_LABEL] === installation
      if (isOurs || one.id === known?.id) await tryDelete(api, one.id)
    }
    return { webhook: { id, url, secret }, problem: undefined }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const problem = error.kind === 'no_permission' ? 'no_permission' : 'failed'
    return { webhook: null, problem }
  }
}

/** An endpoint that stays behind does no harm: its events are refused, and Stripe disables it after some days. */
export async function tryDelete(api: AccountApi, id: string): Promise<void> {
  try {
    await api.deleteEndpoint(id)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
  }
}
