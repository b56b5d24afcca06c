import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { writeBackup } from '../../domain/backup/backup.ts'
import type { Databases } from '../../domain/backup/databases.ts'
import { summarizeStorage } from '../../domain/downloads/damage.ts'
import { formatBytes } from '../bytes.ts'
import { withContext } from '../context.ts'
import { type Output, print } from '../output.ts'

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'the file to create')
    .description(
      'write all data of both environments to one file, without the master key and the ' +
        'downloadable files; the service can keep running',
    )
    .action((file, options) => withContext((ctx) => backup(ctx, file, options)))
}

export function databasesOf(ctx: Context): Databases {
  const { production, sandbox } = ctx.environments
  return { production: production.database, sandbox: sandbox.database, control: ctx.control }
}

export const sum = (counts: Record<string, number>) =>
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
export async function filesOf({ config, environments }: Context) {
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
