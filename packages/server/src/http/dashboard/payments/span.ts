import type { Environment } from '../../../context.ts'
import { getApplication } from '../../../domain/apps/applications.ts'
import { spanOfDays } from '../../../domain/figures/ranges.ts'

/** Reads the days of a list as moments, in the application's time zone. */
export async function readSpan(
  env: Environment,
  aid: string,
  days: { first?: string; last?: string },
): Promise<{ from: number; to: number }> {
  const { time_zone } = await getApplication(env.database.read, aid)
  return spanOfDays(time_zone, days, env.clock())
}
