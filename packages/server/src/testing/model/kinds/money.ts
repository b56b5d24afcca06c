import type { Fault } from '../../fake-stripe.ts'
import { args, type Draw } from '../draw.ts'
import { require } from '../failure.ts'
import { type Kind, NOTHING } from '../kind.ts'
import { hasOpenSubscription, learn } from '../learn.ts'
import type { Args } from '../script.ts'
import type { Shop, Tab, World } from '../world.ts'
import { payAt, visit } from './buying.ts'

const named = (world: World, given: Args) => {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  if (userRef !== undefined) shop.names.add(userRef)
  return { shop, userRef, rid: given.rid ?? 'r2' }
}

async function changeBy(
  world: World,
  shop: Shop,
  verb: 'cancel' | 'resume',
  wish: { rid: string; user_ref: string },
  via: string | undefined,
): Promise<number> {
  if (via !== 'cli') {
    return (await world.call(shop, 'POST', `/r2/subscription/${verb}`, wish)).status
  }
  const named = ['--aid', shop.aid, '--rid', wish.rid, '--user-ref', wish.user_ref]
  const { code } = await world.command('subscription', verb, ...named)
  if (code === 0) return 200
  return shop.isArchived ? 401 : 404
}

/** Stops the renewal of a subscription, or lets it go on. */
const changing = (verb: 'cancel' | 'resume') => async (world: World, given: Args) => {
  const { shop, userRef, rid } = named(world, given)
  if (userRef === undefined) return NOTHING
  const status = await changeBy(world, shop, verb, { rid, user_ref: userRef }, given.via)
  const person = shop.reference.byRef(userRef)
  const holding = person?.holdings.get(rid)
  const isOpen = holding !== undefined && hasOpenSubscription(world, holding)
  const must = shop.isArchived ? 401 : isOpen ? 200 : 404
  // One whose paid time is over at this moment can't be resumed any more.
  const isRight = status === must || (verb === 'resume' && isOpen && status === 404)
  require(world.wasCut || isRight, 'reference', `${verb} must be a ${must}`, () => ({
    rid,
    userRef,
    status,
  }))
  await learn(world)
  return `${status}`
}

/** The reader opens the page of a subscription, and does something there. */
async function manage(world: World, given: Args): Promise<string> {
  const { shop, userRef, rid } = named(world, given)
  if (userRef === undefined) return NOTHING
  const wish = { rid, user_ref: userRef }
  const { status, body } = await world.call(shop, 'GET', '/r2/subscription/manage', wish)
  if (status !== 200) return `${status}`
  const address = body.url as string
  const page = await visit(world, 'GET /manage/:token', address)
  const action = given.action ?? 'cancel'
  const done = await visit(world, 'POST /manage/:token', address, { action })
  const isSent = action === 'card' && done.status === 303
  const session = isSent ? (done.location?.split('/').at(-1) as string) : undefined
  const paid = session === undefined ? '' : payAt(world, session, given.card ?? 'good')
  await learn(world)
  return `${page.status} ${done.status} ${paid}`
}

interface PaidPayment {
  id: string
  aid: string
  provider_ref: string | null
}

/** The payments that a purchase has led to, the renewals among them. */
async function paymentsOf(world: World, tab: Tab): Promise<PaidPayment[]> {
  const db = world.stage.env.database.read
  const first = await db
    .selectFrom('checkouts')
    .select('subscription_id')
    .where('id', '=', tab.id)
    .executeTakeFirst()
  const subscription = first?.subscription_id ?? null
  return await db
    .selectFrom('payments')
    .select(['id', 'aid', 'provider_ref'])
    .where('status', 'not in', ['failed', 'pending'])
    .where((eb) =>
      subscription === null
        ? eb('checkout_id', '=', tab.id)
        : eb('subscription_id', '=', subscription),
    )
    .orderBy('settled')
    .orderBy('id')
    .execute()
}

async function paymentIn(world: World, given: Args): Promise<[Tab, PaidPayment] | undefined> {
  const tab = world.tabs.get(given.tab as string)
  const payment = tab && (await paymentsOf(world, tab)).at(Number(given.nth ?? 0))
  return payment && [tab, payment]
}

async function refundBy(world: World, shop: Shop, id: string, given: Args): Promise<number> {
  const { amount, reference, via } = given
  if (via === 'dashboard') {
    const body = {
      ...(amount === undefined ? {} : { amount: Math.round(Number(amount) * 100) }),
      ...(reference === undefined ? {} : { reference }),
    }
    return (await world.staff(shop, 'POST', `/payments/${id}/refund`, body)).status
  }
  const wish = { payment: id, amount, reference }
  if (via !== 'cli') return (await world.call(shop, 'POST', '/r2/payment/refund', wish)).status
  const { code } = await world.command(
    ...['payment', 'refund', id, '--aid', shop.aid],
    ...(amount === undefined ? [] : ['--amount', amount]),
    ...(reference === undefined ? [] : ['--reference', reference]),
  )
  return code === 0 ? 200 : 402
}

async function refund(world: World, given: Args): Promise<string> {
  const found = await paymentIn(world, given)
  if (!found) return NOTHING
  const [{ shop }, { id }] = found
  const status = await refundBy(world, shop, id, given)
  const isKnown = [200, 400, 402].includes(status) || shop.isArchived
  require(isKnown, 'status', `a refund answered ${status}`)
  await learn(world)
  return `${status}`
}

