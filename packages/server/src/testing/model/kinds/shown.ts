import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import type { Shop } from '../shop.ts'
import type { World } from '../world.ts'
import { revoke } from './ending.ts'
import { cancel } from './money.ts'

interface Record {
  rid: string
  uid: string
  user_ref: string
  user_email: string
  status?: string
}

const SEARCHES = { revoke: '/r2/access/search', cancel: '/r2/subscription/search' }

/** Sorts without ids, which differ from one database to the other. */
const sortKey = ({ rid, uid, user_ref, user_email }: Record) =>
  [rid, user_email, user_ref === uid ? '' : user_ref].join('\n')

async function listOpen(world: World, shop: Shop, path: string): Promise<Record[]> {
  const filter = { pagesize: 1000, show_expired: true }
  const { body } = await world.call(shop, 'GET', path, filter)
  const { data = [] } = body as { data?: Record[] }
  const open = data.filter(({ status }) => status !== 'ended')
  return open.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

/** Revokes or cancels with exactly the fields that a search shows. */
async function endShown(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const verb = given.what === 'cancel' ? 'cancel' : 'revoke'
  const open = await listOpen(world, shop, SEARCHES[verb])
  const record = open[Number(given.nth ?? 0) % Math.max(1, open.length)]
  if (record === undefined) return NOT_APPLICABLE
  const { rid, user_ref: ref } = record
  const end = verb === 'cancel' ? cancel : revoke
  const outcome = await end(world, args({ app: given.app, rid, ref, refund: given.refund }))
  // Workers that run meanwhile may end it first, and a repeated request may come second.
  const isSure = !world.wasCut && !world.system.isConcurrent
  const isDone = outcome.startsWith('200')
  requireThat(isDone || !isSure, 'names', `a ${verb} with the shown fields is refused`, () => ({
    ...{ record, outcome },
  }))
  return `${verb} ${outcome}`
}

export const shownKinds: readonly OperationKind[] = [
  {
    name: 'end-shown',
    weight: 3,
    reaches: ['POST /r2/access/revoke', 'POST /r2/subscription/cancel'],
    draw: (draw) => ({
      args: args({
        app: draw.app(),
        what: draw.chance(0.5) ? 'cancel' : undefined,
        nth: draw.pick(['0', '1', '2', '5']),
        refund: draw.chance(0.4) ? 'yes' : undefined,
      }),
    }),
    play: endShown,
  },
]
