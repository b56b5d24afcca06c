import { readMeta, setMeta } from '../../../db/meta.ts'
import type { FindingTable, Seconds } from '../../../db/tables.ts'
import { listApplications } from '../../apps/applications.ts'
import type { PaymentContext } from '../context.ts'
import { findPayment } from '../payments.ts'
import type { LedgerCharge } from '../provider.ts'
import { findRefund } from '../refunds/refunds.ts'
import { adoptCharge, compareCharge, findPaymentOfCharge } from './charges.ts'
import { type ComparisonContext, isOwnObject, loadComparisonContext } from './comparison.ts'
import {
  dropFindings,
  type Finding,
  listDismissedFindings,
  listOpenFindings,
  type OpenFinding,
  recordFindings,
  subjectOf,
} from './findings.ts'
import { holdLease, type ReconciliationLease } from './lease.ts'
import { type ComparisonOutcome, compareReadable } from './outcome.ts'
import {
  compareDisputes,
  compareUnlisted,
  listDisputedRefs,
  listTakenPayments,
} from './payments.ts'
import { compareListedRefund } from './refunds.ts'

export type { Finding } from './findings.ts'

/** Result of comparing the provider's records with ours. */
export interface Reconciliation {
  /** Start of the compared time span, in real time. */
  since: Seconds
  /** How many charges of ours the provider has. */
  charges: number
  /** Differences that were repaired. */
  repaired: Finding[]
  /** Differences that staff have to decide on. */
  open: Finding[]
}

const DAY: Seconds = 86_400
/** How far the first comparison goes back. */
const FIRST_SPAN_S: Seconds = 90 * DAY
/** Records are compared again for this long, because refunds and slow charges still change for some days. */
const OVERLAP_S: Seconds = 7 * DAY
const INTERVAL_S: Seconds = DAY

const LAST_RUN_KEY = 'reconciled_at'
/** The start of a comparison that was begun and has not been finished: what it recorded must not hide the rest. */
const UNFINISHED_KEY = 'reconciling_since'

export async function isReconciliationDue({
  database,
  provider,
  realTime,
}: PaymentContext): Promise<boolean> {
  if (!provider?.ledger) return false
  const last = Number((await readMeta(database.read, LAST_RUN_KEY)) ?? 0)
  return realTime() / 1000 >= last + INTERVAL_S
}

/** Returns the start time of the last completed comparison; undefined if there is none. */
export async function findLastReconciliation({
  database,
}: PaymentContext): Promise<Seconds | undefined> {
  const last = await readMeta(database.read, LAST_RUN_KEY)
  return last === undefined ? undefined : Number(last)
}

/**
 * Compares the provider's records with ours and repairs what is certain. Everything else becomes a finding for staff.
 * Only one process runs it at a time; it can be interrupted and repeated at any time.
 */
export async function reconcile(
  ctx: PaymentContext,
  options: { since?: Seconds },
): Promise<Reconciliation> {
  const begun = Math.floor(ctx.realTime() / 1000)
  const since = options.since ?? (await nextStart(ctx, begun))
  const comparison = await loadComparisonContext(ctx)
  if (!comparison) return { since, charges: 0, repaired: [], open: [] }
  const lease = await holdLease(ctx)
  try {
    if (options.since === undefined) {
      await lease.write((trx) => setMeta(trx, UNFINISHED_KEY, String(since)))
    }
    const found = await compare(comparison, since, lease)
    const open = await withoutDismissed(ctx, found.open)
    await storeFindings(ctx, lease, since, open)
    await lease.write(async (trx) => {
      await setMeta(trx, LAST_RUN_KEY, String(begun))
      if (options.since === undefined) await setMeta(trx, UNFINISHED_KEY, '')
    })
    return { since, ...found, open: open.map(withoutTime) }
  } finally {
    await lease.release()
  }
}

const withoutTime = ({ at: _, ...finding }: OpenFinding): Finding => finding

/** Returns the start of the next comparison: before the last one, and no later than the oldest open finding, which may be
 * settled by now. Without an earlier comparison it also covers everything since the last recorded payment: a restored
 * backup may be older than `FIRST_SPAN_S`. */
async function nextStart(ctx: PaymentContext, now: Seconds): Promise<Seconds> {
  const last = await findLastReconciliation(ctx)
  const open = await listOpenFindings(ctx.database.read)
  const start =
    last === undefined
      ? Math.min(now - FIRST_SPAN_S, await lastRecorded(ctx, now))
      : last - OVERLAP_S
  const unfinished = (await readMeta(ctx.database.read, UNFINISHED_KEY)) || String(start)
  return Math.max(0, Math.min(start, Number(unfinished), ...open.map(({ at }) => at)))
}

