import type { Command } from 'commander'
import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import { endOldLinkKeys, rotateLinkKeys } from '../../domain/apps/link-keys.ts'
import { resealAll, rotateKeyFile } from '../../domain/apps/rotate-master.ts'
import { OperatorError } from '../../errors.ts'
import { formatTime } from '../../format-time.ts'
import { listScopedEnvironments, type Scope, withContext } from '../context.ts'
import { durationOption, envOption } from '../options.ts'
import { type Output, print } from '../output.ts'

export function addKeyCommands(program: Command): void {
  const key = program
    .command('key')
    .description('manage the master key, which encrypts the private keys, and the keys of links')

  key
    .command('rotate-master')
    .description('re-encrypt all private keys under a new master key; the service can keep running')
    .action((options) => withContext((ctx) => rotateMaster(ctx, options)))

  key
    .command('rotate-links')
    .description("replace the keys that sign readers' links; links so far work for the overlap")
    .addOption(durationOption('--overlap', 'how long links so far still work', '400d'))
    .option('--now', 'end all links so far immediately')
    .option('--end-old', 'make no new keys: only end the links of those before, immediately')
    .addOption(envOption('only those of production or sandbox; default: both'))
    .action((options) => withContext((ctx) => rotateLinks(ctx, options)))
}

interface LinkOptions extends Output, Pick<Scope, 'env'> {
  overlap: number
  now?: boolean
  endOld?: boolean
}

async function rotateLinks(ctx: Context, options: LinkOptions): Promise<void> {
  if (options.now && options.endOld) throw new OperatorError('pass only one of --now and --end-old')
  const done: LinkOutcome[] = []
  for (const env of await listScopedEnvironments(ctx, options)) {
    done.push(await (options.endOld ? endOld(env) : rotateIn(ctx, env, options)))
  }
  print(options, done, () => done.map((one) => `${one.environment}: ${toSentence(one)}`).join('\n'))
}

interface LinkOutcome {
  environment: string
  version?: number
  /** When the links so far end, in seconds; 0 if they have ended. */
  ends?: number
  ended?: number
}

async function endOld({ name, database, realTime }: Environment): Promise<LinkOutcome> {
  const ended = await database.write((trx) => endOldLinkKeys(trx, realTime()))
  return { environment: name, ended }
}

async function rotateIn(
  ctx: Context,
  { name, database, realTime }: Environment,
  { now, overlap }: LinkOptions,
): Promise<LinkOutcome> {
  const made = await database.write((trx) =>
    rotateLinkKeys(trx, ctx.masterKey, now ? 0 : overlap * 1000, realTime()),
  )
  if (!made) throw new OperatorError(`${name}: ${STILL_OVERLAPPING}`)
  return { environment: name, version: made.version, ends: Math.floor(made.ends / 1000) }
}

const STILL_OVERLAPPING =
  'the links of the keys before still work, so there are two live keys; end those with --end-old, ' +
  'or all links so far with --now'

const EVERYWHERE = 'Every process knows within 5 seconds.'

function toSentence({ version, ends, ended }: LinkOutcome): string {
  if (ended === 0) return 'No earlier key is live.'
  if (ended !== undefined) return `Links of the earlier key have ended. ${EVERYWHERE}`
  const until = ends === 0 ? 'have ended' : `work until ${formatTime(Number(ends))}`
  return `New links have key ${version}; links so far ${until}. ${EVERYWHERE}`
}

const HOW_TO_ROTATE = `Nothing to do: GATEHOUSE_MASTER_KEY has one key, which encrypts all private keys. To rotate it:
  1. create a key:  node -p "crypto.randomBytes(32).toString('base64url')"
  2. put it first (GATEHOUSE_MASTER_KEY=NEW,OLD) and restart every server
  3. run this command again, with the same GATEHOUSE_MASTER_KEY`

async function rotateMaster(ctx: Context, options: Output): Promise<void> {
  const { masterKeys, dataFolder } = ctx.config
  const databases = ENVIRONMENTS.map((name) => ctx.environments[name].database)
  const { origin } = ctx.masterKey
  if (!masterKeys) {
    const resealed = await rotateKeyFile(ctx.control, databases, dataFolder)
    print(options, { origin, resealed }, () => {
      return `Re-encrypted ${resealed} private keys under a new master key. Keep a copy of ${origin}: new backups need it, and older backups need the old key.`
    })
    return
  }
  const resealed = await resealAll(databases, ctx.masterKey)
  const old = masterKeys.length - 1
  print(options, { origin, resealed, keys_to_remove: old }, () => {
    if (old === 0) return HOW_TO_ROTATE
    return `Re-encrypted ${resealed} private keys; all now use the first key of GATEHOUSE_MASTER_KEY. Remove the other keys from GATEHOUSE_MASTER_KEY and restart every server.`
  })
}
