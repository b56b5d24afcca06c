import { type Command, Option } from 'commander'
import type { Context, EnvironmentName } from '../../context.ts'
import { advanceClock, MAX_CLOCK_STEP, readClockOffset } from '../../domain/sandbox/clock.ts'
import {
  countEventsSince,
  type EventCounts,
  findHistoryPosition,
} from '../../domain/sandbox/event-counts.ts'
import { resetSandbox } from '../../domain/sandbox/reset.ts'
import { OperatorError } from '../../errors.ts'
import { formatTime } from '../../format-time.ts'
import { ACTOR, withContext } from '../context.ts'
import { envOption, parseDuration, parseTime } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'

/** Adds the `clock` commands and `sandbox reset`. */
export function addClockCommands(program: Command): void {
  const clock = program.command('clock').description("show and move the sandbox's clock")

  clock
    .command('show')
    .description('show the time of the clock')
    .addOption(whichClock())
    .action((options) => withContext((ctx) => show(ctx, options)))

  clock
    .command('advance')
    .argument('[duration]', 'how far to move it, like 12h, 40d or 6w', parseDuration)
    .description(
      'move the clock forward; everything that falls due on the way happens in order, with its emails',
    )
    .addOption(
      new Option('--to <time>', 'move it to this time, instead of by a duration').argParser(
        parseTime,
      ),
    )
    .addOption(whichClock())
    .action((by, options) => withContext((ctx) => advance(ctx, by, options)))

  program
    .command('sandbox')
    .description('manage the sandbox')
    .command('reset')
    .description(
      'delete everything but applications, keys, settings, resources, prices and files; the clock ' +
        'returns to real time',
    )
    .option('--yes', "confirm: this can't be undone")
    .action((options) => withContext((ctx) => reset(ctx, options)))
}

const whichClock = () =>
  envOption('sandbox is the only environment whose clock can be moved').default('sandbox')

interface ClockOptions extends Output {
  env: EnvironmentName
}

async function show(ctx: Context, options: ClockOptions): Promise<void> {
  const env = ctx.environments[options.env]
  const time = env.clock()
  const ahead = options.env === 'sandbox' ? await readClockOffset(env.database.read) : 0
  const data = { environment: env.name, time, real_time: time - ahead, ahead }
  print(options, data, () =>
    formatRecord({
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
  return parts.filter((part) => !part.startsWith('0')).join(' ') || '0s'
}

async function advance(
  ctx: Context,
  by: number | undefined,
  options: ClockOptions & { to?: number },
): Promise<void> {
  if (options.env !== 'sandbox') {
    throw new OperatorError("production's clock can't be moved; use --env sandbox")
  }
  const env = ctx.environments.sandbox
  const from = env.clock()
  const step = stepFrom(from, by, options.to)
  const mark = await findHistoryPosition(env.database.read)
  const to = await advanceClock(env, step)
  const happened = await countEventsSince(env.database.read, mark)
  print(options, { environment: env.name, from, to, ...happened }, () =>
    formatRecord({ from: formatTime(from), to: formatTime(to), ...labeled(happened) }),
  )
}

function stepFrom(from: number, by: number | undefined, to: number | undefined): number {
  if ((by === undefined) === (to === undefined)) {
    throw new OperatorError('pass either a duration like 40d, or a time like --to 2027-03-01')
  }
  const step = by ?? (to as number) - from
  if (step < 0) {
    throw new OperatorError(
      `the clock can only move forward, and it is already ${formatTime(from)}; to start over: gatehouse sandbox reset`,
    )
  }
  if (step > MAX_CLOCK_STEP)
    throw new OperatorError('the clock can move at most ten years at a time')
  return step
}

const labeled = ({ renewed, renewals_failed, subscriptions_ended, ...rest }: EventCounts) => ({
  renewed,
  'renewals failed': renewals_failed,
  'subscriptions ended': subscriptions_ended,
  'trial notices': rest.trial_notices,
  emails: rest.mails,
})

async function reset(ctx: Context, options: Output & { yes?: boolean }): Promise<void> {
  if (!options.yes) {
    throw new OperatorError(
      'this deletes all people, access, payments, subscriptions, emails and history of the sandbox; pass --yes to confirm',
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
      'Reset the sandbox. Its applications stay, with their keys, settings, resources, prices and files. ' +
      `Its clock is at ${formatTime(data.time)}.`,
  )
}
