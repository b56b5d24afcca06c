/**
 * Signed links: the one at which a purchase begins, and the one by which the buyer comes back. Server
 * and client share this file. All texts are ASCII; anything else in them is percent-encoded.
 */
import { LinkError, ReturnError } from './errors.ts'
import { encodeParameters, sign } from './signing.ts'

/** What the keys of links are derived for: a signature made for one purpose is good for no other. */
export const PURCHASE_LINK = 'gatehouse purchase link v1'
export const RETURN_LINK = 'gatehouse return v1'

export interface Signer {
  /** The address of the environment. */
  baseUrl: string
  aid: string
  privateKey: string
}

/** What is for sale to whom. Names are those of the interface. */
export interface PurchaseLink {
  /** The resource. It is made by the purchase where it does not exist, if `name` says what it is called. */
  rid: string
  name?: string
  /** Where the resource is. */
  url?: string
  /** The id of a price. Without it and without `amount` the buyer chooses among the resource's prices. */
  price?: string
  /** Terms of this link alone. In major units, as text: `4.99`. */
  amount?: string
  /** ISO 4217. */
  currency?: string
  /** How long one payment lasts: `30 days`, `1 month`, `1 year`; left out, access has no end. */
  period?: string
  /** Whether it is charged again every period. */
  recurring?: boolean
  trial_days?: number
  /** Your own name for the reader, who will have the access. */
  user_ref?: string
  /** The reader's address, which you vouch for. */
  email?: string
  /** Where the buyer is sent after paying; the application must allow it. */
  return_url?: string
  /** From then on the link is dead, in seconds; a day from now unless set. */
  expires?: number
}

const DAY = 86_400
const LAST_SECOND = 253_402_300_799

export async function makePurchaseLink(signer: Signer, link: PurchaseLink): Promise<string> {
  const expires = link.expires ?? Math.floor(Date.now() / 1000) + DAY
  const problem = problemWithLink({ ...link, expires })
  if (problem !== undefined) throw new LinkError(`${problem}.`)
  const path = `/checkout/${encodeName(signer.aid)}/${encodeName(link.rid)}`
  const text = `${path}?${encodeParameters(parametersOf({ ...link, expires }))}`
  const signature = await sign(await deriveKey(signer.privateKey, PURCHASE_LINK), text)
  return `${signer.baseUrl.replace(/\/+$/, '')}${text}&signature=${signature}`
}

/** In one order, whatever the caller's. */
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

/** As in parameters: nothing is left for a browser to escape after it was signed. */
const encodeName = (name: string) => encodeURIComponent(name).replaceAll("'", '%27')

/** What the service would refuse only when the buyer is there. */
function problemWithLink(link: PurchaseLink & { expires: number }): string | undefined {
  const { rid, price, amount, currency, expires } = link
  const empty = Object.entries(link).find(([, value]) => value === '')
  // An empty user_ref would be taken for none, and the access would be nobody's.
  if (empty) return `${empty[0]}: is empty`
  if (rid === '.' || rid === '..') return 'rid: a browser would take it for a step in the path'
  if (!Number.isInteger(expires) || expires < 0 || expires > LAST_SECOND) {
    return 'expires: must be a time in whole seconds since 1970'
  }
  const terms = Object.entries(ownTermsOf(link)).filter(([, value]) => value !== undefined)
  if (terms.length === 0) return undefined
  if (price !== undefined) return `${terms[0]?.[0]}: can not be given beside a price`
  if (amount === undefined) return 'amount: is missing'
  return currency === undefined ? 'currency: is missing' : undefined
}

/** What the service says of a purchase when it sends the buyer back. */
export interface PaidReturn {
  status: 'paid'
  /** The id of the checkout: unique, and the same if the buyer comes back twice. */
  checkout: string
  rid: string
  /** As the purchase link named the reader; left out where it named none. */
  user_ref?: string
  /** When the buyer was sent back, in seconds. */
  time: number
  /** The site that the buyer was sent to: `https://magazine.example`. Left out by services that don't tell. */
  origin?: string
}

export interface ExpectedReturn {
  /** The resource that it must be for. */
  rid?: string
  /** The reader whom it must be for: the one who is signed in. */
  userRef?: string
  /** Your site, as in `https://magazine.example`. Say it where several sites share one application: a return to
   * one of them is else good at the others too. */
  origin?: string
  /** Seconds after which it is too old; 600 unless set. */
  maxAge?: number
  /** Stands in for the clock, in seconds. */
  now?: number
}

/** The values that the service appends to a return address, in their order, before the signature. */
export function returnParameters(values: PaidReturn): string {
  return encodeParameters({
    gatehouse_status: values.status,
    gatehouse_checkout: values.checkout,
    gatehouse_rid: values.rid,
    gatehouse_user_ref: values.user_ref,
    gatehouse_time: values.time,
    gatehouse_origin: values.origin,
  })
}

/** Path and query up to the signature. What comes before them is not signed, since a server may not know its
 * public address; the site is a parameter instead. */
const SIGNED_RETURN =
  /^(?:https?:\/\/[^/?#]*)?(\/[^#]*)&gatehouse_signature=([A-Za-z0-9_-]{43})(?:#.*)?$/

/** What the address says that a buyer came back with, once it has proven to be the service's word. */
export async function readReturnUrl(
  privateKey: string,
  url: string | URL,
  expected: ExpectedReturn = {},
): Promise<PaidReturn> {
  const [text, signature] = takeApart(String(url))
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
  // Of other characters only a part would be signed.
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

/** The bytes of a key for one purpose, one character for each. */
async function deriveKey(privateKey: string, purpose: string): Promise<string> {
  return decode(await sign(privateKey, purpose))
}

async function isSigned(key: string, text: string, signature: string): Promise<boolean> {
  const expected = await sign(key, text)
  // Compared as MACs of themselves: how long that takes tells nothing about the right one.
  return (await sign(key, expected)) === (await sign(key, signature))
}

const decode = (base64url: string) => atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
