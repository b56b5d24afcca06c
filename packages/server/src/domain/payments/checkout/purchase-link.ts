import type { Db, EnvironmentDatabase } from '../../../db/database.ts'
import type { ApplicationTable, Millis, Seconds } from '../../../db/tables.ts'
import { fail, invalid } from '../../../errors.ts'
import * as fields from '../../../fields.ts'
import { optional, optionalNonEmpty, readField, readParameters } from '../../../parameters.ts'
import { checkPurchaseLink, keyFingerprint, linkDigest } from '../../../signing/links.ts'
import { isAllowedReturn } from '../../../signing/return-urls.ts'
import { getApplication } from '../../apps/applications.ts'
import { amountFieldIn, amountTextField, currencyField } from '../../apps/currency-field.ts'
import type { Keyring } from '../../apps/keyring.ts'
import { periodField } from '../../resources/periods.ts'
import { listOffers, requireTerms, type Terms, trialDays } from '../../resources/prices.ts'
import { findResources } from '../../resources/resources.ts'
import { url } from '../../resources/url.ts'
import { email } from '../../users/email.ts'
import { requireUnusedLink } from './checkouts.ts'
import { findOpenPass, findOwned, type OpenPass, type Owned } from './owned.ts'
import { returnUrlHint } from './return-url-hint.ts'
import { type Reader, termsFor } from './terms.ts'

/** The parts of a link that open it and find its prices. */
interface LinkContext {
  name: string
  database: EnvironmentDatabase
  keyring: Keyring
  clock(): Seconds
  realTime(): Millis
  trialKey(): Promise<Buffer>
}

/** An offer before it is adapted to the reader. The id is empty for terms that come from a link. */
type ListedOffer = Terms & { id: string }

/** An offer on the terms that apply to this reader. */
export interface Offer extends ListedOffer {
  /** The price has a free trial, but this reader has used it. */
  isTrialUsed: boolean
}

/** Claims that the application vouches for by signing a link. */
export interface Vouched {
  keyFingerprint: string
  /** Identifies a link that names its reader; such a link is good for one purchase. */
  linkDigest: string | undefined
  userRef: string | undefined
  email: string | undefined
  /** Set if the purchase may create the resource. */
  resource: { name: string; url: string } | undefined
}

/** A purchase that a request for a checkout page may make, and the claims of its signed link. */
export interface PurchaseLink {
  app: ApplicationTable
  rid: string
  title: string
  /** Empty if the resource has none. */
  description: string
  imageId: string | null
  /** The page of the resource; may be empty. */
  url: string
  /** The access that the reader already has, if a signed link says who that is. */
  owned: Owned | undefined
  /** The reader's pass that opens the resource; undefined if they own the resource itself, or have no such pass. */
  pass: OpenPass | undefined
  offers: readonly Offer[]
  /** Id of the price named in the URL; undefined if it names none that is offered. */
  chosen: string | undefined
  returnUrl: string | undefined
  vouched: Vouched | undefined
}

/** Reads everything again on each request, since offers may change while a form is being filled in.
 * `typedEmail` is the address in that form: a trial may already have been used with it. */
export async function readPurchaseLink(
  env: LinkContext,
  where: { aid: string; rid: string },
  target: string,
  typedEmail?: string,
): Promise<PurchaseLink> {
  const db = env.database.read
  const app = await getApplication(db, where.aid)
  if (app.archived !== null) throw fail('application_not_found')
  const rid = fields.rid.read(where.rid)
  if (typeof rid === 'string') throw fail('resource_not_found')
  const { params, vouched } = await readLinkParameters(env, app, target)
  const resource = (await findResources(db, app.aid, [rid.value]))[0]
  const title = resource?.name ?? vouched?.resource?.name
  if (title === undefined) throw fail('resource_not_found')
  if (resource && resource.archived !== null) {
    throw fail('resource_archived', 'Nothing is for sale here at the moment.')
  }
  if (params.return_url !== undefined && !isReturnAllowed(app, params.return_url)) {
    // Only in the sandbox: buyers see the message, and the list may name sites that aren't public.
    const isForDevelopers = env.name === 'sandbox' && vouched !== undefined
    const hint = isForDevelopers ? returnUrlHint(app, params.return_url) : undefined
    throw fail('return_url_not_allowed', hint)
  }
  const reader = {
    ...{ aid: app.aid, rid: rid.value },
    ...{ userRef: vouched?.userRef, vouchedEmail: vouched?.email },
    typedEmail: vouched?.email === undefined ? typedEmail : undefined,
  }
  const owned = resource && (await findOwned(db, reader, env.clock()))
  const listed = await listOffered(db, app, rid.value, params, vouched !== undefined)
  const offers = await adaptToReader(env, reader, listed)
  return {
    app,
    rid: rid.value,
    title,
    description: resource?.description ?? '',
    imageId: resource?.image_id ?? null,
    url: resource?.url ?? '',
    owned,
    pass: owned ? undefined : await findOpenPass(db, reader, env.clock()),
    offers,
    chosen: offers.find(({ id }) => id === params.price)?.id,
    returnUrl: params.return_url,
    vouched,
  }
}

