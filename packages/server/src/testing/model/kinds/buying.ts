import { makePurchaseLink } from '@gatehouse/sdk/links'
import type { FakeCard } from '../../stripe/ledger.ts'
import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import { PRICES, type Price } from '../shop.ts'
import { hasOpenSubscription, syncModel } from '../sync-model.ts'
import { visit } from '../visit.ts'
import type { CheckoutAttempt, World } from '../world.ts'

type PurchaseInput = Pick<CheckoutAttempt, 'shop' | 'price' | 'ref' | 'email' | 'typed'> & {
  priceId: string
}

async function linkFor(
  world: World,
  { shop, price, ref, email, priceId }: PurchaseInput,
): Promise<string> {
  if (ref === undefined && email === undefined) {
    return `/checkout/${shop.aid}/${price.rid}?price=${priceId}`
  }
  const { aid, privateKey } = shop
  const names = {
    ...(ref === undefined ? {} : { user_ref: ref }),
    ...(email === undefined ? {} : { email }),
  }
  // Two identical links would count as one, which works once: different expiry times make each unique.
  const expires = world.now + 40 * 86_400 + world.checkouts.size
  const link = { rid: price.rid, price: priceId, ...names, expires }
  return await makePurchaseLink({ baseUrl: '', aid, privateKey }, link)
}

async function buy(world: World, given: Args, label: string | undefined): Promise<string> {
  const earlier = given.again === undefined ? undefined : world.checkouts.get(given.again)
  if (given.again !== undefined && !earlier) return NOT_APPLICABLE
  const input = earlier ? { ...earlier, priceId: priceOf(earlier) } : readPurchase(world, given)
  if (!input) return NOT_APPLICABLE
  if (input.ref !== undefined) input.shop.names.add(input.ref)
  const link = earlier?.link ?? (await linkFor(world, input))
  const opened = await openCheckoutPage(world, input, link)
  requireRefusal(world, input, opened, earlier !== undefined)
  if (opened.session === undefined) return `refused ${opened.status}`
  const { success_url } = world.system.fake.ledger.sessions.get(opened.session) ?? {}
  const id = success_url?.split('/').at(-1) as string
  const { shop, price, ref, email, typed } = input
  const attempt: CheckoutAttempt = {
    ...{ shop, price, ref, email, typed, link, id },
    label: label as string,
    session: opened.session,
    erased: 'no',
  }
  world.checkouts.set(attempt.label, attempt)
  if (given.pay === undefined) return 'opened'
  const paid = payAt(world, attempt.session, given.pay)
  return `${paid} ${await returnFromProvider(world, { tab: attempt.label })}`
}

const priceOf = ({ shop, price }: CheckoutAttempt) =>
  shop.prices[Object.keys(PRICES).find((name) => PRICES[name] === price) as string] as string

function readPurchase(world: World, given: Args): PurchaseInput | undefined {
  const shop = world.shop(given.app)
  const ref = world.text(given.ref)
  if (given.ref !== undefined && ref === undefined) return undefined
  // A form without an email is always refused.
  if (given.price === undefined || (given.email ?? given.typed) === undefined) return undefined
  const price = PRICES[given.price] as Price
  const priceId = shop.prices[given.price] as string
  return { shop, price, ref, email: given.email, typed: given.typed, priceId }
}

interface Opened {
  status: number
  /** The text of the page that refused it. */
  words: string
  session?: string
}

/** Opens the checkout page, and submits its form to get to the provider's page. */
async function openCheckoutPage(
  world: World,
  { shop, price, email, typed, priceId }: PurchaseInput,
  link: string,
): Promise<Opened> {
  const address = world.system.url + link
  const page = await visit(world, 'GET /checkout/:aid/:rid', address)
  if (page.status !== 200) return page
  const form = { price: priceId, ...(email === undefined ? { email: typed ?? '' } : {}) }
  const sent = await visit(world, 'POST /checkout/:aid/:rid', address, form)
  const { status, location, words } = sent
  const isSent = status === 303 && location !== undefined
  requireThat(isSent || status >= 400, 'status', `a purchase of ${price.rid} answered ${status}`)
  requireThat(!isSent || !shop.isArchived, 'reference', 'an archived application sells')
  return { status, words, ...(isSent ? { session: location.split('/').at(-1) as string } : {}) }
}

/** Requires that what must be refused is refused before anybody pays, and nothing else. */
function requireRefusal(
  world: World,
  input: PurchaseInput,
  { status, session, words }: Opened,
  isAgain: boolean,
): void {
  const { shop, price, ref, email } = input
  const buyer = shop.reference.buyer(ref, email)
  if (buyer === undefined) {
    requireThat(
      session === undefined,
      'reference',
      'a link is sold that names nobody for ever',
      () => ({
        ref,
        email,
      }),
    )
    return
  }
  const holding = buyer === 'new' ? undefined : buyer.holdings.get(price.rid)
  const isSubscribed = holding !== undefined && hasOpenSubscription(world, holding)
  const isClosed = shop.isArchived || shop.reference.archived.has(price.rid)
  if (isAgain || world.hasFailed || world.wasCut) return
  if (price.trial_days > 0 && status === 422) {
    requireTrialHad(world, input, words)
    return
  }
  const isNamed = ref !== undefined || email !== undefined
  const must = isClosed || (price.recurring === 1 && isSubscribed && isNamed)
  requireThat(
    (session === undefined) === must,
    'reference',
    `a purchase is ${must ? 'not refused' : `refused with ${status}`}`,
    () => ({
      ref,
      email,
      rid: price.rid,
      words,
    }),
  )
}

