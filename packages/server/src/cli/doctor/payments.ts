import type { Environment } from '../../context.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { listApplications } from '../../domain/apps/applications.ts'
import { readApiUsage } from '../../domain/payments/api-usage.ts'
import { isEventOverdue, readEventArrival } from '../../domain/payments/event-arrival.ts'
import { countFlagged, countPending } from '../../domain/payments/orders/pending-counts.ts'
import { ProviderError, type ProviderErrorKind } from '../../domain/payments/provider-error.ts'
import { askAboutAccount, listProviderProblems } from '../../domain/payments/provider-problems.ts'
import { listOpenFindings } from '../../domain/payments/reconcile/findings.ts'
import { findLastReconciliation } from '../../domain/payments/reconcile/reconcile.ts'
import { formatTime } from '../../format-time.ts'
import { type Finding, failed, ok, warning } from './checks.ts'

/** A healthy provider answers within seconds. */
const LONG_WAIT: Seconds = 600
const RECENT: Seconds = 30 * 86_400

export async function checkPayments(env: Environment): Promise<Finding[]> {
  const check = `payments ${env.name}`
  const { read } = env.database
  const now = env.clock()
  const findings = [
    await checkProvider(check, env),
    ...(await checkReads(check, env)),
    ...(await checkEvents(check, env)),
    ...(await checkReconciliation(check, env)),
    ...(await describeProviderProblems(check, env)),
  ]
  const { payments, refunds } = await countPending(read, now - LONG_WAIT)
  if (payments + refunds > 0) {
    const message = `${payments} payments and ${refunds} refunds have been waiting for the provider for more than 10 minutes`
    const todo =
      'make sure that the service runs (gatehouse serve), that it can reach the provider, and that ' +
      "the provider's keys are right"
    findings.push(warning(check, message, todo))
  }
  const flagged = await countFlagged(read, now - RECENT)
  if (flagged > 0) {
    const message = `${flagged} payments of the last 30 days are flagged`
    const todo = `list them with: gatehouse payment list --env ${env.name} --flagged`
    findings.push(warning(check, message, todo))
  }
  return findings
}

/** A command changes nothing, so what the provider says of the account is not stored. */
async function describeProviderProblems(check: string, env: Environment): Promise<Finding[]> {
  const { read } = env.database
  const aids = (await listApplications(read)).map(({ aid }) => aid)
  const problems = await listProviderProblems(read, env, aids, await askAboutAccount(env))
  return problems.map(({ text }) => warning(check, text, 'afterwards, run gatehouse doctor again'))
}

const ADVICE: Record<ProviderErrorKind, string> = {
  key_refused: 'create a new key in the same account, and set it in the setting that is named',
  no_permission: 'give the key the permissions that docs/sell/stripe.md lists',
  unreachable:
    'make sure that this machine can reach the provider: check network, DNS, proxy and clock',
}

/** Makes a harmless request to the provider. Having no provider is not a failure. */
async function checkProvider(check: string, { provider }: Environment): Promise<Finding> {
  if (provider === undefined) {
    return ok(
      check,
      'not connected, so nothing can be sold; to sell, connect Stripe in the dashboard, or with: gatehouse payments connect',
    )
  }
  if (provider.name === 'test') return ok(check, 'test cards; no real money moves')
  try {
    await provider.check()
    return ok(check, `${provider.name} responds`)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const todo = error.kind ? ADVICE[error.kind] : 'try again; the provider may have an outage'
    return failed(check, `${provider.name} can't be used: ${error.message}`, todo)
  }
}

/** Compares what was read from the provider with what it allows. */
async function checkReads(check: string, env: Environment): Promise<Finding[]> {
  const usage = await readApiUsage(env)
  if (!usage) return []
  const [reads, allowed] = [usage.reads, usage.allowed].map((n) => n.toLocaleString('en'))
  const message = `${env.provider?.name}: ${reads} of ${allowed} reads in 30 days`
  if (!usage.isHigh) return [ok(check, message)]
  const todo =
    'make sure that events arrive; if they do, ask the provider for a higher limit: see ' +
    '"How much Gatehouse asks Stripe" in docs/sell/stripe.md'
  return [warning(check, message, todo)]
}

/** Reports events that are missing. The provider is asked more often then. */
async function checkEvents(check: string, env: Environment): Promise<Finding[]> {
  const arrival = await readEventArrival(env.database.read)
  const { last, missingSince } = arrival
  if (missingSince === undefined || !isEventOverdue(arrival, env.realTime())) return []
  const seen = last === undefined ? 'none has come' : `the last one came at ${formatMillis(last)}`
  const message = `the provider's events don't arrive: ${seen}, and one has been missing since ${formatMillis(missingSince)}`
  const todo =
    'payments are settled by asking, only later; compare the address and the signing secret of the webhook with ' +
    'docs/sell/stripe.md, and look in the provider’s dashboard at why its deliveries fail'
  return [warning(check, message, todo)]
}

const formatMillis = (time: Millis) => formatTime(Math.floor(time / 1000))

/** Reconciliation runs daily; the second day allows for an outage of the provider. */
const LONG_UNCOMPARED: Seconds = 2 * 86_400

/** Checks that reconciliation with the provider runs, and reports its open findings. */
async function checkReconciliation(check: string, env: Environment): Promise<Finding[]> {
  if (!env.provider?.ledger) return []
  const findings: Finding[] = []
  const open = await listOpenFindings(env.database.read)
  const how = `gatehouse payment reconcile --env ${env.name}`
  for (const { id, kind, message } of open) {
    const dismiss = `gatehouse payment dismiss ${id}`
    findings.push(
      kind === 'order_waiting'
        ? warning(check, message, `do what it says; to try again at once: ${dismiss}`)
        : warning(
            check,
            `reconciliation: ${message}`,
            `list all with: ${how}; when it is resolved: ${dismiss}`,
          ),
    )
  }
  const last = await findLastReconciliation(env)
  const isLate = last !== undefined && env.realTime() / 1000 - last > LONG_UNCOMPARED
  if (isLate) {
    const message = `the records of ${env.provider.name} were last compared with ours at ${formatTime(last)}`
    findings.push(warning(check, message, `find out why with: ${how}`))
  }
  return findings
}
