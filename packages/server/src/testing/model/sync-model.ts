import { requireThat } from './failure.ts'
import type { Holding } from './holdings.ts'
import type { Person } from './reference.ts'
import type { Shop } from './shop.ts'
import type { CheckoutAttempt, World } from './world.ts'

/** Reads what the service has learned about payments since the last call. The model takes over *that* something was
 * paid or refunded, and decides itself what must follow. */
export async function syncModel(world: World): Promise<void> {
  for (const shop of Object.values(world.shops)) {
    await syncUids(world, shop)
    await syncSubscriptions(world, shop)
    await syncCheckouts(world, shop)
    await syncEnds(world, shop)
    await syncGivenBack(world, shop)
  }
}

/** Looks up the uids of people whom no response has named yet, for example after an import. */
async function syncUids({ system }: World, { aid, reference }: Shop): Promise<void> {
  for (const person of reference.people) {
    if (person.uid !== undefined || person.email === undefined || person.isGone) continue
    const row = await system.env.database.read
      .selectFrom('users')
      .select('uid')
      .where('aid', '=', aid)
      .where('email_key', '=', person.email)
      .executeTakeFirst()
    person.uid = row?.uid
  }
}

async function syncSubscriptions({ system, subscriptions }: World, { aid }: Shop): Promise<void> {
  const rows = await system.env.database.read
    .selectFrom('subscriptions')
    .select(['id', 'status', 'current_period_end'])
    .where('aid', '=', aid)
    .execute()
  for (const { id, status, current_period_end } of rows) {
    subscriptions.set(id, { status, paidUntil: current_period_end })
  }
}

async function syncCheckouts(world: World, shop: Shop): Promise<void> {
  const paid = await world.system.env.database.read
    .selectFrom('checkouts as c')
    .leftJoin('payments as p', 'p.checkout_id', 'c.id')
    .select(['c.id', 'c.uid', 'c.paid', 'c.subscription_id', 'p.id as payment', 'p.flag'])
    .where('c.aid', '=', shop.aid)
    .where('c.purpose', '=', 'buy')
    .where('c.status', '=', 'paid')
    .orderBy('c.paid')
    .orderBy('c.created')
    .execute()
  const tabs = new Map([...world.checkouts.values()].map((attempt) => [attempt.id, attempt]))
  for (const row of paid) {
    const attempt = tabs.get(row.id)
    if (!attempt || world.learned.has(row.id)) continue
    world.learned.add(row.id)
    if (attempt.erased !== 'no') syncErased(attempt, row)
    else syncPurchase(world, attempt, row)
  }
}

interface PaidCheckout {
  id: string
  uid: string | null
  paid: number | null
  subscription_id: string | null
  payment: string | null
  flag: string | null
}

/** An erasure has ended the checkout: money that arrives anyway is refunded and grants nothing. */
function syncErased(attempt: CheckoutAttempt, row: PaidCheckout): void {
  const { erased, label, shop, price, email, typed } = attempt
  const isTrial = row.payment === null && row.subscription_id !== null
  if (isTrial) shop.reference.startTrial(price.rid, [email, typed], undefined)
  if (erased === 'maybe') {
    const owner = row.uid === null ? undefined : shop.reference.byUid(row.uid)
    if (owner) shop.reference.holding(owner, price.rid).isUnsure = true
    return
  }
  const opensNothing = row.subscription_id === null && (row.payment === null || row.flag !== null)
  requireThat(opensNothing, 'ledger', 'a checkout of an erased person opened something', () => ({
    label,
    ...row,
  }))
}

function syncPurchase(world: World, attempt: CheckoutAttempt, row: PaidCheckout): void {
  const { shop, price } = attempt
  const { reference } = shop
  const person = reference.settleBuyer(attempt.ref, attempt.email, attempt.typed)
  requireSame(world, person, attempt, row)
  const holding = reference.holding(person, price.rid)
  if (row.flag !== null || (row.payment === null && row.subscription_id === null)) return
  const isMixed = hasOpenSubscription(world, holding) || row.subscription_id !== null
  if (isMixed && (holding.purchases.length > 0 || row.subscription_id === null)) {
    holding.isUnsure = true
  }
  holding.hasRecord = true
  if (row.payment === null) reference.startTrial(price.rid, [attempt.email, attempt.typed], person)
  if (row.subscription_id !== null) holding.subscriptions.add(row.subscription_id)
  else reference.purchase(holding, row.payment as string, price.seconds, row.paid as number)
}

function requireSame(
  world: World,
  person: Person,
  { shop, ref, email, typed, label }: CheckoutAttempt,
  row: PaidCheckout,
): void {
  const { uid } = row
  const other = uid === null ? undefined : shop.reference.byUid(uid)
  const isRight = person.uid === undefined ? other === undefined : person.uid === uid
  requireThat(
    isRight,
    'reference',
    'what was bought went to somebody else than the names say',
    () => ({
      label,
      named: { ref, email, typed },
      expected: person.uid ?? 'a new user',
      uid,
    }),
  )
  const isErased = uid !== null && shop.reference.erasedUids.has(uid)
  requireThat(!isErased, 'reference', 'what was bought went to an erased user', () => ({
    label,
    uid,
  }))
  person.uid = uid ?? undefined
  if (uid === null) return
  shop.names.add(uid)
  world.uids.set(label, uid)
}

export const hasOpenSubscription = ({ subscriptions }: World, holding: Holding): boolean =>
  [...holding.subscriptions].some((id) => subscriptions.get(id)?.status !== 'ended')

/** A dispute that is won after all gives time back. The model doesn't know how much was left, so it is not sure any more. */
async function syncGivenBack(world: World, shop: Shop): Promise<void> {
  const given = await world.system.env.database.read
    .selectFrom('history')
    .select(['seq', 'uid', 'rid', 'after'])
    .where('aid', '=', shop.aid)
    .where('action', '=', 'access given back')
    .execute()
  for (const { seq, uid, rid, after } of given) {
    if (world.learned.has(`given back ${seq}`)) continue
    world.learned.add(`given back ${seq}`)
    const { payment } = JSON.parse(after ?? '{}') as { payment: string }
    world.learned.delete(`ended ${payment}`)
    const person = shop.reference.people.find((one) => one.uid === uid && !one.isGone)
    if (person && rid !== null) shop.reference.holding(person, rid).isUnsure = true
  }
}

async function syncEnds(world: World, shop: Shop): Promise<void> {
  const ended = await world.system.env.database.read
    .selectFrom('payments')
    .select('id')
    .where('aid', '=', shop.aid)
    .where('subscription_id', 'is', null)
    .where('status', 'in', ['refunded', 'lost'])
    .execute()
  for (const { id } of ended) {
    if (world.learned.has(`ended ${id}`)) continue
    world.learned.add(`ended ${id}`)
    for (const person of shop.reference.people) {
      for (const holding of person.holdings.values()) {
        shop.reference.endPurchase(holding, id, world.now)
      }
    }
  }
}