async function adaptToReader(
  env: LinkContext,
  reader: Reader,
  listed: readonly ListedOffer[],
): Promise<Offer[]> {
  const key = await env.trialKey()
  const offers: Offer[] = []
  for (const offer of listed) {
    const terms = await termsFor(env.database.read, key, reader, offer)
    offers.push({ ...terms, isTrialUsed: terms.trial_days !== offer.trial_days })
  }
  return offers
}

/** An empty value is refused where it would sell on other terms, or to whoever opens the link. */
const LINK_FIELDS = {
  name: optional(fields.title),
  url: optional(url, ''),
  price: optionalNonEmpty(fields.id),
  amount: optionalNonEmpty(amountTextField),
  currency: optionalNonEmpty(currencyField),
  period: optionalNonEmpty(periodField),
  recurring: optional(fields.flag),
  trial_days: optionalNonEmpty(trialDays),
  user_ref: optionalNonEmpty(fields.userRef),
  email: optionalNonEmpty(email),
  return_url: optional(fields.text(2_000, 'Where the buyer goes afterwards.')),
}

type LinkParameters = Partial<ReturnType<typeof readParameters<typeof LINK_FIELDS>>>

/** Reads the URL's parameters. Without a signature the buyer may have written them, so only `price` and
 * `return_url` are read; the return URL must still be one that the application allows. */
async function readLinkParameters(
  env: LinkContext,
  app: ApplicationTable,
  target: string,
): Promise<{ params: LinkParameters; vouched: Vouched | undefined }> {
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1 || target.length))
  if (!query.has('signature')) {
    const params: LinkParameters = {
      price: query.get('price') ?? undefined,
      return_url: query.get('return_url') || undefined,
    }
    return { params, vouched: undefined }
  }
  const { key, parameters } = await verifyLink(env, app.aid, target)
  const params = readParameters(LINK_FIELDS, parameters)
  const namesReader = params.user_ref !== undefined || params.email !== undefined
  const digest = namesReader ? linkDigest(target) : undefined
  await requireUnusedLink(env.database.read, app.aid, digest)
  const { name, url } = params
  const vouched: Vouched = {
    keyFingerprint: keyFingerprint(key),
    linkDigest: digest,
    userRef: params.user_ref,
    email: params.email,
    resource: name === undefined ? undefined : { name, url },
  }
  return { params, vouched }
}

async function verifyLink(env: LinkContext, aid: string, target: string) {
  const { keyring } = env
  await keyring.refreshIfStale()
  // In real time, because the application signs links by its own clock and doesn't know that of the sandbox.
  const check = () =>
    checkPurchaseLink(keyring.keysOf(aid), target, Math.floor(env.realTime() / 1000))
  let link = check()
  if (!link.ok && link.reason === 'invalid') {
    // Another process may have created the key a moment ago.
    await keyring.refresh()
    link = check()
  }
  if (link.ok) return link
  throw fail(link.reason === 'expired' ? 'link_expired' : 'link_invalid')
}

/** Whether the application allows this return URL. */
export function isReturnAllowed(app: ApplicationTable, returnUrl: string): boolean {
  return isAllowedReturn(JSON.parse(app.return_urls) as string[], returnUrl)
}

async function listOffered(
  db: Db,
  { aid }: ApplicationTable,
  rid: string,
  params: LinkParameters,
  isVouched: boolean,
): Promise<ListedOffer[]> {
  if (hasOwnTerms(params)) return [{ id: '', ...ownTermsOf(params) }]
  const all = await listOffers(db, aid, rid)
  const offers =
    isVouched && params.price !== undefined ? all.filter(({ id }) => id === params.price) : all
  if (offers.length === 0) throw fail('price_not_found', 'Nothing is for sale here at the moment.')
  return offers
}

const hasOwnTerms = ({ amount, currency, period, recurring, trial_days }: LinkParameters) =>
  [amount, currency, period, recurring, trial_days].some((one) => one !== undefined)

function ownTermsOf(params: LinkParameters): Terms {
  const { price, currency, recurring = false, trial_days = 0 } = params
  if (price !== undefined) throw invalid('price', "can't be combined with terms in the link")
  if (params.amount === undefined) throw invalid('amount', fields.problems.required)
  if (currency === undefined) throw invalid('currency', fields.problems.required)
  const amount = readField('amount', params.amount, amountFieldIn(currency))
  const period = params.period ?? null
  const terms: Terms = { amount, currency, recurring: recurring ? 1 : 0, period, trial_days }
  requireTerms(terms)
  return terms
}
