import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import type { OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import type { Shop } from '../shop.ts'
import type { World } from '../world.ts'

interface Item {
  status: string
  rid: string
}

/** Gives an application a counterpart in the sandbox, unless it has one. */
async function pair(world: World, shop: Shop, byCommand: boolean): Promise<number> {
  const { body } = await world.staff(shop, 'GET', '/pair')
  if (body.pair !== null) return 200
  if (!byCommand) return (await world.staff(shop, 'PUT', '/pair', {})).status
  const { code } = await world.command('app', 'pair', shop.aid, '--new')
  return code === 0 ? 200 : 402
}

async function unpair(world: World, shop: Shop, byCommand: boolean): Promise<void> {
  if (byCommand) await world.command('app', 'unpair', shop.aid)
  else await world.staff(shop, 'DELETE', '/pair')
  const { body } = await world.staff(shop, 'GET', '/pair')
  requireThat(body.pair === null, 'reference', 'a pairing was not ended')
}

/** Copies what an application has to its counterpart. Nothing is left to copy then, in either direction. */
async function copy(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const byCommand = given.by === 'cli'
  const paired = await pair(world, shop, byCommand)
  if (shop.isArchived || (paired !== 200 && world.wasCut)) return 'refused'
  requireThat(paired === 200, 'reference', `an application could not be paired: ${paired}`)
  const { body: before } = await world.staff(shop, 'GET', '/copy')
  if (byCommand) {
    const { code, stderr } = await world.command('app', 'copy', shop.aid, '--to', 'sandbox')
    requireThat(code === 0, 'reference', 'a copy by command failed', () => stderr)
  } else {
    const input = { version: before.version, brand: true, templates: true }
    const { status, text } = await world.staff(shop, 'POST', '/copy', input)
    requireThat(
      world.wasCut || (status === 200 && text.includes('"done"')),
      'reference',
      `a copy answered ${status}`,
      () => text.slice(0, 400),
    )
  }
  if (!world.wasCut) await requireSame(world, shop)
  if (given.end === 'yes') await unpair(world, shop, byCommand)
  return `copied ${(before.items as Item[]).length}`
}

async function requireSame(world: World, shop: Shop): Promise<void> {
  const { body } = await world.staff(shop, 'GET', '/copy')
  const left = (body.items as Item[]).filter(
    ({ status }) => status !== 'same' && status !== 'blocked',
  )
  requireThat(left.length === 0, 'agreement', 'something is left to copy', () => left)
}

/** Copies to the sandbox, which never changes who may have what. */
export const copyingKinds: readonly OperationKind[] = [
  {
    name: 'copy',
    weight: 0.3,
    reaches: [
      'staff PUT /pair',
      'staff DELETE /pair',
      'staff POST /copy',
      'gatehouse app pair',
      'gatehouse app unpair',
      'gatehouse app copy',
    ],
    draw: (draw) => ({
      args: args({
        app: draw.app(),
        by: draw.chance(0.3) ? 'cli' : undefined,
        end: draw.chance(0.3) ? 'yes' : undefined,
      }),
    }),
    play: copy,
  },
]
