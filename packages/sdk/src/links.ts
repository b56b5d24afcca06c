/**
 * Signed links: the link that starts a purchase, and the URL to which the buyer is sent back. Server and client share
 * this file. All texts are ASCII; anything else is percent-encoded.
 */
import { LinkError, ReturnError } from './errors.ts'
import type { UrlLike } from './runtime.ts'
import { encodeParameters, encodeText, HALF_PAIR, sign } from './signing.ts'
import { UNSET } from './unset.ts'

/** The purposes for which link keys are derived: a signature for one purpose is invalid for any other. */
export const PURCHASE_LINK = 'gatehouse purchase link v1'
export const RETURN_LINK = 'gatehouse return v1'

export interface Signer {
  /** The URL of the environment. */
  baseUrl: string
  aid: string
  privateKey: string
}

/** An offer to a reader. Names match the API. */
export interface PurchaseLink {
  /** The resource. If it does not exist, the purchase creates it, provided that `name` is given. */
  rid: string
  name?: string
  /** The URL of the resource. */
  url?: string
  /** The id of a price. Without it and without `amount`, the buyer chooses among the prices of the resource. */
  price?: string
  /** The price for this link only, in major units, as text: `4.99`. */
  amount?: string
  /** ISO 4217. */
  currency?: string
  /** How long one payment lasts: `30 days`, `1 month`, `1 year`; without it, access has no end date. */
  period?: string
  /** Whether every period is charged again. */
  recurring?: boolean
  trial_days?: number
  /** Your own id of the reader who gets the access. */
  user_ref?: string
  /** The reader's email address, which you vouch for. */
  email?: string
  /** Where the buyer is sent after paying; the application must allow this URL. */
  return_url?: string
  /** When the link expires, in seconds since 1970, in real time; defaults to a day from now. */
  expires?: number
}

const DAY = 86_400
const LAST_SECOND = 253_402_300_799

export async function makePurchaseLink(signer: Signer, link: PurchaseLink): Promise<string> {
  const expires = link.expires ?? Math.floor(Date.now() / 1000) + DAY
  const problem = problemWithLink({ ...link, expires })
  if (problem) throw new LinkError(problem.join(': '), problem[0])
  const path = `/checkout/${encodeText('aid', signer.aid)}/${encodeText('rid', link.rid)}`
  const text = `${path}?${encodeParameters(parametersOf({ ...link, expires }))}`
  const signature = await sign(await deriveKey(signer.privateKey, PURCHASE_LINK), text)
  return `${signer.baseUrl.replace(/\/+$/, '')}${text}&signature=${signature}`
}

/** Always in the same order. */
const parametersOf = (link: PurchaseLink) => ({
  name: link.name,
  url: link.url,
  price: link.price,
  ...ownTermsOf(link),
  user_ref: link.user_ref,
  email: link.email,
  return_url: link.return_url,
  expires: link.expires,
})

const ownTermsOf = (link: PurchaseLink) => ({
  amount: link.amount,
  currency: link.currency,
  period: link.period,
  recurring: link.recurring,
  trial_days: link.trial_days,
})

type LinkProblem = [parameter: string, problem: string]

/** Finds problems that the service would otherwise report only to the buyer. */
function problemWithLink(link: PurchaseLink & { expires: number }): LinkProblem | undefined {
  const { rid, price, amount, currency, expires } = link
  const unset = Object.entries(link).find(([, value]) => value === undefined || value === null)
  if (unset) return [unset[0], UNSET]
  const empty = Object.entries(link).find(([, value]) => value === '')
  // An empty user_ref would count as unset, and the access would belong to nobody.
  if (empty) return [empty[0], 'must not be empty']
  const half = Object.entries(link).find(([, value]) => HALF_PAIR.test(String(value)))
  if (half) return [half[0], 'must not contain half a surrogate pair']
  if (rid === '.' || rid === '..') return ['rid', 'a browser would treat it as a path segment']
  if (!Number.isInteger(expires) || expires < 0 || expires > LAST_SECOND) {
    return ['expires', 'must be a time in whole seconds since 1970']
  }
  const terms = Object.entries(ownTermsOf(link)).filter(([, value]) => value !== undefined)
  const [first] = terms
  if (!first) return undefined
  if (price !== undefined) return [first[0], "can't be combined with a price"]
  if (amount === undefined) return ['amount', 'required']
  return currency === undefined ? ['currency', 'required'] : undefined
}