/** Returns the real time of the last recorded payment, less the overlap. */
async function lastRecorded({ database, clock }: PaymentContext, now: Seconds): Promise<Seconds> {
  let last: Seconds | undefined
  for (const { aid } of await listApplications(database.read)) {
    const { at } = await database.read
      .selectFrom('payments')
      .select((eb) => eb.fn.max('created').as('at'))
      .where('aid', '=', aid)
      .executeTakeFirstOrThrow()
    if (at !== null) last = Math.max(last ?? 0, Number(at))
  }
  const ahead = clock() - now
  return last === undefined ? now : last - ahead - OVERLAP_S
}

interface Found {
  charges: number
  repaired: Finding[]
  open: OpenFinding[]
}

async function compare(
  comparison: ComparisonContext,
  since: Seconds,
  lease: ReconciliationLease,
): Promise<Found> {
  const found: Found = { charges: 0, repaired: [], open: [] }
  const note = (outcome: ComparisonOutcome) => {
    lease.requireHeld()
    if (outcome?.isRepaired) found.repaired.push(outcome.finding)
    else if (outcome) found.open.push(outcome.finding)
  }
  const { ledger } = comparison
  const seen = await compareCharges(comparison, since, found, note)
  for await (const payment of listTakenPayments(comparison, since)) {
    if (seen.has(payment.provider_ref ?? '')) continue
    note(await compareUnlisted(comparison, payment, since))
  }
  for await (const refund of ledger.refunds(since)) {
    note(await compareListedRefund(comparison, refund, since))
  }
  const disputed = new Set(await listDisputedRefs(comparison))
  for await (const ref of ledger.disputes(since)) disputed.add(ref)
  for (const ref of disputed) note(await compareDisputes(comparison, ref, since))
  return found
}

/** Returns the provider's ids of the charges that were taken, or that can't be read. */
async function compareCharges(
  comparison: ComparisonContext,
  since: Seconds,
  found: Found,
  note: (outcome: ComparisonOutcome) => void,
): Promise<Set<string>> {
  const { ctx, provider, ledger } = comparison
  const seen = new Set<string>()
  const unknown: LedgerCharge[] = []
  for await (const listed of ledger.charges(since)) {
    const { ref, labels, created = since } = listed
    if (!isOwnObject(comparison, labels)) continue
    const compareListed = async (): Promise<ComparisonOutcome> => {
      const charge = listed.read()
      if (charge.status !== 'succeeded') return undefined
      found.charges++
      seen.add(ref)
      const payment = await findPaymentOfCharge(ctx.database.read, provider.name, charge)
      if (payment) return await compareCharge(comparison, charge, payment)
      unknown.push(charge)
    }
    const outcome = await compareReadable({ aid: labels.aid, at: created }, compareListed)
    if (outcome?.finding.kind === 'object_unreadable') seen.add(ref)
    note(outcome)
  }
  // Oldest first, because a period must be paid before the next one.
  unknown.sort((a, b) => a.created - b.created || periodOf(a) - periodOf(b))
  for (const charge of unknown) {
    const owner = { aid: charge.labels.aid, at: charge.created }
    note(await compareReadable(owner, () => adoptCharge(comparison, charge)))
  }
  return seen
}

const periodOf = ({ labels }: LedgerCharge) => labels.periodStart ?? 0

const findingKey = (kind: string, subject: string) => `${kind} ${subject}`

/** Removes findings that staff have already dismissed. */
async function withoutDismissed(
  { database }: PaymentContext,
  open: readonly OpenFinding[],
): Promise<OpenFinding[]> {
  const dismissed = new Set(
    (await listDismissedFindings(database.read)).map(({ kind, subject }) =>
      findingKey(kind, subject),
    ),
  )
  return open.filter((one) => !dismissed.has(findingKey(one.kind, subjectOf(one))))
}

/** Stores what was found, and deletes earlier findings that no longer apply. */
async function storeFindings(
  ctx: PaymentContext,
  lease: ReconciliationLease,
  since: Seconds,
  open: readonly OpenFinding[],
): Promise<void> {
  const current = new Set(open.map((one) => findingKey(one.kind, subjectOf(one))))
  const gone: string[] = []
  for (const row of await listOpenFindings(ctx.database.read)) {
    const isAboutOrder = row.kind === 'charge_in_doubt' || row.kind === 'order_waiting'
    const isGone = isAboutOrder
      ? !(await isPending(ctx, row))
      : row.at >= since && !current.has(findingKey(row.kind, row.subject))
    if (isGone) gone.push(row.id)
  }
  await lease.write(async (trx) => {
    await dropFindings(trx, gone)
    await recordFindings(trx, open, ctx.realTime())
  })
}

/** Whether the order that a finding is about still waits for its outcome. */
async function isPending(
  { database: { read } }: PaymentContext,
  { aid, subject, payment_id }: FindingTable,
): Promise<boolean> {
  if (aid === null || payment_id === null) return false
  const order = (await findRefund(read, aid, subject)) ?? (await findPayment(read, aid, payment_id))
  return order?.status === 'pending'
}
