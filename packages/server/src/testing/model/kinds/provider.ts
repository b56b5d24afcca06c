import type { DisputeTerms } from '../../stripe/bank.ts'
import type { Fault } from '../../stripe/fake-stripe.ts'
import { QUICK_FAULTS } from '../../stripe/faults.ts'
import type { FakeDispute } from '../../stripe/ledger.ts'
import { args } from '../draw.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import { syncModel } from '../sync-model.ts'
import type { World } from '../world.ts'
import { drawPayment, paymentIn } from './money.ts'

/** How a bank can dispute a charge, and the statuses to which it moves a dispute on. */
const OPENINGS: Readonly<Record<string, DisputeTerms>> = {
  opened: {},
  part: { amount: 100 },
  inquiry: { status: 'warning_needs_response' },
}
const APPEALED = 'appeal_under_review'
const MOVES: Readonly<Record<string, string>> = { won: 'won', lost: 'lost', appealed: APPEALED }

/** Opens, decides or appeals a dispute, like a bank. */
async function dispute(world: World, given: Args): Promise<string> {
  const found = await paymentIn(world, given)
  const { fake } = world.system
  const intent = found?.[1].provider_ref
  const charge = intent && fake.ledger.chargeOf(fake.ledger.intents.get(intent) as never)
  const outcome = given.outcome as string
  if (!intent || !charge) return NOT_APPLICABLE
  const terms = OPENINGS[outcome]
  if (terms) {
    if (charge.amount_refunded > 0 || (charge.disputed && outcome !== 'part')) return NOT_APPLICABLE
    fake.openDispute(intent, terms)
    return outcome
  }
  const disputes = [...fake.ledger.disputes.values()]
  const moved = disputes.findLast((one) => one.payment_intent === intent && canMove(one, outcome))
  if (!moved) return NOT_APPLICABLE
  fake.settleDispute(moved.id, MOVES[outcome] as string)
  return outcome
}

const canMove = ({ status }: FakeDispute, outcome: string): boolean =>
  (outcome === 'appealed') === (status === 'won' || status === 'lost')

async function addForeignObjects({ system }: World): Promise<string> {
  system.fake.addForeignObjects()
  return 'added'
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
    draw: drawPayment((draw) => ({
      outcome: draw.pick([...Object.keys(OPENINGS), 'opened', ...Object.keys(MOVES)]),
    })),
    play: dispute,
  },
  {
    name: 'foreign',
    weight: 1,
    reaches: [],
    draw: () => ({ args: {} }),
    play: addForeignObjects,
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
