import { findViolations, hasViolations } from '../../db/invariants/invariants.ts'
import { isIgnored, requireThat } from './failure.ts'
import { FOREVER } from './holdings.ts'
import { requireLedger } from './ledger.ts'
import { requireEndedLinks } from './reader-links.ts'
import type { Person } from './reference.ts'
import { RESOURCES, type Shop } from './shop.ts'
import { hasOpenSubscription } from './sync-model.ts'
import type { World } from './world.ts'

interface Found {
  id: string
  uid: string
  rid: string
  user_ref: string
  user_email: string
  expires?: number
  via?: string
}

/** Compares the answers of the fast path, the route and the reference model; returns whether there is access. */
async function requirePair(world: World, shop: Shop, name: string, rid: string): Promise<boolean> {
  const key = { rid, user_ref: name }
  const [fast, route] = await Promise.all([
    world.call(shop, 'GET', '/r2/access', key),
    world.call(shop, 'GET', '/r2/access', key, { byRoute: true }),
  ])
  const about = () => ({ ...key, fast: fast.text, route: route.text })
  requireThat(
    fast.status === route.status,
    'agreement',
    `the fast path says ${fast.status}, the route ${route.status}`,
    about,
  )
  if (shop.isArchived || fast.status !== 200) {
    requireNothing(world, shop, name, rid, fast.status)
    return false
  }
  const shown = (text: string) => JSON.stringify(Object.entries(JSON.parse(text)).sort())
  requireThat(
    shown(fast.text) === shown(route.text),
    'agreement',
    'the fast path and the route show different records',
    about,
  )
  requireThat(
    fast.text === route.text,
    'bytes',
    'the fast path and the route differ in their bytes',
    about,
  )
  requireExpected(world, shop, name, rid, fast.body as unknown as Found)
  return true
}

const holdingOf = (shop: Shop, name: string, rid: string) =>
  shop.reference.byRef(name)?.holdings.get(rid)

/** A check may find nothing only if the model has no live access either. */
function requireNothing(world: World, shop: Shop, name: string, rid: string, status: number): void {
  const expected = shop.isArchived ? 401 : 404
  requireThat(status === expected, 'status', `a check answered ${status}`)
  if (shop.isArchived) return
  for (const held of [rid, ...shop.reference.passesOf(rid)]) {
    const ends = sureEnd(world, shop, name, held)
    const oracle = shop.reference.oracleOf(name)
    requireThat(ends <= world.now, oracle, 'somebody who must have access has none', () => ({
      ...{ name, rid, held, ends, now: world.now },
    }))
  }
}

/** Until when somebody has a resource itself at least, as far as the model knows; 0 if it doesn't. */
function sureEnd(world: World, shop: Shop, name: string, rid: string): number {
  const holding = holdingOf(shop, name, rid)
  if (!holding || holding.isUnsure) return 0
  const paid = paidUntil(world, holding.subscriptions)
  return Math.max(shop.reference.ends(holding) ?? 0, paid)
}

/** A pass answers only if the resource itself is not open, and no other pass ends later. */
function requireBestPass(world: World, shop: Shop, name: string, rid: string, found: Found): void {
  const about = () => ({ name, rid, found, now: world.now })
  const passes = shop.reference.passesOf(rid)
  requireThat(passes.includes(found.via ?? ''), 'reference', 'a pass opens too much', about)
  const isDirect = sureEnd(world, shop, name, rid) > world.now
  requireThat(!isDirect, 'reference', 'a pass answers before the resource itself', about)
  const latest = Math.max(...passes.map((pass) => sureEnd(world, shop, name, pass)))
  requireThat((found.expires ?? FOREVER) >= latest, 'reference', 'a pass ends too early', about)
}

const paidUntil = ({ subscriptions }: World, ids: ReadonlySet<string>) =>
  Math.max(
    0,
    ...[...ids].map((id) => {
      const known = subscriptions.get(id)
      return known && known.status !== 'ended' ? known.paidUntil : 0
    }),
  )

function requireExpected(world: World, shop: Shop, name: string, rid: string, found: Found): void {
  if (found.via !== undefined) requireBestPass(world, shop, name, rid, found)
  const holding = holdingOf(shop, name, found.via ?? rid)
  if (holding?.isUnsure) return
  const about = () => ({ name, rid, found, holding, now: world.now })
  const isSubscribed = holding !== undefined && hasOpenSubscription(world, holding)
  const ends = holding && shop.reference.ends(holding)
  const isLive = isSubscribed || (ends ?? 0) > world.now
  requireThat(
    isLive,
    shop.reference.oracleOf(name),
    'somebody has access who must have none',
    about,
  )
  if (isSubscribed) {
    const least = Math.max(ends ?? 0, paidUntil(world, holding.subscriptions))
    requireThat((found.expires ?? FOREVER) >= least, 'reference', 'paid days are lost', about)
    return
  }
  const differs = (found.expires ?? FOREVER) - (ends ?? 0)
  const kind = differs < 0 ? 'access ends too early: days are lost' : 'access ends too late'
  requireThat(
    found.expires === undefined ? ends === FOREVER : differs === 0,
    'reference',
    kind,
    about,
  )
}

interface Explained {
  now: number
  checks: {
    rid: string
    granted: boolean
    via?: string
    until?: number
    next_change?: number
    sources: unknown[]
  }[]
}

