import { type Command, Option } from 'commander'
import type { Context, EnvironmentName } from '../../context.ts'
import { advanceClock, MAX_CLOCK_STEP, readClockOffset } from '../../domain/sandbox/clock.ts'
import { countSince, type EventCounts, markHistory } from '../../domain/sandbox/happened.ts'
import { resetSandbox } from '../../domain/sandbox/reset.ts'
import { OperatorError } from '../../errors.ts'
import {
  ACTOR,
  envOption,
  formatTime,
  type Output,
  parseDuration,
  parseTime,
  print,
  record,
  withContext,
} from '../shared.ts'

/** Adds the `clock` commands and `sandbox reset`. */
export function addClockCommands(program: Command): void {
  const clock = program.command('clock').description("the sandbox's clock, which can be moved")

  clock
    .command('show')
    .description('what time it is there')
    .addOption(whichClock())
    .action((options) => withContext((ctx) => show(ctx, options)))

  clock
    .command('advance')
    .argument('[duration]', 'how far, like 12h, 40d or 6w', parseDuration)
    .description('move it forward; what falls due on the way is done, in order, with its mails')
    .addOption(new Option('--to <time>', 'until then, instead of a duration').argParser(parseTime))
    .addOption(whichClock())
    .action((by, options) => withContext((ctx) => advance(ctx, by, options)))

  program
    .command('sandbox')
    .description('the environment where nothing is real')
    .command('reset')
    .description(
      'empty it but for applications, keys, settings, resources and prices; its clock goes back to ' +
        'real time',
    )
    .option('--yes', 'do it: it can not be undone')
    .action((options) => withContext((ctx) => reset(ctx, options)))
}

const whichClock = () =>
  envOption('only the sandbox has a clock that can be moved').default('sandbox')

interface ClockOptions extends Output {
  env: EnvironmentName
}

async function show(ctx: Context, options: ClockOptions): Promise<void> {
  const env = ctx.environments[options.env]
  const time = env.clock()
  const ahead = options.env === 'sandbox' ? await readClockOffset(env.database.read) : 0
  const data = { environment: env.name, time, real_time: time - ahead, ahead }
  print(options, data, () =>
    record({
      environment: env.name,
      time: formatTime(time),
      real_time: formatTime(data.real_time),
      ahead: showSpan(ahead),
    }),
  )
}

/** Formats a duration like `40d 2h 5s`. */
function showSpan(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const [hours, minutes, rest] = new Date(seconds * 1000).toISOString().slice(11, 19).split(':')
  const parts = [`${days}d`, `${Number(hours)}h`, `${Number(minutes)}m`, `${Number(rest)}s`]
  return parts.filter((part) => !part.startsWith('0')).join(' ') || 'not at all'
}

async function advance(
  ctx: Context,
  by: number | undefined,
  options: ClockOptions & { to?: number },
): Promise<void> {
  if (options.env !== 'sandbox') {
    throw new OperatorError(
      "production's clock is the real time and can't be moved; the sandbox's can",
    )
  }
  const env = ctx.environments.sandbox
  const from = env.clock()
  const step = stepFrom(from, by, options.to)
  const mark = await markHistory(env.database.read)
  const to = await advanceClock(env, step)
  const happened = await countSince(env.database.read, mark)
  print(options, { environment: env.name, from, to, ...happened }, () =>
    record({ from: formatTime(from), to: formatTime(to), ...spoken(happened) }),
  )
}

function stepFrom(from: number, by: number | undefined, to: number | undefined): number {
  if ((by === undefined) === (to === undefined)) {
    throw new OperatorError('say how far, as 40d, or until when, with --to 2027-03-01')
  }
  const step = by ?? (to as number) - from
  if (step < 0) {
    throw new OperatorError(
      `the clock only goes forward, and it is ${formatTime(from)} already; to begin again: gatehouse sandbox reset`,
    )
  }
  if (step > MAX_CLOCK_STEP) throw new OperatorError('the clock moves ten years at a time at most')
  return step
}

const spoken = ({ renewed, renewals_failed, subscriptions_ended, ...rest }: EventCounts) => ({
  renewed,
  'renewals failed': renewals_failed,
  'subscriptions ended': subscriptions_ended,
  'trial notices': rest.trial_notices,
  mails: rest.mails,
})

async function reset(ctx: Context, options: Output & { yes?: boolean }): Promise<void> {
  if (!options.yes) {
    throw new OperatorError(
      'this removes all people, access, payments, subscriptions, mails and history of the sandbox; say --yes if you mean it',
    )
  }
  const env = ctx.environments.sandbox
  const now = Math.floor(env.realTime() / 1000)
  const done = await env.database.write((trx) => resetSandbox(trx, now, ACTOR), { batch: true })
  await env.refreshClock()
  const data = { ...done, time: env.clock() }
  print(
    options,
    data,
    () =>
      `The sandbox is empty but for its ${done.applications} applications, their resources and ` +
      `prices. Its clock is at ${formatTime(data.time)}.`,
  )
}
