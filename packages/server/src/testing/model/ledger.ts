import { listOpenFindings } from '../../domain/payments/reconcile/findings.ts'
import type { FakeCharge } from '../stripe/ledger.ts'
import { requireThat } from './failure.ts'
import { DAY, PRICES } from './shop.ts'
import type { World } from './world.ts'

interface Row {
  id: string
  uid: string
  flag: string | null
  refunded: number
  status: string
  erased: number | null
}

/** Compares the provider's ledger, which no restore turns back, with ours. */
export async function requireLedger(world: World): Promise<void> {
  const charges = await ownCharges(world)
  const rows = await paymentRows(world)
  for (const charge of charges) {
    const row = rows.get(charge.metadata.gatehouse_payment ?? '')
    if (row) await requireOwner(world, charge, row)
    else await requireAsked(world, charge)
  }
  requireNoPeriodTwice(world, charges)
}

/** A charge without a payment is allowed only after a restore, and only if staff are asked about it: a free trial that
 * began after the backup left nothing at the provider from which its subscription could be rebuilt. */
async function requireAsked(world: World, charge: FakeCharge): Promise<void> {
  const findings = await listOpenFindings(world.system.env.database.read)
  const isAsked = findings.some(({ provider_ref }) => provider_ref === charge.payment_intent)
  requireThat(world.wasRestored && isAsked, 'ledger', 'a charge has no payment', () => ({ charge }))
}

/** The charges of this history's applications. */
async function ownCharges(world: World): Promise<FakeCharge[]> {
  const aids = new Set(Object.values(world.shops).map(({ aid }) => aid))
  return [...world.system.fake.ledger.charges.values()].filter(
    ({ paid, metadata }) => paid && aids.has(metadata.gatehouse_aid ?? ''),
  )
}

async function paymentRows(world: World): Promise<Map<string, Row>> {
  const aids = Object.values(world.shops).map(({ aid }) => aid)
  const rows = await world.system.env.database.read
    .selectFrom('payments as p')
    .leftJoin('users as u', (join) =>
      join.onRef('u.aid', '=', 'p.aid').onRef('u.uid', '=', 'p.uid'),
    )
    .select(['p.id', 'p.uid', 'p.flag', 'p.refunded', 'p.status', 'u.erased'])
    .where('p.aid', 'in', aids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Money that was kept must belong to somebody who was not erased before, and who got a receipt. */
async function requireOwner(world: World, charge: FakeCharge, row: Row): Promise<void> {
  const isRefunded = charge.amount_refunded === charge.amount || charge.disputed
  const mails = await world.system.env.database.read
    .selectFrom('outbox')
    .select(['kind', 'uid'])
    .where('key', '=', `receipt:${row.id}`)
    .execute()
  const about = () => ({ charge, row, mails })
  const isPaidBack = row.flag === null || row.flag === 'mismatch' || isRefunded
  requireThat(isPaidBack, 'ledger', 'money that opened nothing was not paid back', about)
  if (isRefunded || row.flag !== null) return
  requireThat(mails.length === 1, 'ledger', 'somebody was charged and not told', about)
  const { created = 0 } = world.system.fake.ledger.intents.get(charge.payment_intent) ?? {}
  const isOwned = row.erased === null || created <= row.erased
  requireThat(isOwned, 'ledger', 'an erased person was charged', about)
}

/** Each customer at the provider has one subscription, so two charges within a period pay for it twice. */
function requireNoPeriodTwice(world: World, charges: readonly FakeCharge[]): void {
  const { ledger } = world.system.fake
  const byCustomer = new Map<string, { created: number; charge: FakeCharge }[]>()
  for (const charge of charges) {
    const intent = ledger.intents.get(charge.payment_intent)
    if (!intent?.customer || charge.amount_refunded === charge.amount) continue
    const all = byCustomer.get(intent.customer) ?? []
    all.push({ created: intent.created, charge })
    byCustomer.set(intent.customer, all)
  }
  for (const all of byCustomer.values()) {
    const sorted = all.sort((a, b) => a.created - b.created)
    for (const [i, { created, charge }] of sorted.entries()) {
      const gap = i === 0 ? Number.POSITIVE_INFINITY : created - (sorted[i - 1]?.created ?? 0)
      requireThat(gap >= MIN_GAP, 'ledger', 'a period was charged twice', () => ({ gap, charge }))
    }
  }
}

/** The shortest time between two renewals: the first one may be paid on the last day of its grace period. */
const GRACE_DAYS = 8
const MIN_GAP = (PRICES.abo?.seconds ?? 0) - GRACE_DAYS * DAY
