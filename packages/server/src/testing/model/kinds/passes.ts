import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import type { OperationKind } from '../operation-kind.ts'
import { requirePairs } from '../oracles.ts'
import type { Opens } from '../reference.ts'
import type { Args } from '../script.ts'
import type { World } from '../world.ts'

/** The resources that a pass may open in a history. `other/1` is no resource; a prefix opens it all the same. */
const OPENED: Readonly<Record<string, Opens>> = {
  nothing: { rids: [], prefixes: [], all: false },
  one: { rids: ['r2'], prefixes: [], all: false },
  two: { rids: ['r3', 'other/1'], prefixes: [], all: false },
  prefix: { rids: [], prefixes: ['r', 'oth'], all: false },
  nested: { rids: ['r1'], prefixes: ['other/'], all: false },
  everything: { rids: [], prefixes: [], all: true },
}

/** Changes what a resource opens, and checks at once for everybody what follows from it. */
async function open(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { rid = 'r1', what = 'nothing' } = given
  const { rids, ...rest } = OPENED[what] as Opens
  const opens = { ...rest, rids: rids.filter((one) => one !== rid) }
  const status = await setOpens(world, shop.aid, rid, opens, given)
  const isExpected = (status === 200) === (given.via === 'cli' || !shop.isArchived)
  requireThat(isExpected || world.wasCut, 'reference', `a change of a pass answered ${status}`)
  if (status === 200) shop.reference.opens.set(rid, opens)
  await requirePairs(world, shop, shop.names, ['other/1'])
  return `${status}`
}

async function setOpens(
  world: World,
  aid: string,
  rid: string,
  { rids, prefixes, all }: Opens,
  { via, app }: Args,
): Promise<number> {
  if (via !== 'cli') {
    const path = `/resources/${rid}/opens`
    const body = { rids, prefixes, all }
    const preview = await world.staff(world.shop(app), 'PUT', path, { ...body, dry_run: true })
    const { status } = await world.staff(world.shop(app), 'PUT', path, body)
    requireThat(preview.status === status, 'status', 'a preview and its change answer differently')
    return status
  }
  const named = [
    ...rids.flatMap((one) => ['--opens-rid', one]),
    ...prefixes.flatMap((one) => ['--opens-prefix', one]),
    ...(all ? ['--opens-all'] : []),
  ]
  const options = named.length === 0 ? ['--opens-nothing'] : named
  const { code } = await world.command(
    ...['resource', 'set', '--aid', aid, '--rid', rid],
    ...options,
  )
  return code === 0 ? 200 : 402
}

export const passKinds: readonly OperationKind[] = [
  {
    name: 'open',
    weight: 4,
    reaches: ['staff PUT /resources/:rid/opens', 'gatehouse resource set'],
    draw: (draw) => ({
      args: args({
        ...draw.resource(),
        what: draw.pick(Object.keys(OPENED)),
        via: draw.chance(0.2) ? 'cli' : undefined,
      }),
    }),
    play: open,
  },
]
