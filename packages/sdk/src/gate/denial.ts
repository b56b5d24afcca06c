import type { Decision } from './decision.ts'

/** A response to a reader who was refused, for any server. The adapter adds what keeps it out of caches. */
export interface Denial {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Visit {
  method: string
  /** Path and query, or the whole URL. */
  url: string
  accept: string | null | undefined
}

/** The default response: to browsers a redirect to where the reader can sign in or buy, and otherwise 402 with JSON; 503
 * if nothing is known because the service can't be reached. */
export function denialOf(decision: Decision, visit: Visit, signInUrl: string | undefined): Denial {
  if (decision.code === 'unavailable') {
    return json(503, { error: unavailable }, { 'Retry-After': '5' })
  }
  const target = decision.code === 'anonymous' ? signInUrl : decision.checkoutUrl
  if (target !== undefined && isNavigation(visit)) {
    return { status: 303, headers: { Location: target }, body: '' }
  }
  const { code, rid, offers, checkoutUrl } = decision
  const error = { code, message: 'This reader has no access.' }
  return json(402, { error, rid, offers, ...(checkoutUrl && { checkout_url: checkoutUrl }) })
}

const unavailable = {
  code: 'unavailable',
  message: "Access can't be checked at the moment. Try again soon.",
}

const json = (status: number, body: object, headers = {}): Denial => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})

/** Whether a browser opens a page, and not a script. */
const isNavigation = ({ method, accept }: Visit) =>
  (method === 'GET' || method === 'HEAD') && (accept ?? '').includes('text/html')

/** Whether a buyer comes back from the checkout: a refusal that is known from before no longer counts. The signature is
 * not verified, since all that it changes is that the service is asked. */
export const isReturn = ({ url }: Visit) => url.includes('gatehouse_signature=')
