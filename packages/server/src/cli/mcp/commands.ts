import { GatehouseManagement, OptionsError } from '@gatehouse/sdk/management'
import { type Command, Option } from 'commander'
import { readMcpToken } from '../../config/mcp.ts'
import { ENVIRONMENTS, type EnvironmentName } from '../../context.ts'
import { OperatorError } from '../../errors.ts'

interface McpOptions {
  url: string
  aid: string
  env: EnvironmentName
  write?: boolean
}

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('serve an assistant on standard input and output (Model Context Protocol)')
    .requiredOption('--url <url>', 'the address of the service, such as https://access.example.com')
    .requiredOption('--aid <aid>', 'the application')
    .addOption(
      new Option('--env <environment>', 'its environment')
        .choices([...ENVIRONMENTS])
        .default('production'),
    )
    .option('--write', 'also offer tools that change something; never refunds, erasure or keys')
    .action(async (options: McpOptions) => {
      const client = createClient(options)
      // Loaded here, so that no other command pays for it.
      const { serveMcp } = await import('./server.ts')
      await serveMcp(client, options.write ?? false)
    })
}

function createClient({ url, aid, env }: McpOptions): GatehouseManagement {
  const token = readMcpToken(process.cwd())
  try {
    return new GatehouseManagement({ baseUrl: url, token, aid, environment: env })
  } catch (error) {
    if (error instanceof OptionsError) {
      throw new OperatorError(error.message.replace('baseUrl', '--url'))
    }
    throw error
  }
}
