import type { Command } from 'commander'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { resealAll, rotateKeyFile } from '../../domain/apps/rotate-master.ts'
import { withContext } from '../context.ts'
import { type Output, print } from '../output.ts'

export function addKeyCommands(program: Command): void {
  const key = program
    .command('key')
    .description('manage the master key, which encrypts the private keys')

  key
    .command('rotate-master')
    .description('re-encrypt all private keys under a new master key; the service can keep running')
    .action((options) => withContext((ctx) => rotateMaster(ctx, options)))
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
