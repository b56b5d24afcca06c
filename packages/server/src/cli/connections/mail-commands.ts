import { type Command, Option } from 'commander'
import type { Context, Environment, EnvironmentName } from '../../context.ts'
import { connectMail, sendTestMail } from '../../domain/connections/mail.ts'
import { MAIL_SECURITIES } from '../../domain/connections/stored.ts'
import { viewMail } from '../../domain/connections/view.ts'
import { sender } from '../../domain/mail/sender.ts'
import { describeShortage } from '../../domain/mail/server-check.ts'
import { email } from '../../domain/users/email.ts'
import * as fields from '../../fields.ts'
import { withContext } from '../context.ts'
import { envOption, parseWith } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'
import { audited, COMMAND_LINE } from './audited.ts'
import { readSecrets } from './secret-input.ts'

interface ConnectOptions extends Output {
  env: EnvironmentName
  host: string
  port?: number
  security: keyof typeof USUAL_PORTS
  user?: string
  sender: string
}

const USUAL_PORTS = { tls: 465, starttls: 587, none: 25 } as const

/** Adds `connect` and `test` to the commands about emails. */
export function addMailConnectionCommands(mail: Command): void {
  mail
    .command('connect')
    .description(
      'connect a mail server; its password is the first line of standard input, or asked for',
    )
    .addOption(envOption().makeOptionMandatory())
    .requiredOption('--host <name>', 'the mail server, such as smtp.example.com')
    .addOption(
      new Option(
        '--port <number>',
        'default: 465 with tls, 587 with starttls, 25 with none',
      ).argParser(parseWith(fields.integer(1, 65_535, 'A port.'))),
    )
    .addOption(
      new Option('--security <kind>', 'none is allowed only on this machine')
        .choices([...MAIL_SECURITIES])
        .default('tls'),
    )
    .option('--user <name>', 'the user name, if the server requires a login')
    .addOption(
      new Option('--sender <address>', 'such as "Example Magazine <post@example.com>"')
        .argParser(parseWith(sender))
        .makeOptionMandatory(),
    )
    .action((options) => withContext((ctx) => connect(ctx, options)))

  mail
    .command('test')
    .description('send a test email through the mail server that is in use')
    .addOption(envOption().makeOptionMandatory())
    .addOption(
      new Option('--to <address>', 'who gets it').argParser(parseWith(email)).makeOptionMandatory(),
    )
    .action((options) => withContext((ctx) => test(ctx, options)))
}

async function connect(ctx: Context, options: ConnectOptions): Promise<void> {
  const { host, security, user = '', sender } = options
  const env = ctx.environments[options.env]
  const [password] = user === '' ? [''] : await readSecrets(['Password of the mail server: '])
  const port = options.port ?? USUAL_PORTS[security]
  const input = { host, port, security, user, password, sender, by: COMMAND_LINE }
  await audited(ctx, 'mail.connect', env.name, () => connectMail(env, input))
  printMail(options, env)
}

function printMail(options: Output, env: Environment): void {
  const {
    sender_domain: _,
    connected_by: by,
    connected,
    source,
    ...shown
  } = viewMail(env.connections)
  const data = { environment: env.name, source, ...shown, connected, connected_by: by }
  print(options, data, () => {
    const server = formatRecord({ environment: env.name, ...shown })
    return `${server}\n\nConnected. A running service uses it within a few seconds.`
  })
}

async function test(
  ctx: Context,
  options: Output & { env: EnvironmentName; to: string },
): Promise<void> {
  const env = ctx.environments[options.env]
  const count = await audited(ctx, 'mail.test', env.name, () => sendTestMail(env, options.to))
  const data = { environment: env.name, sent_to: options.to, connections: count ?? null }
  print(options, data, () => {
    const shortage = count && describeShortage(count)
    const sent = `Sent to ${options.to}.`
    if (!shortage) return sent
    return `${sent}\nThe server ${shortage}; set GATEHOUSE_MAIL_CONNECTIONS=${count.taken}.`
  })
}
