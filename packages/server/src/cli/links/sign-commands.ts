import { type Command, InvalidArgumentError } from 'commander'
import { addressesOf, localUrlOf } from '../../config/addresses.ts'
import type { Context } from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { decryptKey, listLiveKeys } from '../../domain/apps/keys.ts'
import { OperatorError } from '../../errors.ts'
import { isCanonical } from '../../signing/canonical.ts'
import { authorize, curlCommand } from '../../signing/curl.ts'
import { getEnvironment, withContext } from '../context.ts'
import { aidOption } from '../options.ts'
import { type Output, print } from '../output.ts'

const METHODS = ['GET', 'POST']

function parseMethod(text: string): string {
  const method = text.toUpperCase()
  if (!METHODS.includes(method)) throw new InvalidArgumentError('Must be GET or POST.')
  return method
}

function parseTarget(text: string): string {
  if (!text.startsWith('/r2/')) throw new InvalidArgumentError('Must start with /r2/.')
  if (!/^[!-~]*$/.test(text)) {
    throw new InvalidArgumentError(
      'Must be percent-encoded: a space is %20, and a letter outside ASCII is its UTF-8 bytes, like %C3%A9.',
    )
  }
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) {
    throw new InvalidArgumentError('Contains a % that is not followed by two hex digits.')
  }
  if (!isCanonical(text)) {
    throw new InvalidArgumentError(
      'Must not contain //, . or .. segments, \\ or #, or a %-escape in the path.',
    )
  }
  return text
}

export function addSignCommand(program: Command): void {
  program
    .command('sign')
    .argument('<method>', 'GET or POST', parseMethod)
    .argument(
      '<target>',
      "path and query in quotes, like '/r2/access?rid=R&user_ref=U'",
      parseTarget,
    )
    .description('print a curl command with a signed request')
    .addOption(aidOption('the application that signs').makeOptionMandatory())
    .action((method, target, options) => withContext((ctx) => sign(ctx, method, target, options)))
}

async function sign(
  ctx: Context,
  method: string,
  target: string,
  options: Output & { aid: string },
): Promise<void> {
  const { aid } = options
  const env = await getEnvironment(ctx, aid)
  const key = await newestKey(ctx, aid)
  const address = serviceAddresses(ctx)[env.name]
  const curl = curlCommand(address, aid, key, method, target)
  const authorization = authorize(aid, key, method, target)
  print(options, { method, url: address + target, authorization, curl }, () => curl)
}

export async function newestKey(ctx: Context, aid: string): Promise<string> {
  const { database, realTime } = await getEnvironment(ctx, aid)
  const { archived } = await getApplication(database.read, aid)
  if (archived !== null)
    throw new OperatorError(`the application ${aid} is archived, so its requests are refused`)
  const key = (await listLiveKeys(database.read, aid, realTime())).at(-1)
  if (!key) {
    throw new OperatorError(
      `the application ${aid} has no active key; create one with: gatehouse app rotate-key ${aid}`,
    )
  }
  return decryptKey(ctx.masterKey, key)
}

export function serviceAddresses({ config }: Context) {
  if (config.baseUrl === undefined && config.port === 0) {
    throw new OperatorError(
      'GATEHOUSE_PORT is 0 (any free port), so the address is unknown; set GATEHOUSE_BASE_URL',
    )
  }
  return addressesOf(config, localUrlOf(config.host, config.port))
}
