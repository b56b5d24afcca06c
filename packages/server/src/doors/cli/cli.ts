import { Command, CommanderError } from 'commander'
import { environmentVariables, readConfig } from '../../config.ts'
import { outageOf } from '../../db/outage.ts'
import { Failure, Stop } from '../../errors.ts'
import { addAccessCommands } from './access-commands.ts'
import { addAppCommands } from './app-commands.ts'
import { offerJson } from './shared.ts'

function createProgram(): Command {
  const program = new Command('gatehouse')
    .description('Who may see what: a self-hosted access service.')
    .exitOverride()
    .showHelpAfterError('(see gatehouse --help)')
  addAppCommands(program)
  addAccessCommands(program)
  offerJson(program)
  program
    .command('serve')
    .description('run the service')
    .action(async () => {
      const { serve } = await import('../../main.ts')
      await serve(readConfig(environmentVariables(process.cwd())))
    })
  return program
}

/** Runs one command. What its user can mend is one line on standard error, without a stack. */
export async function run(argv: string[]): Promise<void> {
  try {
    await createProgram().parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode
      return
    }
    const known = error instanceof Stop || error instanceof Failure ? error : outageOf(error)
    if (!known) throw error
    process.stderr.write(`gatehouse: ${known.message}\n`)
    process.exitCode = 1
  }
}
