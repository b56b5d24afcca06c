import { args, type Draw } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import { rememberLink } from '../reader-links.ts'
import type { Args } from '../script.ts'
import type { Shop } from '../shop.ts'
import { hasOpenSubscription, syncModel } from '../sync-model.ts'
import { visit } from '../visit.ts'
import type { CheckoutAttempt, World } from '../world.ts'
import { payAt } from './buying.ts'

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
  input: { rid: string; user_ref: string },
  via: string | undefined,
): Promise<number> {
  const open = openSubscriptionOf(world, shop, input)
  if (via === 'dashboard' && open !== undefined && !shop.isArchived) {
    const { status } = await world.staff(shop, 'POST', `/subscriptions/${open}/${verb}`)
    return status === 200 ? 200 : 404
  }
  if (via !== 'cli') {
    return (await world.call(shop, 'POST', `/r2/subscription/${verb}`, input)).status
  }
  const named = ['--aid', shop.aid, '--rid', input.rid, '--user-ref', input.user_ref]
  const { code } = await world.command('subscription', verb, ...named)
  if (code === 0) return 200
  return shop.isArchived ? 401 : 404
}

/** The dashboard addresses subscriptions by id; staff find it in a list. */
function openSubscriptionOf(
  { subscriptions }: World,
  { reference }: Shop,
  { rid, user_ref }: { rid: string; user_ref: string },
): string | undefined {
  const ids = reference.byRef(user_ref)?.holdings.get(rid)?.subscriptions ?? []
  return [...ids].find((id) => (subscriptions.get(id)?.status ?? 'ended') !== 'ended')
}

/** Cancels or resumes a subscription. */
const changing = (verb: 'cancel' | 'resume') => async (world: World, given: Args) => {
  const { shop, userRef, rid } = named(world, given)
  if (userRef === undefined) return NOT_APPLICABLE
  const status = await changeBy(world, shop, verb, { rid, user_ref: userRef }, given.via)
  const person = shop.reference.byRef(userRef)
  const holding = person?.holdings.get(rid)
  const isOpen = holding !== undefined && hasOpenSubscription(world, holding)
  const must = shop.isArchived ? 401 : isOpen ? 200 : 404
  // A subscription whose paid time has just ended can't be resumed any more.
  const isRight = status === must || (verb === 'resume' && isOpen && status === 404)
  requireThat(world.wasCut || isRight, 'reference', `${verb} must be a ${must}`, () => ({
    rid,
    userRef,
    status,
  }))
  await syncModel(world)
  return `${status}`
}

export const cancel = changing('cancel')

/** Opens the page of a subscription as its reader, and does something there. */
async function manage(world: World, given: Args): Promise<string> {
  const { shop, userRef, rid } = named(world, given)
  if (userRef === undefined) return NOT_APPLICABLE
  const input = { rid, user_ref: userRef }
  const { status, body } = await world.call(shop, 'GET', '/r2/subscription/manage', input)
  if (status !== 200) return `${status}`
  const address = body.url as string
  rememberLink(world, shop, shop.reference.byRef(userRef)?.uid, address)
  const page = await visit(world, 'GET /manage/:token', address)
  const action = given.action ?? 'cancel'
  const done = await visit(world, 'POST /manage/:token', address, { action })
  const isSent = action === 'card' && done.status === 303
  const session = isSent ? (done.location?.split('/').at(-1) as string) : undefined
  const paid = session === undefined ? '' : payAt(world, session, given.card ?? 'good')
  await syncModel(world)
  return `${page.status} ${done.status} ${paid}`
}

interface PaidPayment {
  id: string
  aid: string
  provider_ref: string | null
}

/** The payments that a purchase has led to, including renewals. */
async function paymentsOf(world: World, attempt: CheckoutAttempt): Promise<PaidPayment[]> {
  const db = world.system.env.database.read
  const first = await db
    .selectFrom('checkouts')
    .select('subscription_id')
    .where('id', '=', attempt.id)
    .executeTakeFirst()
  const subscription = first?.subscription_id ?? null
  return await db
    .selectFrom('payments')
    .select(['id', 'aid', 'provider_ref'])
    .where('status', 'not in', ['failed', 'pending'])
    .where((eb) =>
      subscription === null
        ? eb('checkout_id', '=', attempt.id)
        : eb('subscription_id', '=', subscription),
    )
    .orderBy('settled')
    .orderBy('id')
    .execute()
}

export async function paymentIn(
  world: World,
  given: Args,
): Promise<[CheckoutAttempt, PaidPayment] | undefined> {
  const attempt = world.checkouts.get(given.tab as string)
  const payment = attempt && (await paymentsOf(world, attempt)).at(Number(given.nth ?? 0))
  return payment && [attempt, payment]
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
  const input = { payment: id, amount, reference }
  if (via !== 'cli') return (await world.call(shop, 'POST', '/r2/payment/refund', input)).status
  const { code } = await world.command(
    ...['payment', 'refund', id, '--aid', shop.aid],
    ...(amount === undefined ? [] : ['--amount', amount]),
    ...(reference === undefined ? [] : ['--reference', reference]),
  )
  return code === 0 ? 200 : 402
}

async function refund(world: World, given: Args): Promise<string> {
  const found = await paymentIn(world, given)
  if (!found) return NOT_APPLICABLE
  const [{ shop }, { id }] = found
  const status = await refundBy(world, shop, id, given)
  const isKnown = [200, 400, 402].includes(status) || shop.isArchived
  requireThat(isKnown, 'status', `a refund answered ${status}`)
  await syncModel(world)
  return `${status}`
}

async function searchPayments(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const filter = { user_ref: world.text(given.ref), rid: given.rid }
  const payments = await world.call(shop, 'GET', '/r2/payment/search', filter)
  const subscriptions = await world.call(shop, 'GET', '/r2/subscription/search', filter)
  return `${payments.body.total} ${subscriptions.body.total}`
}

const subscriber = (draw: Draw) => ({
  app: draw.app(),
  rid: draw.pick(['r1', 'r2', 'r2']),
  ref: draw.ref(),
})

const byStaff = (draw: Draw) =>
  draw.chance(0.3) ? 'dashboard' : draw.chance(0.05) ? 'cli' : undefined

export const drawPayment =
  (more: (draw: Draw) => Record<string, string | undefined>): OperationKind['draw'] =>
  (draw) => {
    const tab = draw.tab()
    if (tab === undefined) return undefined
    return { args: args({ tab, nth: draw.chance(0.2) ? '-1' : undefined, ...more(draw) }) }
  }

export const moneyKinds: readonly OperationKind[] = [
  {
    name: 'cancel',
    weight: 3,
    reaches: [
      'POST /r2/subscription/cancel',
      'gatehouse subscription cancel',
      'staff POST /subscriptions/:id/cancel',
    ],
    draw: (draw) => ({ args: args({ ...subscriber(draw), via: byStaff(draw) }) }),
    play: cancel,
  },
  {
    name: 'resume',
    weight: 2,
    reaches: [
      'POST /r2/subscription/resume',
      'gatehouse subscription resume',
      'staff POST /subscriptions/:id/resume',
    ],
    draw: (draw) => ({ args: args({ ...subscriber(draw), via: byStaff(draw) }) }),
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
    draw: drawPayment((draw) => {
      const isPart = draw.chance(0.5)
      return {
        amount: isPart ? draw.pick(['1.00', '2.50']) : undefined,
        reference: isPart || draw.chance(0.3) ? draw.pick(['one', 'two']) : undefined,
        via: byStaff(draw),
      }
    }),
    play: refund,
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
]
