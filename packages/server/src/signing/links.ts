import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  encodeReturnParameters,
  type PaidReturn,
  PURCHASE_LINK,
  RETURN_LINK,
} from '@gatehouse/sdk/links'
import { MAX_KEYS } from './check.ts'

const MANAGE_LINK = 'gatehouse manage link v2'
/** The purpose of tokens that don't name the application. They are in emails that readers keep. */
const OLD_MANAGE_LINK = 'gatehouse manage link v1'
const KEY_FINGERPRINT = 'gatehouse key mark v1'

/** Derives a key per purpose: a signature for one purpose is invalid for every other, and for API requests. */
export function signForPurpose(purpose: string, key: string | Buffer, text: string): string {
  const derived = createHmac('sha256', key).update(purpose).digest()
  return createHmac('sha256', derived).update(text, 'latin1').digest('base64url')
}

/** Compares as text, because Node's base64 decoder is lenient and several texts decode to one MAC. */
export function isSameMac(expected: string, signature: string): boolean {
  return timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(signature, 'latin1'))
}

interface SignedTarget {
  /** The text that the signature covers. */
  text: string
  parameters: string
  signature: string
}

/** The signature must come last, because nothing after it would be signed. Only ASCII, as browsers send it. */
const SIGNED_TARGET = /^(\/checkout\/[!->@-~]+\?([!-~]*))&signature=([A-Za-z0-9_-]{43})$/

function parseSignedTarget(target: string): SignedTarget | undefined {
  const match = SIGNED_TARGET.exec(target)
  if (!match) return undefined
  const [, text = '', parameters = '', signature = ''] = match
  return { text, parameters, signature }
}

const NO_KEYS = Array.from({ length: MAX_KEYS }, () => randomBytes(30).toString('base64url'))

/** Tries all keys, and never fewer than an application can have: the time taken reveals neither which key matched
 * nor whether the application exists. */
function findSigner(keys: readonly string[], link: SignedTarget): string | undefined {
  const tried = [...keys, ...NO_KEYS].slice(0, Math.max(keys.length, MAX_KEYS))
  const matches = tried.map((key) =>
    isSameMac(signForPurpose(PURCHASE_LINK, key, link.text), link.signature),
  )
  return keys[matches.indexOf(true)]
}

function endOf(parameters: string): number | undefined {
  const [end = '', ...more] = new URLSearchParams(parameters).getAll('expires')
  return more.length === 0 && /^\d{1,12}$/.test(end) ? Number(end) : undefined
}

export type LinkRefusal = { ok: false; reason: 'invalid' | 'expired' }

/** What a link to a reader's own page names. */
export interface LinkedRow {
  aid: string
  id: string
  /** The reader's link number when the link was made. A link with a number below the reader's has been ended. */
  linkNumber: number
}

/** The part of a token with the link number. A link with number 0 has none, as all links had before there were numbers. */
export const numberPart = (linkNumber: number): string => (linkNumber > 0 ? `.${linkNumber}` : '')

/** The same for a link that names its application, which is known once the signature is right. */
export type ReaderLinkRefusal =
  | { ok: false; reason: 'invalid' }
  | { ok: false; reason: 'expired'; aid: string | undefined }

export type PurchaseLinkCheck =
  /** `parameters` are still encoded: the exact bytes that were signed. */
  { ok: true; key: string; parameters: string } | LinkRefusal

/** Checks the signature and the expiry of a purchase link. `target` starts at `/checkout/`. */
export function checkPurchaseLink(
  keys: readonly string[],
  target: string,
  now: number,
): PurchaseLinkCheck {
  const link = parseSignedTarget(target)
  if (!link) return { ok: false, reason: 'invalid' }
  const key = findSigner(keys, link)
  if (key === undefined) return { ok: false, reason: 'invalid' }
  // Checked after the signature: a forged link must not reveal whether its time was right.
  const end = endOf(link.parameters)
  if (end === undefined) return { ok: false, reason: 'invalid' }
  return now < end
    ? { ok: true, key, parameters: link.parameters }
    : { ok: false, reason: 'expired' }
}

/** Distinguishes the keys of an application, and reveals nothing else about them. */
export function keyFingerprint(key: string): string {
  return signForPurpose(KEY_FINGERPRINT, key, '').slice(0, 8)
}

/** Identifies a purchase link, whichever of the application's keys signed it. */
export function linkDigest(target: string): string {
  const text = parseSignedTarget(target)?.text ?? target
  return createHash('sha256').update(text).digest('base64url')
}

/** Adds the signed result of a purchase to the URL that the buyer returns to. The signature covers path and query
 * as a browser will request them. The URL's own query and fragment are kept. */
export function signReturn(key: string, url: string, values: PaidReturn): string {
  const { origin, pathname, search, hash } = new URL(url)
  const own = search.slice(1).split('&').filter(isOfApplication).join('&')
  const text = `${pathname}?${own === '' ? '' : `${own}&`}${encodeReturnParameters(values)}`
  return `${origin}${text}&gatehouse_signature=${signForPurpose(RETURN_LINK, key, text)}${hash}`
}

/** Our own parameters in the URL are dropped: the author of the URL must not get them signed. */
function isOfApplication(pair: string): boolean {
  const [name = ''] = new URLSearchParams(pair).keys()
  return !/^gatehouse_/i.test(name)
}

/** The first part, the application, is missing in tokens of older versions. Those never have a link number. */
const MANAGE_TOKEN =
  /^((?:([A-Za-z0-9]{10})\.)?([A-Za-z0-9]{1,64})\.(\d{1,12})(?:\.(\d{1,12}))?)\.([A-Za-z0-9_-]{43})$/

/** Lets its holder view and change one subscription until `expires`. The key is the environment's own. */
export function createManageToken(
  key: Buffer,
  { aid, id, linkNumber }: LinkedRow,
  expires: number,
): string {
  const text = `${aid}.${id}.${expires}${numberPart(linkNumber)}`
  return `${text}.${signForPurpose(MANAGE_LINK, key, text)}`
}

export type ManageTokenCheck =
  | {
      ok: true
      /** Undefined in a token of an older version. */
      aid: string | undefined
      subscriptionId: string
      linkNumber: number
      /** The end of the link: nothing obtained through it may last longer. */
      expires: number
    }
  | ReaderLinkRefusal

export function checkManageToken(key: Buffer, token: string, now: number): ManageTokenCheck {
  const match = MANAGE_TOKEN.exec(token)
  if (!match) return { ok: false, reason: 'invalid' }
  const [, text = '', aid, subscriptionId = '', end, number = 0, signature = ''] = match
  const purpose = aid === undefined ? OLD_MANAGE_LINK : MANAGE_LINK
  if (!isSameMac(signForPurpose(purpose, key, text), signature))
    return { ok: false, reason: 'invalid' }
  const expires = Number(end)
  if (now >= expires) return { ok: false, reason: 'expired', aid }
  return { ok: true, aid, subscriptionId, linkNumber: Number(number), expires }
}
