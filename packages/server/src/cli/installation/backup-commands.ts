import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { findSealProblems } from '../../domain/apps/sealed.ts'
import { writeBackup } from '../../domain/backup/backup.ts'
import type { Databases } from '../../domain/backup/databases.ts'
import { requireKeyOf } from '../../domain/backup/required-key.ts'
import { type CheckedBackup, checkBackup, restoreBackup } from '../../domain/backup/restore.ts'
import { summarizeStorage } from '../../domain/downloads/damage.ts'
import { HOLD_MEANS, HOLD_TODO } from '../../domain/installation/hold.ts'
import { formatBytes } from '../bytes.ts'
import { readSettings, withContext } from '../context.ts'
import { type Output, print } from '../output.ts'

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'the file to create')
    .description(
      'write all data of both environments to one file, without the master key and the ' +
        'downloadable files; the service can keep running',
    )
    .action((file, options) => withContext((ctx) => backup(ctx, file, options)))
  program
    .command('restore')
    .argument('<file>', 'a file written by `backup`')
    .option(
      '--lost-master-key',
      'restore although the master key of the backup is lost; what it encrypts stays unreadable',
    )
    .description('restore a backup into an empty installation; needs the same master key')
    .action(async (file, options) => {
      const checked = await checkBackup(resolve(file))
      requireKeyOf(checked, readSettings(), { isLost: options.lostMasterKey === true })
      const may = { mayCreate: true, mayReplace: true }
      await withContext((ctx) => restore(ctx, checked, options), may)
    })
}

function databasesOf(ctx: Context): Databases {
  const { production, sandbox } = ctx.environments
  return { production: production.database, sandbox: sandbox.database, control: ctx.control }
}

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

async function backup(ctx: Context, file: string, options: Output): Promise<void> {
  const path = resolve(file)
  // Before the backup, so that nothing can fail once its file is there.
  const { downloads, what, where } = await filesOf(ctx)
  const rows = await writeBackup(databasesOf(ctx), path)
  const parts = [
    `Wrote ${sum(rows)} rows to ${path}.`,
    `The master key is not included. Keep a copy of ${ctx.masterKey.origin} in another place: ` +
      "without it, the private keys in this backup can't be decrypted.",
    ...(downloads === 0 ? [] : [`${what} are not included. Copy ${where} within a day.`]),
  ]
  const data = { file: path, rows, master_key: false, files: false, downloads }
  print(options, data, () => parts.join('\n'))
}

/** Summarizes the files for download, which are not part of a backup. */
async function filesOf({ config, environments }: Context) {
  const stocks = await Promise.all(
    ENVIRONMENTS.map((name) => summarizeStorage(environments[name].database.read)),
  )
  const total = (name: 'downloads' | 'bytes') => stocks.reduce((all, one) => all + one[name], 0)
  const places = {
    disk: join(config.dataFolder, 'files'),
    s3: config.s3 ? `the bucket ${config.s3.bucket}` : 'S3 (no bucket is set)',
  }
  const stores = new Set(stocks.flatMap((stock) => stock.stores))
  return {
    downloads: total('downloads'),
    what: `${formatBytes(total('bytes'))} of downloadable files`,
    where: [...stores].map((store) => places[store]).join(' and '),
  }
}

async function restore(ctx: Context, checked: CheckedBackup, options: Output): Promise<void> {
  const { created, rows } = await restoreBackup(databasesOf(ctx), checked)
  const keys = { count: 0, unreadable: [] as string[] }
  for (const name of ENVIRONMENTS) {
    const found = await findSealProblems(ctx.environments[name].database.read, ctx.masterKey)
    keys.count += found.count
    keys.unreadable.push(...found.unreadable)
  }
  const data = { created, rows, keys: keys.count, unreadable_keys: keys.unreadable.length }
  print(options, { ...data, on_hold: true }, () =>
    [`Restored ${sum(rows)} rows of the backup of ${created}.`, HELD].join('\n'),
  )
  warnOfKeys(ctx, keys.count, keys.unreadable.length)
  const { downloads, what, where } = await filesOf(ctx)
  if (downloads === 0) return
  process.stderr.write(
    `${what} belong to it. Put them back into ${where}, then check with: gatehouse doctor --deep\n`,
  )
}

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
