import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { EventType } from '../../domain/events/catalogue.ts'
import { sendTest } from '../../domain/webhooks/send-test.ts'
import { fail } from '../../errors.ts'
import { withContext } from '../context.ts'
import { parseEventType } from '../events/event-types.ts'
import { formatRecord, type Output, print } from '../output.ts'
import { getWebhook } from './find-webhook.ts'

/** Adds `webhook test`. */
export function addTestCommand(webhook: Command): void {
  webhook
    .command('test')
    .argument('<id>', 'the endpoint')
    .description('send a test event to it and print the answer')
    .addOption(
      new Option('--type <type>', 'send a sample of this type of event').argParser(parseEventType),
    )
    .action((id, options) => withContext((ctx) => test(ctx, id, options)))
}

async function test(
  ctx: Context,
  id: string,
  { type, ...output }: Output & { type?: EventType },
): Promise<void> {
  const { env, endpoint } = await getWebhook(ctx, id)
  const { webhookClient: client, name: environment, database } = env
  if (!client) throw fail('detached_copy')
  const call = { client, masterKey: ctx.masterKey, environment, type }
  const outcome = await sendTest(database.read, endpoint, call, env.realTime())
  const { status, error, response, duration_ms } = outcome
  print(output, { id, ...outcome }, () => {
    if (status === null) return `No answer: ${error}`
    const answer = formatRecord({ status, duration: `${duration_ms} ms` })
    return response ? `${answer}\n\n${response}` : answer
  })
  // A script must notice that the receiver doesn't take events.
  if (status === null || status < 200 || status > 299) process.exitCode = 1
}
