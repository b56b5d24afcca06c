import type { Command } from 'commander'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { resealAll, rotateKeyFile } from '../../domain/apps/rotate-master.ts'
import { type Output, print, withContext } from '../shared.ts'

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('the master key that seals the private keys')

  key
    .command('rotate-master')
    .description('seal all private keys under a new master key, beside a running server')
    .action((options) => withContext((ctx) => rotateMaster(ctx, options)))
}

const HOW_TO_ROTATE = `Nothing to do: GATEHOUSE_MASTER_KEY has one key, and all private keys are under it. To rotate it:
  1. make a key:  node -p "crypto.randomBytes(32).toString('base64url')"
  2. put it first, GATEHOUSE_MASTER_KEY=NEW,OLD, and restart every server
  3. run this command again, with the same GATEHOUSE_MASTER_KEY`

async function rotateMaster(ctx: Context, options: Output): Promise<void> {
  const { masterKeys, dataFolder } = ctx.config
  const databases = ENVIRONMENTS.map((name) => ctx.environments[name].database)
  const { origin } = ctx.masterKey
  if (!masterKeys) {
    const resealed = await rotateKeyFile(ctx.control, databases, dataFolder)
    print(options, { origin, resealed }, () => {
      return `Sealed ${resealed} private keys under a new master key. Keep a copy of ${origin}: backups made from now on need it, older ones the old key.`
    })
    return
  }
  const resealed = await resealAll(databases, ctx.masterKey)
  const old = masterKeys.length - 1
  print(options, { origin, resealed, keys_to_remove: old }, () => {
    if (old === 0) return HOW_TO_ROTATE
    return `Sealed ${resealed} private keys under the first key of GATEHOUSE_MASTER_KEY; all are under it now. Shorten GATEHOUSE_MASTER_KEY to that first key and restart every server.`
  })
}
