import { randomBytes } from 'node:crypto'
import { Argument, type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { EventType } from '../../domain/events/catalogue.ts'
import { triggerSample } from '../../domain/events/trigger.ts'
import { OperatorError } from '../../errors.ts'
import { getEnvironment, withContext } from '../context.ts'
import { aidOption } from '../options.ts'
import { type Output, print } from '../output.ts'
import { withSignals } from '../signals.ts'
import { collectTypes, parseEventType } from './event-types.ts'
import { createForwarder } from './forward.ts'
import { listen } from './listen.ts'

export function addEventCommands(program: Command): void {
  const events = program.command('events').description('watch events, and try receivers of them')

  events
    .command('listen')
    .description(
      'print events as they happen, until Ctrl-C, and send them to a site on this machine',
    )
    .addOption(aidOption().makeOptionMandatory())
    .addOption(new Option('--forward-to <url>', 'where to send each event, signed like a webhook'))
    .addOption(
      new Option('--types <types...>', 'only these types of events, such as access.*').argParser(
        collectTypes,
      ),
    )
    .addOption(
      new Option('--secret <secret>', 'signs with this secret; by default a new one is printed'),
    )
    .action((options) => withContext((ctx) => startListening(ctx, options)))

  events
    .command('trigger')
    .description('make a sample event in a sandbox application')
    .addArgument(new Argument('<type>', 'the type of event').argParser(parseEventType))
    .addOption(aidOption('an application of the sandbox').makeOptionMandatory())
    .action((type, options) => withContext((ctx) => trigger(ctx, type, options)))
}

interface ListenOptions extends Output {
  aid: string
  forwardTo?: string
  types?: string[]
  secret?: string
}

async function startListening(ctx: Context, options: ListenOptions): Promise<void> {
  const { aid, forwardTo, types, json } = options
  const env = await getEnvironment(ctx, aid)
  const secret = readSecret(options.secret)
  const forwarder = forwardTo === undefined ? undefined : createForwarder(forwardTo, secret)
  const say = (text: string) => process.stderr.write(`${text}\n`)
  if (forwarder && options.secret === undefined) say(`Signing secret: ${secret}`)
  try {
    await withSignals((signal) =>
      listen(env.database, aid, {
        ...{ types, forwarder, signal, realTime: env.realTime },
        onReady: () => say(`Listening to ${aid} in ${env.name}. Stop with Ctrl-C.`),
        print: (line, data) => process.stdout.write(`${json ? JSON.stringify(data) : line}\n`),
      }),
    )
  } finally {
    forwarder?.close()
  }
}

const SECRET = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/

function readSecret(text: string | undefined): string {
  if (text === undefined) return `whsec_${randomBytes(32).toString('base64')}`
  if (!SECRET.test(text)) throw new OperatorError('--secret must be whsec_ and Base64')
  return text
}

async function trigger(ctx: Context, type: EventType, options: Output & { aid: string }) {
  const { aid } = options
  const env = await getEnvironment(ctx, aid)
  if (env.name !== 'sandbox') {
    throw new OperatorError(
      `the application ${aid} is in production; sample events are made in the sandbox only`,
    )
  }
  await env.refreshClock()
  const clocks = { now: env.clock(), realTime: env.realTime() }
  const scope = { aid, environment: env.name }
  const { id, body } = await triggerSample(env.database, scope, type, clocks)
  print(options, JSON.parse(body), () => `Made ${id}, a sample of ${type}.`)
}
