import type { Context } from '../../context.ts'
import {
  DETACHED_MEANS,
  describeHold,
  HOLD_MEANS,
  HOLD_TODO,
} from '../../domain/installation/hold.ts'
import { formatTime } from '../../format-time.ts'
import { type Finding, ok, warning } from './checks.ts'

const CHECK = 'hold'

/** Only reads the state: `gate.check()` would also advance the generation counters. */
export async function checkHold({ gate }: Context): Promise<Finding[]> {
  const { hold, detached } = await gate.state()
  const findings: Finding[] = []
  if (hold) {
    const since = formatTime(Math.floor(hold.since / 1000))
    findings.push(
      warning(CHECK, `on hold since ${since}. ${describeHold(hold)} ${HOLD_MEANS}`, HOLD_TODO),
    )
  }
  if (detached !== undefined) findings.push(ok(CHECK, DETACHED_MEANS))
  return findings.length > 0 ? findings : [ok(CHECK, 'not on hold')]
}
