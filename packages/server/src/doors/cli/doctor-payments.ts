import type { Environment } from '../../context.ts'
import type { Seconds } from '../../db/tables.ts'
import { countFlagged, countWaiting } from '../../payments/waiting.ts'
import { type Finding, ok, warning } from './doctor-checks.ts'

/** A provider that is well answers in seconds. */
const LONG_WAIT: Seconds = 600
const RECENT: Seconds = 30 * 86_400

export async function checkPayments(env: Environment): Promise<Finding[]> {
  const check = `payments ${env.name}`
  const { read } = env.database
  const now = env.clock()
  const findings = [ok(check, whoCharges(env))]
  const { payments, refunds } = await countWaiting(read, now - LONG_WAIT)
  if (payments + refunds > 0) {
    const message = `${payments} payments and ${refunds} refunds have waited for the provider for more than 10 minutes`
    const todo =
      'see that a server runs: gatehouse serve; that it reaches the provider; and that the keys ' +
      'of the provider are right'
    findings.push(warning(check, message, todo))
  }
  const flagged = await countFlagged(read, now - RECENT)
  if (flagged > 0) {
    const message = `${flagged} payments of the last 30 days are flagged`
    const todo = `look at them with: gatehouse payment list --env ${env.name} --flagged`
    findings.push(warning(check, message, todo))
  }
  return findings
}

/** That nothing is sold is no failure. */
function whoCharges({ provider }: Environment): string {
  if (provider === undefined) {
    return (
      'not set up: nothing can be bought; to sell, set GATEHOUSE_STRIPE_SECRET_KEY and ' +
      'GATEHOUSE_STRIPE_WEBHOOK_SECRET'
    )
  }
  return provider.name === 'test' ? 'test cards, no money moves' : `by ${provider.name}`
}