/** The explained check and the list of entitlements must say the same as a check of each resource. */
async function requireExplained(world: World, shop: Shop, name: string): Promise<void> {
  const rids = RESOURCES.join(' ')
  const [asked, listed, ...found] = await Promise.all([
    world.call(shop, 'GET', '/r2/access/check', { user_ref: name, rids }),
    world.call(shop, 'GET', '/r2/access/list', { user_ref: name, pagesize: 1000 }),
    ...RESOURCES.map((rid) => world.call(shop, 'GET', '/r2/access', { user_ref: name, rid })),
  ])
  const about = () => ({ name, asked: asked.text, listed: listed.text })
  const isAnswered = asked.status === 200 && listed.status === 200
  requireThat(isAnswered, 'status', 'an explained check was refused', about)
  const { now, checks } = asked.body as unknown as Explained
  const { data } = listed.body as unknown as { data: { rid: string }[] }
  for (const [i, { rid, granted, via, until, next_change, sources }] of checks.entries()) {
    const record = found[i]?.status === 200 ? (found[i].body as unknown as Found) : undefined
    const isSame = granted === (record !== undefined) && until === record?.expires
    requireThat(isSame, 'agreement', 'an explained check and a check disagree', about)
    const isSameWay = !granted || via === record?.via
    requireThat(isSameWay, 'agreement', 'a check names another pass', about)
    requireThat(granted === sources.length > 0, 'agreement', 'access has no source', about)
    const isNotLate = !granted || (next_change ?? FOREVER) <= (until ?? FOREVER)
    requireThat(isNotLate && (next_change ?? FOREVER) > now, 'agreement', 'a change is late', about)
    // The list has the record of a pass, but not the resources that it opens.
    const isListed = data.some((one) => one.rid === (granted ? (via ?? rid) : rid))
    requireThat(isListed === granted, 'agreement', 'a list and a check disagree', about)
  }
}

/** A check must find every live record of a search, by the name that the search returns. */
async function requireSearch(world: World, shop: Shop): Promise<void> {
  const { body } = await world.call(shop, 'GET', '/r2/access/search', { pagesize: 1000 })
  const { data, total } = body as unknown as { data: Found[]; total: number }
  requireThat(total === data.length, 'agreement', 'a search counts other records than it shows')
  const checks = await Promise.all(
    data.map((record) =>
      world.call(shop, 'GET', '/r2/access', { rid: record.rid, user_ref: record.user_ref }),
    ),
  )
  for (const [i, record] of data.entries()) {
    const isFound = checks[i]?.status === 200 && checks[i].body.id === record.id
    requireThat(
      isFound,
      'agreement',
      'a search shows a live record that a check does not find',
      () => ({
        record,
        check: checks[i]?.text,
      }),
    )
  }
}

/** The dashboard's page of a person must agree with a check by one of the person's names. */
async function requirePerson(world: World, shop: Shop, person: Person): Promise<void> {
  const { status, body } = await world.staff(shop, 'GET', `/people/${person.uid}`)
  requireThat(status === 200, 'status', `the page of a person answered ${status}`)
  const { reading } = body as unknown as { reading: { rid: string; access: boolean }[] }
  const name = person.uid as string
  if (isIgnored(shop.reference.oracleOf(name))) return
  for (const rid of RESOURCES) {
    const { status: found, body: record } = await world.call(shop, 'GET', '/r2/access', {
      ...{ rid, user_ref: name },
    })
    // The page is about the resources of which the person has a record.
    if (record.via !== undefined) continue
    const says = reading.find((one) => one.rid === rid)?.access ?? false
    requireThat(
      says === (found === 200),
      'agreement',
      "the dashboard's page and a check disagree",
      () => ({
        uid: person.uid,
        name,
        rid,
        says,
        found,
      }),
    )
  }
}

/** Checks all rules of `db/invariants/invariants.ts`. */
export async function requireInvariants(world: World): Promise<void> {
  if (isIgnored('invariants')) return
  const { database, clock } = world.system.env
  if (!(await hasViolations(database.read, clock()))) return
  const [violation] = await findViolations(database.read, clock())
  requireThat(violation === undefined, 'invariants', violation?.rule ?? '', () => violation?.rows)
}

/** Sends the checks concurrently, like a site with many readers. */
export const requirePairs = async (world: World, shop: Shop, names: Iterable<string>, rids: Rids) =>
  await Promise.all(
    [...names].flatMap((name) => rids.map((rid) => requirePair(world, shop, name, rid))),
  )

type Rids = readonly string[]

/** Checks every name that was ever used for every resource, then the search and the pages of all people. */
export async function requireAgreement(world: World): Promise<void> {
  await requireEndedLinks(world)
  for (const shop of Object.values(world.shops)) {
    await requirePairs(world, shop, shop.names, RESOURCES)
    if (shop.isArchived) continue
    await Promise.all([...shop.names].map((name) => requireExplained(world, shop, name)))
    await requireSearch(world, shop)
    for (const person of shop.reference.people) {
      if (!person.isGone && person.uid !== undefined) await requirePerson(world, shop, person)
    }
  }
}

/** Waits until the provider has sent all events and the workers have finished: what is wrong then stays wrong. */
export async function requireSettled(world: World): Promise<void> {
  world.faults = []
  world.hasFailed = false
  await world.system.settle(world)
  await requireLedger(world)
}

/** Runs `gatehouse doctor --deep`, like an operator. */
export async function requireHealth(world: World): Promise<void> {
  if (isIgnored('doctor')) return
  const { stdout } = await world.command('doctor', '--deep', '--json')
  const { checks } = JSON.parse(stdout) as {
    checks: { check: string; status: string; message: string }[]
  }
  const [failed] = checks.filter(({ status }) => status === 'failed')
  requireThat(failed === undefined, 'doctor', failed?.check ?? '', () => failed)
}