/** Requires that the buyer has had this trial. Only the form tells the service who the buyer is. */
function requireTrialHad(
  world: World,
  { shop, price, ref, email, typed }: PurchaseInput,
  words: string,
): void {
  if (world.system.isConcurrent) return
  const { reference } = shop
  const reader = ref === undefined ? undefined : reference.byRef(ref)
  // The reader's own address counts too, whichever one the form has.
  const names = [email, typed, reader?.email].filter((name) => name !== undefined)
  const isHad =
    names.some((name) => reference.hadTrial(price.rid, name)) || reader?.trials.has(price.rid)
  requireThat(isHad === true, 'reference', 'a free trial is refused that nobody had', () => ({
    ref,
    email,
    typed,
    words,
  }))
}

/** The payer enters a card on the provider's page, if it is still open. */
export function payAt(world: World, sessionId: string, card: string): string {
  const { fake } = world.system
  const session = fake.ledger.sessions.get(sessionId)
  if (session?.status !== 'open') return session?.status ?? NOT_APPLICABLE
  if (session.expires_at <= world.now) {
    fake.expire(sessionId)
    return 'expired'
  }
  const { status, payment_status } = fake.pay(sessionId, card as FakeCard)
  return `${status} ${payment_status}`
}

async function pay(world: World, given: Args): Promise<string> {
  const attempt = world.checkouts.get(given.tab as string)
  return attempt ? payAt(world, attempt.session, given.card ?? 'good') : NOT_APPLICABLE
}

async function returnFromProvider(world: World, given: Args): Promise<string> {
  const attempt = world.checkouts.get(given.tab as string)
  if (!attempt) return NOT_APPLICABLE
  const query = given.gave_up === 'yes' ? '?gave_up=1' : ''
  const address = `${world.system.url}/checkout/done/${attempt.id}`
  const { status } = await visit(world, 'GET /checkout/done/:id', address + query)
  const isKnown =
    status !== 404 || world.wasRestored || attempt.erased !== 'no' || isOld(world, attempt)
  requireThat(isKnown, 'status', 'the page after paying is not found')
  await syncModel(world)
  if (given.again !== 'yes') return `${status}`
  const again = await visit(world, 'POST /checkout/done/:id', address, {})
  return `${status} ${again.status}`
}

/** Abandoned checkouts are deleted after a month. */
const isOld = (world: World, { session }: CheckoutAttempt) => {
  const { expires_at = 0 } = world.system.fake.ledger.sessions.get(session) ?? {}
  return expires_at + 29 * 86_400 < world.now
}

/** A payment that was processing succeeds or fails. */
async function finish(world: World, given: Args): Promise<string> {
  const attempt = world.checkouts.get(given.tab as string)
  const { ledger } = world.system.fake
  const intentId = attempt && ledger.sessions.get(attempt.session)?.payment_intent
  if (!intentId || ledger.intents.get(intentId)?.status !== 'processing') return NOT_APPLICABLE
  world.system.fake.finishSlow(intentId, given.paid === 'yes')
  return 'finished'
}

const CARDS: readonly FakeCard[] = [
  'good',
  'good',
  'good',
  'good',
  'good',
  'declined',
  'declined_later',
  'needs_payer_later',
  'asks_payer_later',
  'slow',
  'slow_later',
]

const drawCard: OperationKind['draw'] = (draw) => {
  const tab = draw.tab()
  return tab === undefined ? undefined : { args: { tab, card: draw.pick(CARDS) } }
}

export const buyingKinds: readonly OperationKind[] = [
  {
    name: 'buy',
    weight: 12,
    reaches: ['GET /checkout/:aid/:rid', 'POST /checkout/:aid/:rid'],
    draw(draw) {
      const again = draw.chance(0.12) ? draw.tab() : undefined
      const label = draw.label('tab', true)
      if (again !== undefined) return { label, args: { again, pay: 'good' } }
      const email = draw.chance(0.4) ? draw.email() : undefined
      const given = {
        app: draw.app(),
        price: draw.chance(0.3) ? 'month' : draw.pick(Object.keys(PRICES)),
        ref: draw.chance(0.7) ? draw.ref(0.45) : undefined,
        email,
        typed: email === undefined ? draw.email() : undefined,
        pay: draw.chance(0.6) ? draw.pick(CARDS) : undefined,
      }
      return { label, args: args(given) }
    },
    play: buy,
  },
  { name: 'pay', weight: 12, reaches: [], draw: drawCard, play: pay },
  {
    name: 'return',
    weight: 10,
    reaches: ['GET /checkout/done/:id', 'POST /checkout/done/:id'],
    draw(draw) {
      const tab = draw.tab()
      if (tab === undefined) return undefined
      const more = { gave_up: draw.chance(0.1) ? 'yes' : undefined }
      return { args: args({ tab, ...more, again: draw.chance(0.1) ? 'yes' : undefined }) }
    },
    play: returnFromProvider,
  },
  {
    name: 'finish',
    weight: 2,
    reaches: [],
    draw(draw) {
      const tab = draw.tab()
      return tab === undefined
        ? undefined
        : { args: { tab, paid: draw.chance(0.7) ? 'yes' : 'no' } }
    },
    play: finish,
  },
]
