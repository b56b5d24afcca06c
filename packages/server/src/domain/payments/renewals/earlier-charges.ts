import type { Db } from '../../../db/database.ts'
import { getInstallationId } from '../../../db/installation.ts'
import type { Seconds } from '../../../db/tables.ts'
import { clockOffsetOf } from '../../mail/outbox.ts'
import { addPeriods } from '../../resources/periods.ts'
import { getSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions.ts'
import { clocksOf, type PaymentContext } from '../context.ts'
import type { Labels, RenewalCharge } from '../labels.ts'
import { findCurrentPayment, type PaymentRow } from '../payments.ts'
import type { LedgerCharge, PaymentFinding, PaymentProvider } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { listRecordedRefs } from '../provider-refs.ts'
import { listDismissedFindings } from '../reconcile/findings.ts'

const DAY: Seconds = 86_400
/** A retry changes nothing until staff have decided, so it can wait. */
const RETRY_AFTER_MS = 3_600_000

/** The provider has charges that may or may not pay for this period. Nothing is charged until staff decide. */
export class ChargeInDoubt extends ProviderError {
  override name = 'ChargeInDoubt'
  readonly charges: readonly LedgerCharge[]

  constructor(charges: readonly LedgerCharge[]) {
    super('earlier charges of this card may be for the same period', { retryAfter: RETRY_AFTER_MS })
    this.charges = charges
  }
}

/** Returns the identity of a renewal's charge, as its labels say at the provider. */
export async function renewalChargeOf(
  ctx: PaymentContext,
  payment: PaymentRow,
): Promise<RenewalCharge> {
  const { read } = ctx.database
  const subscriptionId = payment.subscription_id as string
  const { tries } = await getSubscription(read, payment.aid, subscriptionId)
  return {
    installation: await getInstallationId(ctx.database),
    subscriptionId,
    periodStart: payment.period_start as Seconds,
    attempt: tries,
  }
}

export const labelsOf = (payment: PaymentRow, renewal: RenewalCharge): Labels => ({
  ...renewal,
  aid: payment.aid,
  rid: payment.rid,
  uid: payment.uid,
})

/**
 * Asks the provider whether a renewal was already charged, by this order or by one that a restore or failover has
 * lost. Providers forget idempotency keys after a day, so the key alone is not enough.
 */
export async function findEarlierCharge(
  ctx: PaymentContext,
  provider: PaymentProvider,
  payment: PaymentRow,
  renewal: RenewalCharge,
): Promise<PaymentFinding | undefined> {
  const method = payment.method as string
  const ref = payment.provider_ref ?? undefined
  const wasTried = payment.attempts > 1 || ref !== undefined
  const paymentId = ref === undefined ? payment.id : undefined
  const own = wasTried ? await provider.find.payment({ paymentId, ref, method }) : undefined
  if (own) return own
  const charges = await provider.find.charges({ renewal, method })
  const found =
    charges.find(({ labels }) => labels.paymentId === payment.id) ??
    (await findUnrecordedCharge(ctx, payment, renewal, charges))
  return found && (await provider.find.payment({ paymentId: undefined, ref: found.ref, method }))
}

/** Finds a charge that was taken, or is still pending, and that has no record here. */
async function findUnrecordedCharge(
  ctx: PaymentContext,
  payment: PaymentRow,
  { installation, subscriptionId }: RenewalCharge,
  charges: readonly LedgerCharge[],
): Promise<LedgerCharge | undefined> {
  const { read } = ctx.database
  const unknown = await listUnrecorded(
    read,
    payment.provider,
    charges.filter(({ status }) => status !== 'failed'),
  )
  if (unknown.length === 0) return undefined
  const paidUntil =
    (await findCurrentPayment(read, payment.aid, subscriptionId))?.period_start ?? -1
  const lost = unknown
    .filter(({ labels }) => labels.installation === installation)
    .filter(({ labels }) => labels.subscriptionId === subscriptionId)
    .filter(({ labels }) => (labels.periodStart ?? 0) > paidUntil)
    .sort((a, b) => (a.labels.periodStart ?? 0) - (b.labels.periodStart ?? 0))
  return lost[0] ?? (await findUnlabeled(ctx, payment, unknown))
}

/** Keeps the charges that no payment here records. */
async function listUnrecorded(
  db: Db,
  provider: string,
  charges: readonly LedgerCharge[],
): Promise<LedgerCharge[]> {
  const refs = charges.map(({ ref }) => ref)
  const known = await listRecordedRefs(db, provider, refs)
  return charges.filter(({ ref }) => !known.has(ref))
}

/** Finds a charge of an older version, which did not label its purpose. A saved card belongs to one subscription,
 * so amount and time identify the charge; if they are ambiguous, staff decide. */
async function findUnlabeled(
  ctx: PaymentContext,
  payment: PaymentRow,
  unknown: readonly LedgerCharge[],
): Promise<LedgerCharge | undefined> {
  const { read } = ctx.database
  const dismissed = new Set(
    (await listDismissedFindings(read)).map(({ provider_ref }) => provider_ref),
  )
  const row = await getSubscription(read, payment.aid, payment.subscription_id as string)
  const period = realTimePeriod(ctx, row, payment)
  const candidates = unknown
    .filter((one) => isUnlabeledRenewal(one, payment) && !dismissed.has(one.ref))
    .filter(({ created }) => created >= period.starts - DAY)
  const inPeriod = candidates.filter(({ created }) => created < period.ends)
  if (candidates.length === 0) return undefined
  if (inPeriod.length !== 1) throw new ChargeInDoubt(candidates)
  return inPeriod[0]
}

export const isUnlabeledRenewal = (
  { labels, money }: LedgerCharge,
  { aid, amount, currency }: Pick<PaymentRow, 'aid' | 'amount' | 'currency'>,
) =>
  labels.subscriptionId === undefined &&
  labels.checkoutId === undefined &&
  labels.aid === aid &&
  money.amount === amount &&
  money.currency === currency

/** Returns the period in real time, which the provider's records use. */
function realTimePeriod(ctx: PaymentContext, row: SubscriptionRow, payment: PaymentRow) {
  const ahead = clockOffsetOf(clocksOf(ctx))
  const starts = payment.period_start as Seconds
  return { starts: starts - ahead, ends: addPeriods(starts, row.period) - ahead }
}
