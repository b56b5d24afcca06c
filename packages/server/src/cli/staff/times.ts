import type { Context } from '../../context.ts'
import { formatTime } from '../../format-time.ts'

/** Staff and tokens belong to no environment, and no simulated clock applies to them. */
export const realTimeOf = ({ environments }: Context) => environments.production.realTime()

export const formatMillis = (at: number | null) =>
  at === null ? '' : formatTime(Math.floor(at / 1000))
