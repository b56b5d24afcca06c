import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../config/config.ts'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { findSealProblems } from '../../domain/apps/sealed.ts'
import { requireKeyOf } from '../../domain/backup/required-key.ts'
import { type CheckedBackup, checkBackup } from '../../domain/backup/restore.ts'
import {
  abandonRestore,
  beginRestore,
  endRestore,
  findRestore,
  type RestoreTarget,
  restoreMarked,
  restoreTargetOf,
} from '../../domain/backup/restore-mark.ts'
import { HOLD_MEANS, HOLD_TODO } from '../../domain/installation/hold.ts'
import { countSuspendedTokens } from '../../domain/staff/restored-access.ts'
import { OperatorError } from '../../errors.ts'
import { requireDataFolder } from '../../start/data-folder.ts'
import { recordCommand } from '../audit/audited-command.ts'
import { requireYes } from '../confirm.ts'
import { readSettings, withContext } from '../context.ts'
import { type Output, print } from '../output.ts'
import { databasesOf, filesOf, sum } from './backup-command.ts'

interface Options extends Output {
  lostMasterKey?: boolean
  abandon?: boolean
  yes?: boolean
}

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .argument('[file]', 'a file written by `backup`')
    .option(
      '--lost-master-key',
      'restore although the master key of the backup is lost; what it encrypts stays unreadable',
    )
    .option('--abandon', 'give up a restore that was interrupted: remove what it has written')
    .option('--yes', 'with --abandon: skip the confirmation')
    .description('restore a backup into an empty installation; needs the same master key')
    .action(async (file: string | undefined, options: Options) => {
      const isAbandoned = options.abandon === true
      if (isAbandoned === (file !== undefined)) throw new OperatorError(USAGE)
      await (file === undefined ? abandon(options) : restore(file, options))
    })
}

const USAGE =
  'name the backup (gatehouse restore FILE), or give up a restore that was interrupted ' +
  '(gatehouse restore --abandon)'

const targetOf = ({ databaseUrl, dataFolder }: Config) => restoreTargetOf(databaseUrl, dataFolder)

async function restore(file: string, options: Options): Promise<void> {
  const checked = await checkBackup(resolve(file))
  const config = readSettings()
  requireKeyOf(checked, config, { isLost: options.lostMasterKey === true })
  requireDataFolder(config.dataFolder)
  const target = targetOf(config)
  await beginRestore(target, checked)
  await withContext((ctx) => restoreAll(ctx, checked, target, options), { restoreTo: target })
}

async function abandon(options: Options): Promise<void> {
  const config = readSettings()
  const target = targetOf(config)
  const mark = await findRestore(target)
  if (!mark) {
    print(options, { abandoned: false }, () => 'No restore was interrupted here.')
    return
  }
  const place = nameOf(config)
  await requireYes(
    options,
    `Remove what the restore of the backup of ${mark.created} has written to ${place}?`,
  )
  const isRemoved = await abandonRestore(target, mark)
  print(options, { abandoned: true, removed: isRemoved, backup: mark.created }, () =>
    isRemoved
      ? `The restore of the backup of ${mark.created} was given up, and what it had written to ${place} was removed. ` +
        'The master key and the downloadable files are still there.'
      : `The restore of the backup of ${mark.created} was given up. It had written nothing, and the data in ${place} was left as it is.`,
  )
}

/** Names the databases for people, without credentials. */
function nameOf({ databaseUrl, dataFolder }: Config): string {
  if (databaseUrl === undefined) return dataFolder
  const { host, pathname, searchParams } = new URL(databaseUrl)
  return `postgres://${host || searchParams.get('host')}${pathname}`
}

async function restoreAll(
  ctx: Context,
  checked: CheckedBackup,
  target: RestoreTarget,
  options: Output,
): Promise<void> {
  const { created, rows } = await restoreMarked(databasesOf(ctx), checked)
  const keys = { count: 0, unreadable: [] as string[] }
  for (const name of ENVIRONMENTS) {
    const found = await findSealProblems(ctx.environments[name].database.read, ctx.masterKey)
    keys.count += found.count
    keys.unreadable.push(...found.unreadable)
  }
  const files = await filesOf(ctx)
  const suspended_tokens = await countSuspendedTokens(ctx.control.read)
  // Before the end, which closes the databases to this process.
  await recordCommand(ctx, 'installation.restore', { backup: created })
  await endRestore(target)
  const data = { created, rows, keys: keys.count, unreadable_keys: keys.unreadable.length }
  print(options, { ...data, suspended_tokens, on_hold: true }, () =>
    [
      `Restored ${sum(rows)} rows of the backup of ${created}.`,
      HELD,
      ...[SIGNED_OUT, ...tokensText(suspended_tokens)],
    ].join('\n'),
  )
  warnOfKeys(ctx, keys.count, keys.unreadable.length)
  warnOfFiles(files)
}

function warnOfFiles({ downloads, what, where }: Awaited<ReturnType<typeof filesOf>>): void {
  if (downloads === 0) return
  process.stderr.write(
    `${what} belong to it. Put them back into ${where}, then check with: gatehouse doctor --deep\n`,
  )
}

const SIGNED_OUT =
  'Everybody is signed out of the dashboard, and invitations and password links that were open are void. ' +
  'Members, roles and passwords are those of the backup: check the team.'

const tokensText = (count: number): string[] =>
  count === 0
    ? []
    : [
        `${count} management ${count === 1 ? 'token waits' : 'tokens wait'} until an owner confirms ` +
          `${count === 1 ? 'it' : 'them'} under API tokens in the dashboard, or: gatehouse token confirm --all`,
      ]

const HELD = `This installation is on hold. ${HOLD_MEANS} ${HOLD_TODO}`

function warnOfKeys(ctx: Context, count: number, unreadable: number): void {
  const { origin } = ctx.masterKey
  if (unreadable === 0) {
    process.stderr.write(`The master key in ${origin} can decrypt all ${count} private keys.\n`)
    return
  }
  process.stderr.write(
    `gatehouse: the master key in ${origin} can't decrypt ${unreadable} of ${count} private keys; ` +
      'requests signed with them are refused until you put the master key there that was in use ' +
      'when the backup was made\n',
  )
}
