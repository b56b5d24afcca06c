import type { EventConsumer, ReceivedEvent } from './event-consumer.ts'
import { isIgnored, requireThat } from './failure.ts'
import { RESOURCES, type Shop } from './shop.ts'
import type { World } from './world.ts'

const PAGE = 50

interface Page {
  data: ReceivedEvent[]
  cursor: string
  more: boolean
}

/** Lets the site of an application read all events that there are. */
export async function catchUp(world: World, shop: Shop): Promise<void> {
  if (shop.isArchived) return
  const { consumer } = shop
  for (;;) {
    const after = consumer.cursor
    const { status, body, text } = await world.call(shop, 'GET', '/r2/event/search', {
      ...{ limit: PAGE, after },
    })
    const isKnown = status === 200 || (status === 400 && consumer.mayRepeat)
    requireThat(isKnown, 'events', `a cursor was answered ${status}`, () => text)
    if (status !== 200) {
      consumer.cursor = undefined
      continue
    }
    const { data, cursor, more } = body as unknown as Page
    const count = positionOf(cursor) - positionOf(after)
    const isWhole = after === undefined || consumer.mayRepeat || data.length === count
    requireThat(isWhole, 'events', 'a page lacks an event', () => ({ after, text }))
    for (const event of data) consumer.take(event)
    consumer.cursor = cursor
    if (!more) break
  }
  consumer.mayRepeat = false
}

/** A cursor begins with the number of its event. */
const positionOf = (cursor = '0') => Number.parseInt(cursor, 10)

/** Gives the site that gets webhooks what has arrived. */
function receiveWebhooks({ system: { receiver } }: World, { mirror }: Shop): void {
  const arrived = receiver.received.filter(({ path }) => path === mirror.path)
  for (const { body } of arrived.slice(mirror.taken)) mirror.consumer.take(JSON.parse(body))
  mirror.taken = arrived.length
}

/** A site that knows its readers by events alone must decide as the service does. */
export async function requireEvents(world: World): Promise<void> {
  if (isIgnored('events')) return
  for (const shop of Object.values(world.shops)) {
    if (shop.isArchived) continue
    await catchUp(world, shop)
    await requireSameDecisions(world, shop, shop.consumer)
  }
}

/** So must a site that gets its events by webhooks, once all of them have arrived. */
export async function requireMirrors(world: World): Promise<void> {
  if (isIgnored('events')) return
  for (const shop of Object.values(world.shops)) {
    if (shop.isArchived) continue
    await catchUp(world, shop)
    receiveWebhooks(world, shop)
    const { consumer } = shop.mirror
    // Webhooks about resources come in no order.
    consumer.opens = shop.consumer.opens
    await requireSameDecisions(world, shop, consumer)
  }
}

const requireSameDecisions = (world: World, shop: Shop, consumer: EventConsumer) =>
  Promise.all([...shop.names].map((name) => requireSameDecision(world, shop, consumer, name)))

async function requireSameDecision(
  world: World,
  shop: Shop,
  consumer: EventConsumer,
  name: string,
): Promise<void> {
  const { reference } = shop
  // The site hears nothing of a silent import: neither of its changes nor of the names that came with it.
  if (shop.consumer.importedSilently.has(reference.byRef(name)?.uid ?? name)) return
  const rids = RESOURCES.join(' ')
  const { body, text } = await world.call(shop, 'GET', '/r2/access/check', { user_ref: name, rids })
  const { checks } = body as unknown as { checks: { rid: string; granted: boolean }[] }
  for (const { rid, granted } of checks) {
    const isSame = consumer.mayRead(name, rid, world.now) === granted
    const kind = `the service and a site that applies its events, by ${consumer.via}, disagree`
    requireThat(isSame, 'events', kind, () => ({ name, rid, service: text, now: world.now }))
  }
}
