import { catchUp } from './event-oracles.ts'
import { isIgnored, requireThat } from './failure.ts'
import type { Shop } from './shop.ts'
import type { World } from './world.ts'

/** A webhook endpoint that staff have made. */
export interface Hook {
  shop: Shop
  id: string
  /** The path at the receiver, which no other endpoint has. */
  path: string
  /** Whether its receiver may refuse events for a while. */
  isRough: boolean
  types: string
  /** The position in the site's log from which the endpoint must get all events; undefined while it gets nothing. */
  from: number | undefined
}

/** How the receiver of rough endpoints responds. */
export type RoughMode = 'ok' | 'refuse' | 'gone'

const STATUSES: Readonly<Record<RoughMode, number>> = { ok: 200, refuse: 500, gone: 410 }

/** Sends what is due. Afterwards each healthy endpoint must have got everything. */
export async function deliver(world: World, mode: RoughMode): Promise<void> {
  world.system.receiver.respond = ({ path }, response) =>
    response.writeHead(path.startsWith('/rough/') ? STATUSES[mode] : 200).end()
  await world.system.sendWebhooks()
  for (const hook of world.hooks.values()) await judge(world, hook)
}

/** Starts to expect events for an endpoint that was made, enabled or changed. */
export async function expectFromNow(world: World, hook: Hook): Promise<void> {
  await catchUp(world, hook.shop)
  hook.from = hook.shop.consumer.log.length
}

const matches = (types: string, type: string) =>
  types === '*' || types === type || (types.endsWith('.*') && type.startsWith(types.slice(0, -1)))

async function judge(world: World, hook: Hook): Promise<void> {
  const { shop, path, isRough } = hook
  if (hook.from === undefined || shop.isArchived || isIgnored('webhooks')) return
  await catchUp(world, shop)
  const expected = shop.consumer.log
    .slice(hook.from)
    .filter(({ type }) => matches(hook.types, type))
  const got = world.system.receiver.received.filter((one) => one.path === path)
  for (const { body } of got) shop.shown.note(JSON.parse(body))
  const first = new Map(got.map(({ id }, i) => [id, i]).reverse() as [string, number][])
  if (isRough && (await isBehind(world, hook))) return
  const missing = expected.filter(({ id }) => !first.has(id))
  requireThat(missing.length === 0, 'webhooks', 'an endpoint has not got an event', () => ({
    ...{ path, missing },
  }))
  if (isRough) return
  const last = new Map<string, number>()
  for (const { id, uid } of expected) {
    const at = first.get(id) as number
    const isLater = uid === undefined || at > (last.get(uid) ?? -1)
    requireThat(isLater, 'webhooks', 'an endpoint got the events of a reader out of order', () => ({
      ...{ path, id, uid },
    }))
    if (uid !== undefined) last.set(uid, at)
  }
}

/** Whether an endpoint whose receiver has failed was switched off, or waits for its next attempt. */
async function isBehind({ system }: World, hook: Hook): Promise<boolean> {
  const { aid } = hook.shop
  const { read } = system.env.database
  const { state } = await read
    .selectFrom('webhook_endpoints')
    .select('state')
    .where((eb) => eb.and({ aid, id: hook.id }))
    .executeTakeFirstOrThrow()
  if (state === 'off') hook.from = undefined
  if (state !== 'on') return true
  const waiting = await read
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where((eb) => eb.and({ aid, endpoint: hook.id }))
    .where('state', '<>', 'delivered')
    .executeTakeFirst()
  return waiting !== undefined
}

/** In seconds, longer than the longest pause of an endpoint that fails. */
const PROBE_S = 2 * 3_600
/** More than the longest pause before the next attempt of an event. */
const MAX_PROBES = 16

/** Lets the receivers of all endpoints work again, until every endpoint has got everything. */
export async function settleWebhooks(world: World): Promise<void> {
  if (isIgnored('webhooks')) return
  await deliver(world, 'ok')
  if (world.system.isConcurrent) return
  for (let n = 0; n < MAX_PROBES && (await isAnyBehind(world)); n++) {
    await world.advance(PROBE_S)
    await deliver(world, 'ok')
  }
  const isBehind = await isAnyBehind(world)
  requireThat(!isBehind, 'webhooks', 'an endpoint that works again stays behind')
}

async function isAnyBehind(world: World): Promise<boolean> {
  for (const hook of world.hooks.values()) {
    if (hook.from === undefined || hook.shop.isArchived) continue
    if ((await isBehind(world, hook)) && hook.from !== undefined) return true
  }
  return false
}
