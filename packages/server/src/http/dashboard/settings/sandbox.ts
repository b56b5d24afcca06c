import { advanceClock, MAX_CLOCK_STEP } from '../../../domain/sandbox/clock.ts'
import { countEventsSince, findHistoryPosition } from '../../../domain/sandbox/event-counts.ts'
import { fail, invalid } from '../../../errors.ts'
import { EDITORS, type Route, STAFF, staffRoute } from '../route.ts'
import { ClockBody, type ClockView, type MovedClock } from './schemas.ts'

const show = staffRoute('GET /sandbox/clock', {
  allowed: STAFF,
  async handle({ ctx }): Promise<ClockView> {
    const env = ctx.environments.sandbox
    await env.refreshClock()
    const [time, ahead] = [env.clock(), env.clockOffset()]
    return { time, real_time: time - ahead, ahead }
  },
})

function stepFrom(from: number, { to, by }: { to?: number; by?: number }): number {
  if ((to === undefined) === (by === undefined)) {
    throw invalid('by', 'give either by or to')
  }
  const step = by ?? (to as number) - from
  if (step < 0) throw fail('clock_only_forward')
  if (step > MAX_CLOCK_STEP) {
    throw invalid('to', 'the clock can move by at most ten years at a time')
  }
  return step
}

const advance = staffRoute('POST /sandbox/clock', {
  allowed: EDITORS,
  action: 'sandbox.clock',
  body: ClockBody,
  async handle({ ctx, body, note }): Promise<MovedClock> {
    const env = ctx.environments.sandbox
    await env.refreshClock()
    const from = env.clock()
    const step = stepFrom(from, body)
    const mark = await findHistoryPosition(env.database.read)
    const to = await advanceClock(env, step)
    note({ from, to })
    return { from, to, ...(await countEventsSince(env.database.read, mark)) }
  },
})

export const sandboxRoutes: readonly Route[] = [show, advance]
