import { Command } from 'commander'
import { environmentVariables, readConfig } from '../../config.ts'
import { Failure, Stop } from '../../errors.ts'

export async function run(argv: string[]): Promise<void> {
  const program = new Command('gatehouse')
  program.command('serve').action(async () => {
    const { serve } = await import('../../main.ts')
    await serve(readConfig(environmentVariables(process.cwd())))
  })
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof Stop) && !(error instanceof Failure)) throw error
    console.error(`gatehouse: ${error.message}`)
    process.exitCode = 1
  }
}
