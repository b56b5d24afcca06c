import { requireThat } from './failure.ts'
import type { Person } from './reference.ts'
import type { Shop } from './shop.ts'
import type { World } from './world.ts'

/** A link that a reader got in the history. */
export interface ReaderLink {
  shop: Shop
  /** The uid of the reader when the link was made. */
  uid: string
  url: string
  isEnded: boolean
}

const MAX_KEPT = 60
const MAX_OPENED = 12

export function rememberLink(world: World, shop: Shop, uid: string | undefined, url: string): void {
  if (uid === undefined) return
  world.links.push({ shop, uid, url, isEnded: false })
  if (world.links.length > MAX_KEPT) world.links.shift()
}

/** Ends all links that a person has, also those of people who were merged into this one. */
export function endLinksOf(world: World, shop: Shop, { uid, aliases }: Person): void {
  for (const link of world.links) {
    if (link.shop === shop && (link.uid === uid || aliases.has(link.uid))) link.isEnded = true
  }
}

/** A link that was ended never opens again, whatever happens to its reader. */
export async function requireEndedLinks(world: World): Promise<void> {
  const ended = world.links.filter(({ isEnded }) => isEnded).slice(-MAX_OPENED)
  for (const { url, uid } of ended) {
    const { status } = await world.send('GET an ended link', url, {
      headers: { accept: 'text/html' },
    })
    requireThat(status >= 400, 'agreement', 'a link that was ended opens', () => ({
      ...{ uid, url, status },
    }))
  }
}
