import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import { endLinksOf, requireEndedLinks } from '../reader-links.ts'
import type { Person } from '../reference.ts'
import type { Args } from '../script.ts'
import type { Shop } from '../shop.ts'
import { hasOpenSubscription, syncModel } from '../sync-model.ts'
import type { World } from '../world.ts'
import { about, change, isShut, subject, via } from './person-changes.ts'

async function erase(world: World, given: Args): Promise<string> {
  const { shop, uid, person } = subject(world, given)
  if (uid === undefined) return NOT_APPLICABLE
  const isDone = await change(world, shop, given.via, {
    method: 'POST',
    path: `/people/${uid}/erase`,
    body: {},
    command: ['user', 'erase', uid, '--yes'],
  })
  if (isShut(shop, given.via, isDone)) return 'refused'
  requireThat(
    world.wasCut || isDone === (person !== undefined),
    'reference',
    'erasing does not do what it must',
    () => ({
      uid,
      isDone,
    }),
  )
  if (!person) return 'refused'
  endCheckouts(world, shop, person)
  shop.reference.erase(person)
  await syncModel(world)
  return 'erased'
}

/** Erasing a person ends their open checkouts. A typed email alone does not prove whose checkout it is. */
function endCheckouts(world: World, shop: Shop, person: Person): void {
  for (const attempt of world.checkouts.values()) {
    if (attempt.shop !== shop || world.learned.has(attempt.id)) continue
    const named = attempt.ref === undefined ? undefined : shop.reference.byRef(attempt.ref)
    const byRef = named === person
    const isHers = (email: string | undefined) =>
      email !== undefined && shop.reference.byEmail(email) === person
    if (byRef || (isHers(attempt.email) && named === undefined)) attempt.erased = 'sure'
    else if (isHers(attempt.email) || isHers(attempt.typed)) attempt.erased = 'maybe'
  }
}

async function merge(world: World, given: Args): Promise<string> {
  const { shop, uid: from, person: gone } = subject(world, given, 'from')
  const { uid: into, person: kept } = subject(world, given, 'into')
  if (from === undefined || into === undefined) return NOT_APPLICABLE
  const isDone = await change(world, shop, given.via, {
    method: 'POST',
    path: `/people/${from}/merge`,
    body: { into },
    command: ['user', 'merge', from, into],
  })
  if (isShut(shop, given.via, isDone)) return 'refused'
  if (!gone || !kept || gone === kept) {
    requireThat(!isDone, 'reference', 'a merge was done that must be refused', () => ({
      from,
      into,
    }))
    return 'refused'
  }
  const isSubscribed = (person: Person, rid: string) =>
    hasOpenSubscription(world, shop.reference.holding(person, rid))
  const rids = [...gone.holdings.keys()]
  const collide = rids.some((rid) => isSubscribed(gone, rid) && isSubscribed(kept, rid))
  requireThat(
    world.wasCut || isDone === !collide,
    'reference',
    'a merge does not do what it must',
    () => ({
      from,
      into,
      isDone,
    }),
  )
  if (!collide) shop.reference.merge(gone, kept, world.now)
  return collide ? 'refused' : 'merged'
}

async function setEmail(world: World, given: Args): Promise<string> {
  const { shop, uid, person } = subject(world, given)
  const { email = '' } = given
  if (uid === undefined) return NOT_APPLICABLE
  const notify = given.notify !== 'no'
  const neverTheirs = given.old === 'never theirs'
  const mailsBefore = await countAddressMails(world, shop, uid)
  const isDone = await change(world, shop, given.via, {
    method: 'PATCH',
    path: `/people/${uid}`,
    body: { email, notify, never_theirs: neverTheirs },
    command: [
      ...['user', 'set-email', uid, email],
      ...(notify ? ['--notify'] : []),
      ...(neverTheirs ? ['--never-theirs'] : []),
    ],
  })
  if (isShut(shop, given.via, isDone)) return 'refused'
  const holder = shop.reference.byCurrentEmail(email)
  const isFree = holder === undefined || holder === person
  const isSame = person?.email === email.toLowerCase()
  const must = person !== undefined && isFree && !(neverTheirs && isSame)
  // The model doesn't know whether an address that was typed at a checkout is the contact.
  const isUnsure = neverTheirs && person !== undefined && person.email === undefined
  requireThat(
    world.wasCut || isUnsure || isDone === must,
    'reference',
    'set-email does not do what it must',
    () => ({
      uid,
      email,
      isDone,
    }),
  )
  const isNew = isDone && person?.email !== email.toLowerCase()
  const mails = (await countAddressMails(world, shop, uid)) - mailsBefore
  // An address that was typed at a checkout is told as well; the model doesn't know whose is the contact.
  const expected = isNew && notify ? (person?.email === undefined ? [0, 1, 2] : [2]) : [0]
  requireThat(
    world.wasCut || expected.includes(mails),
    'reference',
    'a change of the address has the wrong number of mails',
    () => ({ uid, email, notify, mails, expected }),
  )
  if ((isUnsure ? isDone : must) && person) shop.reference.setEmail(person, email)
  if (isDone && neverTheirs && person) endLinksOf(world, shop, person)
  await requireEndedLinks(world)
  return isDone ? 'changed' : 'refused'
}

