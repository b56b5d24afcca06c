import { args, type Draw } from '../draw.ts'
import { requireThat } from '../failure.ts'
import type { OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import type { Shop } from '../shop.ts'
import type { World } from '../world.ts'

/** Changes a person through the dashboard or the command line; both identify the person by the uid. */
export async function change(
  world: World,
  shop: Shop,
  via: string | undefined,
  input: { method: string; path: string; body?: unknown; command: readonly string[] },
): Promise<boolean> {
  if (via !== 'cli') {
    const { status, text } = await world.staff(shop, input.method, input.path, input.body)
    const isKnown = [200, 400, 401, 402, 404, 409].includes(status)
    requireThat(isKnown, 'status', `${input.command[1]} answered ${status}`, () => text)
    return status === 200
  }
  const { code } = await world.command(...input.command, '--uid', '--aid', shop.aid)
  return code === 0
}

/** Returns whether a change must be refused: the dashboard shows an archived application, but changes nothing in it. */
export function isShut(shop: Shop, via: string | undefined, isDone: boolean): boolean {
  if (!shop.isArchived || via === 'cli') return false
  requireThat(!isDone, 'reference', 'the dashboard changes an archived application')
  return true
}

export const subject = (world: World, given: Args, name = 'who') => {
  const shop = world.shop(given.app)
  const uid = world.text(given[name])
  return { shop, uid, person: uid === undefined ? undefined : shop.reference.byUid(uid) }
}

export const via = (draw: Draw) => (draw.chance(0.08) ? 'cli' : undefined)

/** An operation on somebody whom an earlier operation has returned. */
export const about =
  (more: (draw: Draw) => Record<string, string | undefined> = () => ({})): OperationKind['draw'] =>
  (draw) => {
    const who = draw.person()
    if (who === undefined) return undefined
    return { args: args({ app: draw.app(), who, ...more(draw), via: via(draw) }) }
  }