/** The parameters about a purchase with which the service sends the buyer back. */
export interface PaidReturn {
  status: 'paid'
  /** The id of the checkout: unique, and the same if the buyer comes back twice. */
  checkout: string
  rid: string
  /** The `user_ref` of the purchase link; missing if it had none. */
  user_ref?: string
  /** When the buyer was sent back, in seconds since 1970. */
  time: number
  /** The site that the buyer was sent to, such as `https://magazine.example`. Older services leave it out. */
  origin?: string
}

export interface ExpectedReturn {
  /** The expected resource. */
  rid?: string
  /** The expected reader, who is the one signed in. */
  userRef?: string
  /** Your site, such as `https://magazine.example`. Pass it if several sites share one application: otherwise a return
   * to one of them is valid at the others too. */
  origin?: string
  /** Seconds after which a return is too old; defaults to 600. */
  maxAge?: number
  /** The current time in seconds since 1970; defaults to the system clock. */
  now?: number
}

/** The parameters that the service appends to a return URL, in this order, before the signature. */
export function encodeReturnParameters(values: PaidReturn): string {
  return encodeParameters({
    gatehouse_status: values.status,
    gatehouse_checkout: values.checkout,
    gatehouse_rid: values.rid,
    gatehouse_user_ref: values.user_ref,
    gatehouse_time: values.time,
    gatehouse_origin: values.origin,
  })
}

/** Path and query up to the signature. The scheme and host are not signed, since a server may not know its public URL;
 * the site is a parameter instead. */
const SIGNED_RETURN =
  /^(?:https?:\/\/[^/?#]*)?(\/[^#]*)&gatehouse_signature=([A-Za-z0-9_-]{43})(?:#.*)?$/

/** Reads the URL to which a buyer was sent back, after verifying that the service signed it. */
export async function readReturnUrl(
  privateKey: string,
  url: string | UrlLike,
  expected: ExpectedReturn = {},
): Promise<PaidReturn> {
  const [text, signature] = takeApart(typeof url === 'string' ? url : url.href)
  if (!(await isSigned(await deriveKey(privateKey, RETURN_LINK), text, signature))) throw altered()
  const values = valuesIn(text)
  const now = expected.now ?? Math.floor(Date.now() / 1000)
  if (Math.abs(now - values.time) > (expected.maxAge ?? 600)) {
    throw new ReturnError('too_old', 'The buyer was sent back too long ago.')
  }
  if (expected.rid !== undefined && expected.rid !== values.rid) {
    throw new ReturnError('other_resource', 'The buyer paid for another resource.')
  }
  if (expected.userRef !== undefined && expected.userRef !== values.user_ref) {
    throw new ReturnError('other_user', 'The purchase was for another reader.')
  }
  if (expected.origin !== undefined && expected.origin !== values.origin) {
    throw new ReturnError('other_site', 'The buyer was sent back to another site.')
  }
  return values
}

const altered = () =>
  new ReturnError(
    'altered',
    'The signature does not fit the address: it was changed on its way, or signed with another key.',
  )

function takeApart(url: string): [text: string, signature: string] {
  if (!url.includes('gatehouse_signature=')) {
    throw new ReturnError('not_signed', 'The address has no gatehouse_signature.')
  }
  // Rejects other characters, because only a part of each would be signed.
  const match = /^[!-~]*$/.test(url) ? SIGNED_RETURN.exec(url) : null
  if (!match) throw altered()
  return [match[1] as string, match[2] as string]
}

function valuesIn(text: string): PaidReturn {
  const query = new URLSearchParams(text.slice(text.indexOf('?') + 1))
  const read = (name: string) => {
    const [value, ...more] = query.getAll(`gatehouse_${name}`)
    if (more.length > 0) throw altered()
    return value
  }
  const [checkout, rid, user_ref] = [read('checkout'), read('rid'), read('user_ref')]
  const origin = read('origin')
  const time = Number(read('time') ?? Number.NaN)
  if (read('status') !== 'paid' || checkout === undefined || rid === undefined) throw altered()
  if (!Number.isInteger(time)) throw altered()
  return {
    ...{ status: 'paid', checkout, rid, time },
    ...(user_ref === undefined ? {} : { user_ref }),
    ...(origin === undefined ? {} : { origin }),
  }
}

/** Derives a key for one purpose; the text has one character per byte. */
async function deriveKey(privateKey: string, purpose: string): Promise<string> {
  return decode(await sign(privateKey, purpose))
}

async function isSigned(key: string, text: string, signature: string): Promise<boolean> {
  const expected = await sign(key, text)
  // Compares MACs of both values, so that the timing reveals nothing about the expected one.
  return (await sign(key, expected)) === (await sign(key, signature))
}

const decode = (base64url: string) => atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
