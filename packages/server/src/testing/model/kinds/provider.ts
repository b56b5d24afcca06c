import type { Fault } from '../../stripe/fake-stripe.ts'
import { QUICK_FAULTS } from '../../stripe/faults.ts'
import { args } from '../draw.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import { syncModel } from '../sync-model.ts'
import type { World } from '../world.ts'
import { drawPayment, paymentIn } from './money.ts'

/** Opens or settles a dispute, like a bank. */
async function dispute(world: World, given: Args): Promise<string> {
  const found = await paymentIn(world, given)
  const { fake } = world.system
  const intent = found?.[1].provider_ref
  const charge = intent && fake.ledger.chargeOf(fake.ledger.intents.get(intent) as never)
  if (!intent || !charge) return NOT_APPLICABLE
  const open = [...fake.ledger.disputes.values()].find(
    (one) => one.payment_intent === intent && one.status === 'needs_response',
  )
  if (given.outcome === 'opened' && !charge.disputed && charge.amount_refunded === 0) {
    fake.openDispute(intent)
    return 'opened'
  }
  if (given.outcome === 'opened' || !open) return NOT_APPLICABLE
  fake.settleDispute(open.id, given.outcome as string)
  return given.outcome as string
}

async function refundAtProvider(world: World, given: Args): Promise<string> {
  const found = await paymentIn(world, given)
  const intent = found?.[1].provider_ref
  if (!intent) return NOT_APPLICABLE
  const { fake, http: wire } = world.system
  const { fault: injectFault } = fake
  fake.fault = () => undefined
  const { status } = await wire.send(`${fake.url}/v1/refunds`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${fake.secretKey}`,
      'stripe-version': fake.ledger.judge.apiVersion,
    },
    body: new URLSearchParams({ payment_intent: intent, amount: given.amount ?? '100' }).toString(),
  })
  fake.fault = injectFault
  return `${status}`
}

async function fault(world: World, given: Args): Promise<string> {
  const count = Number(given.count ?? 1)
  world.faults.push(...Array.from({ length: count }, () => given.kind as Fault))
  return 'set'
}

export const providerKinds: readonly OperationKind[] = [
  {
    name: 'dispute',
    weight: 3,
    reaches: [],
    draw: drawPayment((draw) => ({ outcome: draw.pick(['opened', 'opened', 'won', 'lost']) })),
    play: dispute,
  },
  {
    name: 'refund-at-provider',
    weight: 1,
    reaches: [],
    draw: drawPayment((draw) => ({ amount: draw.pick(['100', '250', '499']) })),
    play: refundAtProvider,
  },
  {
    name: 'fault',
    weight: 3,
    reaches: [],
    draw: (draw) => ({
      args: { kind: draw.pick(QUICK_FAULTS) as string, count: draw.pick(['1', '1', '3']) },
    }),
    play: fault,
  },
  {
    name: 'events',
    weight: 6,
    reaches: ['POST /events/:provider'],
    draw: (draw) => ({
      args: args({ how: draw.chance(0.4) ? draw.pick(['twice', 'lost', 'reversed']) : undefined }),
    }),
    async play(world, { how }) {
      const statuses = await world.deliverEvents({
        copies: how === 'twice' ? 2 : 1,
        isLost: how === 'lost',
        isReversed: how === 'reversed',
      })
      await syncModel(world)
      return statuses
    },
  },
]
