import { OperatorError } from '../errors.ts'
import { environmentVariables } from './config.ts'

/** Returns the management token for `gatehouse mcp`. It is no option of the command, because everybody on a machine can
 * read the arguments of its processes. */
export function readMcpToken(folder: string): string {
  const token = environmentVariables(folder).GATEHOUSE_TOKEN ?? ''
  if (token !== '') return token
  throw new OperatorError(
    'GATEHOUSE_TOKEN is missing: set it to a management token (gatehouse token create --role viewer)',
  )
}
