import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { previewReplay, readReplayTimes, startReplay } from '../../domain/webhooks/replay.ts'
import { formatTime } from '../../format-time.ts'
import { eventReplayRecord } from '../../records/event-replay.ts'
import { withContext } from '../context.ts'
import { parseTime } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'
import { changeBy } from './change-by.ts'
import { getWebhook } from './find-webhook.ts'

interface ReplayOptions extends Output {
  from: number
  to?: number
  all?: boolean
  dryRun?: boolean
}

/** Adds `webhook replay`. */
export function addReplayCommand(webhook: Command): void {
  webhook
    .command('replay')
    .argument('<id>', 'the endpoint')
    .description('send the events of a time range again that were not delivered')
    .addOption(
      new Option('--from <time>', 'events from this time on')
        .argParser(parseTime)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--to <time>', 'events up to this time; now by default').argParser(parseTime),
    )
    .option('--all', 'send delivered events, too')
    .option('--dry-run', 'count the events and send none of them')
    .action((id, options) => withContext((ctx) => replay(ctx, id, options)))
}

async function replay(
  ctx: Context,
  id: string,
  { from, to, all, dryRun, ...output }: ReplayOptions,
): Promise<void> {
  const { env, endpoint } = await getWebhook(ctx, id)
  const mode = all ? ('all' as const) : ('failed' as const)
  const change = changeBy(env)
  const input = { mode, ...readReplayTimes(from, to, change.realTime) }
  const preview = await previewReplay(env.database, endpoint, input)
  const started = dryRun
    ? undefined
    : await env.database.write((trx) => startReplay(trx, endpoint, input, change))
  const record = eventReplayRecord(id, input, preview, started)
  print(output, record, () => {
    const { oldest, newest } = record
    const text = formatRecord({
      ...{ ...record, from: formatTime(record.from), to: formatTime(record.to) },
      ...(oldest === undefined ? {} : { oldest: formatTime(oldest) }),
      ...(newest === undefined ? {} : { newest: formatTime(newest) }),
    })
    return `${text}\n\n${started ? 'They are sent within seconds, or when the endpoint answers again.' : 'Nothing was sent.'}`
  })
}
