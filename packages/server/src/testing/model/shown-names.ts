import { isIgnored, requireThat } from './failure.ts'
import type { Shop } from './shop.ts'
import type { World } from './world.ts'

/** A record that an answer has shown, and a name of its reader by which it must be found. */
interface Shown {
  what: 'access' | 'subscription'
  rid: string
  name: string
  id: string
}

type Fields = Readonly<Record<string, unknown>>

/** Every record that the answers to an application have shown: requests, pages of staff, events and webhooks. */
export class ShownNames {
  readonly #all = new Map<string, Shown>()
  #next = 0

  /** Looks for records in an answer. A list of them may name its reader once, for all. */
  note(answer: unknown, names: readonly string[] = []): void {
    if (typeof answer !== 'object' || answer === null) return
    const own = namesIn(answer as Fields)
    const known = own.length > 0 ? own : names
    for (const shown of recordsIn(answer as Fields)) {
      for (const name of known)
        this.#all.set(Object.values({ ...shown, name }).join('\n'), { ...shown, name })
    }
    for (const value of Object.values(answer)) this.note(value, known)
  }

  get all(): readonly Shown[] {
    return [...this.#all.values()]
  }

  /** The next few, so that every one is checked from time to time. */
  take(count: number): readonly Shown[] {
    const { all } = this
    const from = this.#next % Math.max(1, all.length)
    this.#next = from + count
    return [...all.slice(from), ...all.slice(0, from)].slice(0, count)
  }

  names(): Set<string> {
    return new Set(this.all.map(({ name }) => name))
  }

  clear(): void {
    this.#all.clear()
  }

  forget(shown: readonly Shown[]): void {
    for (const one of shown) this.#all.delete(Object.values(one).join('\n'))
  }
}

/** Texts about an erased reader are empty in events. */
const texts = (values: readonly unknown[]): string[] =>
  values.filter((value) => typeof value === 'string' && value !== '') as string[]

const namesIn = ({ user_ref, uid, references, aliases }: Fields): string[] =>
  texts([user_ref, uid, references, aliases].flat())

/** Access details have tags; subscriptions, payments and the sources of a check have the id of their access. */
function recordsIn({ rid, via, id, access_id, tags, cancel_at_period_end }: Fields) {
  const accessId = access_id ?? (Array.isArray(tags) ? id : undefined)
  if (typeof rid !== 'string' || typeof accessId !== 'string') return []
  const access = { what: 'access' as const, rid: typeof via === 'string' ? via : rid, id: accessId }
  const isSubscription = cancel_at_period_end !== undefined && typeof id === 'string'
  return isSubscription ? [access, { what: 'subscription' as const, rid, id }] : [access]
}

/** How many are checked after each operation. */
const SAMPLE = 6

/** Checks some of what was shown. Each is checked again and again, because a name that once reached a record goes on
 * to, whatever happens to its reader, until the access is revoked or the reader erased. */
export const requireSomeShown = (world: World): Promise<void> =>
  requireShownOf(world, ({ shown }) => shown.take(SAMPLE))

export const requireAllShown = (world: World): Promise<void> =>
  requireShownOf(world, ({ shown }) => shown.all)

async function requireShownOf(
  world: World,
  choose: (shop: Shop) => readonly Shown[],
): Promise<void> {
  if (isIgnored('names')) return
  for (const shop of Object.values(world.shops)) {
    if (shop.isArchived) continue
    for (const name of shop.shown.names()) shop.names.add(name)
    const chosen = choose(shop)
    await requireSameAnswers(world, shop, chosen[0])
    const reached = await Promise.all(chosen.map((one) => reach(world, shop, one)))
    // Read afterwards: what is open now was open then too.
    const open = await findOpen(world, shop)
    const idOf = (one: Shown) => open[one.what](one.id)
    for (const [i, one] of chosen.entries()) {
      const id = idOf(one)
      const isFound = id === undefined || reached[i]?.includes(id) === true
      const kind = `a name that was shown with ${one.what} does not reach it`
      requireThat(isFound, 'names', kind, () => ({ ...one, id, reached: reached[i] }))
    }
    shop.shown.forget(chosen.filter((one) => idOf(one) === undefined))
  }
}

/** Returns the ids that every way to ask finds. */
async function reach(world: World, shop: Shop, { what, rid, name }: Shown): Promise<string[]> {
  const key = { rid, user_ref: name }
  if (what === 'subscription') {
    const found = await world.call(shop, 'GET', '/r2/subscription/search', key)
    const manage = await world.call(shop, 'GET', '/r2/subscription/manage', key)
    return manage.status === 200 ? idsIn(found.body) : []
  }
  const expired = { ...key, show_expired: true }
  const found = await world.call(shop, 'GET', '/r2/access/search', expired)
  const { status, body } = await world.call(shop, 'GET', '/r2/access', expired)
  // A pass that is open answers before the record of the resource itself that has ended.
  return status === 200 ? idsIn(found.body).filter((id) => id === body.id || body.via) : []
}

/** What else a site may ask about a reader. */
const questionsAbout = (rid: string, user_ref: string) =>
  [
    ['/r2/access', { rid, user_ref }],
    ['/r2/access/check', { rids: rid, user_ref }],
    ['/r2/access/list', { user_ref }],
    ['/r2/access/search', { rid, user_ref, show_expired: true }],
    ['/r2/payment/search', { user_ref }],
    ['/r2/subscription/search', { user_ref }],
    ['/r2/downloads/url', { rid, user_ref, lifetime: 60 }],
  ] as const

/** A reader gets the same answers by each of their names as by their uid, on the fast path and beside it. */
async function requireSameAnswers(world: World, shop: Shop, shown: Shown | undefined) {
  // Workers that run meanwhile may change an answer.
  if (shown === undefined || world.system.isConcurrent) return
  const { rid, name } = shown
  const search = { user_ref: name, show_expired: true }
  const { body } = await world.call(shop, 'GET', '/r2/access/search', search)
  const [record] = (body.data ?? []) as { uid: string }[]
  if (record === undefined) return
  const byUid = questionsAbout(rid, record.uid)
  for (const [i, [path, question]] of questionsAbout(rid, name).entries()) {
    const expected = await answerTo(world, shop, path, byUid[i]?.[1] ?? {})
    for (const byRoute of path === '/r2/access' ? [false, true] : [false]) {
      const answer = await answerTo(world, shop, path, question, byRoute)
      const kind = `${path} answers otherwise by a name than by the uid`
      requireThat(answer === expected, 'names', kind, () => ({ ...shown, expected, answer }))
    }
  }
}

/** Leaves out what repeats the question, and what differs from one answer to the next. */
async function answerTo(
  world: World,
  shop: Shop,
  path: string,
  question: Readonly<Record<string, string | number | boolean>>,
  byRoute = false,
): Promise<string> {
  const { status, body } = await world.call(shop, 'GET', path, question, { byRoute })
  const { user_ref, url, error, ...told } = body
  const isRecord = path === '/r2/access'
  const code = (error as { code?: string } | undefined)?.code
  return JSON.stringify({ status, code, ...told, ...(isRecord && { user_ref }) })
}

const idsIn = (page: Fields): string[] =>
  ((page.data ?? []) as { id: string }[]).map(({ id }) => id)

/** Returns the id by which a shown record must be found now; undefined if it was revoked or is gone. A merge makes one
 * record of two. */
async function findOpen({ system }: World, { aid }: Shop) {
  const db = system.env.database.read
  const records = await db
    .selectFrom('access')
    .select(['id', 'revoked'])
    .where('aid', '=', aid)
    .execute()
  const joined = await db
    .selectFrom('history')
    .select(['access_id', 'after'])
    .where((eb) => eb.and({ aid, action: 'revoked' }))
    .where('after', 'like', '%merged_into%')
    .execute()
  const subscriptions = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('aid', '=', aid)
    .where('status', '<>', 'ended')
    .execute()
  const revoked = new Map(records.map((one) => [one.id, one.revoked]))
  const into = new Map(
    joined.map((one) => [one.access_id, JSON.parse(one.after ?? '{}').merged_into as string]),
  )
  const unended = new Set(subscriptions.map(({ id }) => id))
  const access = (id: string): string | undefined => {
    const next = into.get(id)
    if (next !== undefined) return access(next)
    return revoked.get(id) === null ? id : undefined
  }
  return { access, subscription: (id: string) => (unended.has(id) ? id : undefined) }
}
