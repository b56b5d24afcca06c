import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { environmentVariables, readConfig } from '../config/config.ts'
import { Failure } from '../errors.ts'
import { guidesFolder } from '../guides-folder.ts'
import { version } from '../version.ts'
import { addAccessCommands } from './access/commands.ts'
import { addAppCommands } from './apps/commands.ts'
import { addKeyCommands } from './apps/key-commands.ts'
import { noteCommand } from './audit/audited-command.ts'
import { addPaymentsCommands } from './connections/payments-commands.ts'
import { toUserError } from './context.ts'
import { addCopyCommands } from './copy/commands.ts'
import { addDoctorCommand } from './doctor/commands.ts'
import { addDownloadCommands } from './downloads/commands.ts'
import { addEventCommands } from './events/commands.ts'
import { addBackupCommand } from './installation/backup-command.ts'
import { addClockCommands } from './installation/clock-commands.ts'
import { addMoveCommand } from './installation/move-command.ts'
import { addRestoreCommand } from './installation/restore-command.ts'
import { addResumeCommand } from './installation/resume-command.ts'
import { addLinkCommands } from './links/link-commands.ts'
import { addSignCommand } from './links/sign-commands.ts'
import { addMailCommands } from './mail/commands.ts'
import { addMcpCommand } from './mcp/commands.ts'
import { addJsonOption } from './options.ts'
import { oneLine } from './output.ts'
import { addPaymentCommands } from './payments/commands.ts'
import { addResourceCommands } from './resources/commands.ts'
import { addPriceCommands } from './resources/price-commands.ts'
import { addStaffCommands } from './staff/commands.ts'
import { addTokenCommands } from './staff/token-commands.ts'
import { addSubscriptionCommands } from './subscriptions/commands.ts'
import { addSubscriptionImportCommand } from './subscriptions/import.ts'
import { addTransferCommands } from './transfer/commands.ts'
import { addUserCommands } from './users/commands.ts'
import { addWebhookCommands } from './webhooks/commands.ts'

export function createProgram(): Command {
  const program = new Command('gatehouse')
    .description('Self-hosted access to paid content: who may see what.')
    .version(version())
    .addHelpText('after', `\nGuides: ${join(guidesFolder(), 'README.md')}`)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        write(`gatehouse: ${oneLine(text.replace(/^error: /, '')).trim()} (see gatehouse --help)\n`)
      },
    })
  addCopyCommands(addAppCommands(program))
  addResourceCommands(program)
  addTransferCommands(addAccessCommands(program))
  addUserCommands(program)
  addPriceCommands(program)
  addLinkCommands(program)
  addDownloadCommands(program)
  addSubscriptionImportCommand(addSubscriptionCommands(program))
  addPaymentCommands(program)
  addPaymentsCommands(program)
  addClockCommands(program)
  addSignCommand(program)
  addMailCommands(program)
  addWebhookCommands(program)
  addEventCommands(program)
  addKeyCommands(program)
  addStaffCommands(program)
  addTokenCommands(program)
  addBackupCommand(program)
  addRestoreCommand(program)
  addResumeCommand(program)
  addMoveCommand(program)
  addDoctorCommand(program)
  addJsonOption(program)
  addMcpCommand(program)
  program
    .command('serve')
    .description('run the service')
    .action(async () => {
      const { run: serve } = await import('../cluster/start.ts')
      await serve(() => readConfig(environmentVariables(process.cwd())))
    })
  return program
}

/** Exits without an error on EPIPE: a consumer like `head` may close the pipe early. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

/** Returns the error's message. It names the option of the command, such as `--trial-days`, instead of the API parameter
 * that is wrong. */
function messageFor(command: Command | undefined, error: Error): string {
  const { message } = error
  const parameter = error instanceof Failure ? error.parameter : undefined
  if (parameter === undefined || !message.startsWith(`${parameter}: `)) return message
  const flag = `--${parameter.replaceAll('_', '-')}`
  const hasOption = command?.options.some(({ long }) => long === flag)
  return hasOption ? flag + message.slice(parameter.length) : message
}

/** Runs one command. An error that its user can fix is printed as one line on standard error, without a stack. */
export async function run(argv: string[]): Promise<void> {
  process.stdout.off('error', endQuietly).on('error', endQuietly)
  let command: Command | undefined
  const program = createProgram().hook('preAction', (_, action) => {
    command = action
    noteCommand(action)
  })
  try {
    await program.parseAsync(argv.length > 2 ? argv : [...argv, '--help'])
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode
      return
    }
    process.stderr.write(`gatehouse: ${oneLine(messageFor(command, toUserError(error)))}\n`)
    process.exitCode = 1
  }
}