async function endLinks(world: World, given: Args): Promise<string> {
  const { shop, uid, person } = subject(world, given)
  if (uid === undefined) return NOT_APPLICABLE
  const isDone = await change(world, shop, given.via, {
    method: 'POST',
    path: `/people/${uid}/end-links`,
    body: {},
    command: ['user', 'end-links', uid],
  })
  if (isShut(shop, given.via, isDone)) return 'refused'
  const isRight = isDone === (person !== undefined)
  requireThat(world.wasCut || isRight, 'reference', 'end-links does not do what it must', () => ({
    ...{ uid, isDone },
  }))
  if (person) endLinksOf(world, shop, person)
  await requireEndedLinks(world)
  return isDone ? 'ended' : 'refused'
}

async function countAddressMails(world: World, shop: Shop, uid: string): Promise<number> {
  const rows = await world.system.env.database.read
    .selectFrom('outbox')
    .select('id')
    .where('aid', '=', shop.aid)
    .where('uid', '=', uid)
    .where('kind', '=', 'address_changed')
    .execute()
  return rows.length
}

async function addRef(world: World, given: Args): Promise<string> {
  const { shop, uid, person } = subject(world, given)
  const ref = world.text(given.ref)
  if (uid === undefined || ref === undefined) return NOT_APPLICABLE
  const isDone = await change(world, shop, given.via, {
    method: 'POST',
    path: `/people/${uid}/refs`,
    body: { ref },
    command: ['user', 'add-ref', uid, ref],
  })
  shop.names.add(ref)
  if (isShut(shop, given.via, isDone)) return 'refused'
  const owner = shop.reference.byRef(ref)
  const isOwn = owner === person || ref === uid
  const isFree = owner === undefined && !shop.reference.isUid(ref)
  const must = person !== undefined && (isOwn || isFree)
  requireThat(
    world.wasCut || isDone === must,
    'reference',
    'add-ref does not do what it must',
    () => ({
      uid,
      ref,
      isDone,
    }),
  )
  if (must && person && isFree) person.refs.add(ref)
  return isDone ? 'added' : 'refused'
}

/** Reads what is stored about a person, whatever happened to them; the API only has existing users. */
async function viewUser(world: World, given: Args): Promise<string> {
  const { shop, uid, person } = subject(world, given)
  if (uid === undefined) return NOT_APPLICABLE
  const exported = await world.staff(shop, 'GET', `/people/${uid}/export`)
  const timeline = await world.staff(shop, 'GET', `/people/${uid}/timeline`)
  const user = await world.call(shop, 'GET', `/r2/user/${uid}`)
  if (person && exported.status === 200) requireFormer(person, exported.body)
  const expected = shop.isArchived ? 401 : person ? 200 : 404
  requireThat(user.status === expected, 'reference', `a user must be a ${expected}`, () => ({
    uid,
    status: user.status,
  }))
  return `${exported.status} ${timeline.status} ${user.status}`
}

function requireFormer({ uid, former }: Person, exported: unknown): void {
  const { former_addresses: listed } = exported as { former_addresses: string[] }
  const isSame =
    listed.length === former.size && listed.every((email) => former.has(email.toLowerCase()))
  requireThat(isSame, 'reference', 'an export lists other former addresses', () => ({
    ...{ uid, listed, expected: [...former] },
  }))
}

export const peopleKinds: readonly OperationKind[] = [
  {
    name: 'erase',
    weight: 4,
    reaches: ['gatehouse user erase', 'staff POST /people/:uid/erase'],
    draw: about(),
    play: erase,
  },
  {
    name: 'merge',
    weight: 5,
    reaches: ['gatehouse user merge', 'staff POST /people/:uid/merge'],
    draw(draw) {
      const [from, into] = [draw.buyer(), draw.buyer()]
      if (from === undefined || into === undefined || from === into) return undefined
      return { args: args({ app: draw.app(), from, into, via: via(draw) }) }
    },
    play: merge,
  },
  {
    name: 'set-email',
    weight: 3,
    reaches: ['gatehouse user set-email', 'staff PATCH /people/:uid'],
    draw: about((draw) => ({
      email: draw.email(),
      notify: draw.chance(0.3) ? 'no' : undefined,
      old: draw.chance(0.4) ? 'never theirs' : undefined,
    })),
    play: setEmail,
  },
  {
    name: 'end-links',
    weight: 2,
    reaches: ['gatehouse user end-links', 'staff POST /people/:uid/end-links'],
    draw: about(),
    play: endLinks,
  },
  {
    name: 'add-ref',
    weight: 3,
    reaches: ['gatehouse user add-ref', 'staff POST /people/:uid/refs'],
    draw: about((draw) => ({ ref: draw.ref() })),
    play: addRef,
  },
  {
    name: 'look',
    weight: 2,
    reaches: [
      'GET /r2/user/:uid',
      'staff GET /people/:uid/export',
      'staff GET /people/:uid/timeline',
    ],
    draw: about(),
    play: viewUser,
  },
]
