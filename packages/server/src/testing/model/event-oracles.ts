import type { ReceivedEvent } from './event-consumer.ts'
import { isIgnored, requireThat } from './failure.ts'
import { RESOURCES, type Shop } from './shop.ts'
import type { World } from './world.ts'

const PAGE = 50

/** Lets the site of an application read all events that there are. */
export async function catchUp(world: World, shop: Shop): Promise<void> {
  if (shop.isArchived) return
  const { consumer } = shop
  for (;;) {
    const after = consumer.cursor
    const { status, body, text } = await world.call(shop, 'GET', '/r2/event/search', {
      ...{ limit: PAGE, after },
    })
    requireThat(status === 200, 'events', `a cursor was answered ${status}`, () => text)
    const { data, cursor, more } = body as unknown as {
      data: ReceivedEvent[]
      cursor: string
      more: boolean
    }
    for (const event of data) consumer.take(event)
    consumer.cursor = cursor
    if (!more) return
  }
}

/** A site that knows its readers by events alone must decide as the service does. */
export async function requireEvents(world: World): Promise<void> {
  if (isIgnored('events')) return
  for (const shop of Object.values(world.shops)) {
    if (shop.isArchived) continue
    await catchUp(world, shop)
    await Promise.all([...shop.names].map((name) => requireSameDecision(world, shop, name)))
  }
}

async function requireSameDecision(world: World, shop: Shop, name: string): Promise<void> {
  const { consumer, reference } = shop
  // The site hears nothing of a silent import: neither of its changes nor of the names that came with it.
  if (consumer.importedSilently.has(reference.byRef(name)?.uid ?? name)) return
  const rids = RESOURCES.join(' ')
  const { body, text } = await world.call(shop, 'GET', '/r2/access/check', { user_ref: name, rids })
  const { checks } = body as unknown as { checks: { rid: string; granted: boolean }[] }
  for (const { rid, granted } of checks) {
    const isSame = consumer.mayRead(name, rid, world.now) === granted
    const kind = 'the service and a site that applies its events disagree'
    requireThat(isSame, 'events', kind, () => ({ name, rid, service: text, now: world.now }))
  }
}