/** The bank, or staff at the provider's own dashboard, act on a charge. */
async function dispute(world: World, given: Args): Promise<string> {
  const found = await paymentIn(world, given)
  const { fake } = world.stage
  const intent = found?.[1].provider_ref
  const charge = intent && fake.ledger.chargeOf(fake.ledger.intents.get(intent) as never)
  if (!intent || !charge) return NOTHING
  const open = [...fake.ledger.disputes.values()].find(
    (one) => one.payment_intent === intent && one.status === 'needs_response',
  )
  if (given.outcome === 'opened' && !charge.disputed && charge.amount_refunded === 0) {
    fake.openDispute(intent)
    return 'opened'
  }
  if (given.outcome === 'opened' || !open) return NOTHING
  fake.settleDispute(open.id, given.outcome as string)
  return given.outcome as string
}

async function refundAtProvider(world: World, given: Args): Promise<string> {
  const found = await paymentIn(world, given)
  const intent = found?.[1].provider_ref
  if (!intent) return NOTHING
  const { fake, wire } = world.stage
  const { fault } = fake
  fake.fault = () => undefined
  const { status } = await wire.send(`${fake.url}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fake.secretKey}` },
    body: new URLSearchParams({ payment_intent: intent, amount: given.amount ?? '100' }).toString(),
  })
  fake.fault = fault
  return `${status}`
}

async function searchPayments(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const filter = { user_ref: world.text(given.ref), rid: given.rid }
  const payments = await world.call(shop, 'GET', '/r2/payment/search', filter)
  const subscriptions = await world.call(shop, 'GET', '/r2/subscription/search', filter)
  return `${payments.body.total} ${subscriptions.body.total}`
}

/** Kinds of trouble whose end a test need not wait for. */
const FAULTS: readonly Fault[] = [
  'reset_before',
  'reset_after',
  'error_before',
  'error_after',
  'rate_limited',
  'in_progress',
]

async function fault(world: World, given: Args): Promise<string> {
  const count = Number(given.count ?? 1)
  world.faults.push(...Array.from({ length: count }, () => given.kind as Fault))
  return 'set'
}

const subscriber = (draw: Draw) => ({
  app: draw.app(),
  rid: draw.pick(['r1', 'r2', 'r2']),
  ref: draw.ref(),
})

const byCommand = (draw: Draw) => (draw.chance(0.05) ? 'cli' : undefined)

const ofPayment =
  (more: (draw: Draw) => Record<string, string | undefined>): Kind['draw'] =>
  (draw) => {
    const tab = draw.tab()
    if (tab === undefined) return undefined
    return { args: args({ tab, nth: draw.chance(0.2) ? '-1' : undefined, ...more(draw) }) }
  }

export const moneyKinds: readonly Kind[] = [
  {
    name: 'cancel',
    weight: 3,
    reaches: ['POST /r2/subscription/cancel', 'gatehouse subscription cancel'],
    draw: (draw) => ({ args: args({ ...subscriber(draw), via: byCommand(draw) }) }),
    play: changing('cancel'),
  },
  {
    name: 'resume',
    weight: 2,
    reaches: ['POST /r2/subscription/resume', 'gatehouse subscription resume'],
    draw: (draw) => ({ args: args({ ...subscriber(draw), via: byCommand(draw) }) }),
    play: changing('resume'),
  },
  {
    name: 'manage',
    weight: 3,
    reaches: ['GET /r2/subscription/manage', 'GET /manage/:token', 'POST /manage/:token'],
    draw: (draw) => ({
      args: args({
        ...subscriber(draw),
        action: draw.pick(['card', 'cancel', 'resume']),
        card: draw.chance(0.3) ? 'declined_later' : undefined,
      }),
    }),
    play: manage,
  },
  {
    name: 'refund',
    weight: 4,
    reaches: [
      'POST /r2/payment/refund',
      'staff POST /payments/:id/refund',
      'gatehouse payment refund',
    ],
    draw: ofPayment((draw) => {
      const isPart = draw.chance(0.5)
      return {
        amount: isPart ? draw.pick(['1.00', '2.50']) : undefined,
        reference: isPart || draw.chance(0.3) ? draw.pick(['one', 'two']) : undefined,
        via: draw.chance(0.3) ? 'dashboard' : byCommand(draw),
      }
    }),
    play: refund,
  },
  {
    name: 'dispute',
    weight: 3,
    reaches: [],
    draw: ofPayment((draw) => ({ outcome: draw.pick(['opened', 'opened', 'won', 'lost']) })),
    play: dispute,
  },
  {
    name: 'refund-at-provider',
    weight: 1,
    reaches: [],
    draw: ofPayment((draw) => ({ amount: draw.pick(['100', '250', '499']) })),
    play: refundAtProvider,
  },
  {
    name: 'search-payments',
    weight: 1,
    reaches: ['GET /r2/payment/search', 'GET /r2/subscription/search'],
    draw: (draw) => ({
      args: args({ app: draw.app(), ref: draw.chance(0.5) ? draw.ref() : undefined }),
    }),
    play: searchPayments,
  },
  {
    name: 'fault',
    weight: 3,
    reaches: [],
    draw: (draw) => ({
      args: { kind: draw.pick(FAULTS) as string, count: draw.pick(['1', '1', '3']) },
    }),
    play: fault,
  },
  {
    name: 'events',
    weight: 6,
    reaches: ['POST /events/:provider'],
    draw: (draw) => ({
      args: args({ how: draw.chance(0.4) ? draw.pick(['twice', 'lost', 'reversed']) : undefined }),
    }),
    async play(world, { how }) {
      const statuses = await world.deliverEvents({
        copies: how === 'twice' ? 2 : 1,
        isLost: how === 'lost',
        isReversed: how === 'reversed',
      })
      await learn(world)
      return statuses
    },
  },
]
