import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { FOREVER } from '../holdings.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import { DAY, type Shop } from '../shop.ts'
import type { World } from '../world.ts'

export async function revoke(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  if (userRef === undefined) return NOT_APPLICABLE
  const { rid = 'r1' } = given
  shop.names.add(userRef)
  const refund = given.refund === 'yes'
  const input = { rid, user_ref: userRef, refund }
  const { status, refunds } = await (REVOKE_METHODS[given.via ?? 'api'] as RevokeMethod)(
    world,
    shop,
    input,
  )
  if (shop.isArchived) return `${status}`
  const person = shop.reference.byRef(userRef)
  const holding = person && shop.reference.holding(person, rid)
  const isUnsure = holding?.isUnsure === true
  const expected = holding ? shop.reference.revoke(holding) : 404
  requireThat(
    world.wasCut || isUnsure || status === expected,
    'reference',
    `a revoke must be a ${expected}`,
    () => ({
      rid,
      userRef,
      status,
    }),
  )
  return `${status} ${refunds}`
}

interface Revoked {
  status: number
  refunds: number
}

type RevokeInput = { rid: string; user_ref: string; refund: boolean }

type RevokeMethod = (world: World, shop: Shop, input: RevokeInput) => Promise<Revoked>

const REVOKE_METHODS: Record<string, RevokeMethod> = {
  async api(world, shop, input) {
    const { status, body } = await world.call(shop, 'POST', '/r2/access/revoke', input)
    return { status, refunds: (body.refunds as unknown[] | undefined)?.length ?? 0 }
  },
  async dashboard(world, shop, input) {
    const id = await findAccessId(world, shop, input)
    if (id === undefined) return { status: 404, refunds: 0 }
    const { refund } = input
    const { status, body } = await world.staff(shop, 'POST', `/access/${id}/revoke`, { refund })
    return { status, refunds: (body.refunds as unknown[] | undefined)?.length ?? 0 }
  },
  async selection(world, shop, input) {
    const id = await findAccessId(world, shop, input)
    if (id === undefined) return { status: 404, refunds: 0 }
    const selected = { ids: [id], refund: input.refund }
    const { body } = await world.staff(shop, 'POST', '/access/revoke-many', selected)
    const { revoked, refunds } = body as { revoked?: number; refunds?: number }
    return { status: revoked === 1 ? 200 : 404, refunds: refunds ?? 0 }
  },
  async cli(world, { aid }, { rid, user_ref, refund }) {
    const { code, stdout } = await world.command(
      ...['access', 'revoke', '--aid', aid, '--rid', rid, '--user-ref', user_ref],
      ...(refund ? ['--refund'] : []),
      '--json',
    )
    // If a refund fails, access is revoked anyway, but the command exits with 1.
    const isDone = stdout.trim().startsWith('{')
    if (!isDone) return { status: code === 0 ? 200 : 404, refunds: 0 }
    const { refunds } = JSON.parse(stdout) as { refunds?: unknown[] }
    return { status: 200, refunds: refunds?.length ?? 0 }
  },
}

/** The dashboard addresses records by id; staff find it in a list. */
async function findAccessId(
  world: World,
  shop: Shop,
  { rid, user_ref }: { rid: string; user_ref: string },
): Promise<string | undefined> {
  const named = { rid, user_ref, show_expired: true }
  const { body } = await world.call(shop, 'GET', '/r2/access/search', named)
  const { data = [] } = body as { data?: { id: string }[] }
  return data[0]?.id
}

/** Changes the end of a record, as staff do on its page. */
async function extend(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  if (userRef === undefined) return NOT_APPLICABLE
  const { rid = 'r1', days } = given
  shop.names.add(userRef)
  const id = await findAccessId(world, shop, { rid, user_ref: userRef })
  const person = shop.reference.byRef(userRef)
  if (id === undefined || person === undefined) return NOT_APPLICABLE
  const expires = days === undefined ? undefined : world.now + Number(days) * DAY
  const input = expires === undefined ? { expires: null } : { expires }
  const { status } = await world.staff(shop, 'POST', `/access/${id}/extend`, input)
  const { email } = person
  const expected =
    email === undefined
      ? 400
      : shop.reference.grant(rid, email, undefined, expires ?? FOREVER).status
  requireThat(
    world.wasCut || status === expected,
    'reference',
    `extending access must be a ${expected}`,
    () => ({ rid, userRef, status }),
  )
  return `${status}`
}

/** Operations that end access, or change when it ends. */
export const endingKinds: readonly OperationKind[] = [
  {
    name: 'revoke',
    weight: 6,
    reaches: [
      'POST /r2/access/revoke',
      'gatehouse access revoke',
      'staff POST /access/:id/revoke',
      'staff POST /access/revoke-many',
    ],
    draw: (draw) => ({
      args: args({
        ...draw.resource(),
        ref: draw.ref(0.4),
        refund: draw.chance(0.4) ? 'yes' : undefined,
        via: draw.chance(0.3)
          ? draw.pick(['dashboard', 'dashboard', 'selection', 'selection', 'cli'])
          : undefined,
      }),
    }),
    play: revoke,
  },
  {
    name: 'extend',
    weight: 3,
    reaches: ['staff POST /access/:id/extend'],
    draw: (draw) => ({
      args: args({
        ...draw.resource(),
        ref: draw.ref(0.4),
        days: draw.chance(0.7) ? draw.pick(['-1', '3', '30', '90']) : undefined,
      }),
    }),
    play: extend,
  },
]
