import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { problemWithHeader } from '../../domain/transfer/columns.ts'
import { type CsvRow, formatCsv, openCsv } from '../../domain/transfer/csv.ts'
import { exportCsv, exportRecords } from '../../domain/transfer/export.ts'
import { importAccess } from '../../domain/transfer/import.ts'
import { REFUSED_ROW_COLUMNS } from '../../domain/transfer/layout.ts'
import { openNewFile, unwritable, writeNewFile } from '../../new-file.ts'
import { getEnvironment, withContext } from '../context.ts'
import { aidOption } from '../options.ts'
import { type Output, print } from '../output.ts'
import { progressBar } from '../progress.ts'

/** Adds `import` and `export` to the `access` command. */
export function addTransferCommands(access: Command): void {
  access
    .command('export')
    .addOption(aidOption().makeOptionMandatory())
    .option('--out <file>', 'file to write; default: standard output')
    .description(
      'write all unrevoked access as CSV that can be imported again; a spreadsheet would run ' +
        'values that begin with =',
    )
    .action((options) => withContext((ctx) => exportAccess(ctx, options)))
  access
    .command('import')
    .argument(
      '<file>',
      'CSV file with a header; rid and email are required, other columns as in an export',
    )
    .addOption(aidOption().makeOptionMandatory())
    .option(
      '--dry-run',
      'report what would happen without changing anything; blocks other writes meanwhile',
    )
    .option('--notify', 'send emails; default: none')
    .option('--refused <file>', 'file for refused rows; default: FILE.refused.csv')
    .description('grant the access that a file lists; exits with 1 if a row was refused')
    .action((path, options) => withContext((ctx) => runImport(ctx, path, options)))
}

interface ExportOptions extends Output {
  aid: string
  out?: string
}

async function exportAccess(ctx: Context, options: ExportOptions): Promise<void> {
  const { aid, out } = options
  const { database } = await getEnvironment(ctx, aid)
  await database.snapshot(async (db) => {
    if (out !== undefined) await writeNewFile(out, exportCsv(db, aid))
    else {
      const text = options.json ? jsonArray(exportRecords(db, aid)) : exportCsv(db, aid)
      await pipeline(text, process.stdout, { end: false })
    }
  })
  if (out !== undefined)
    print(options, { aid, file: out }, () => `Wrote the access of ${aid} to ${out}.`)
}

async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const item of items) {
    yield `${before}\n  ${JSON.stringify(item)}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

interface ImportOptions extends Output {
  aid: string
  dryRun?: boolean
  notify?: boolean
  refused?: string
}

async function runImport(ctx: Context, path: string, options: ImportOptions): Promise<void> {
  const { aid, dryRun, notify } = options
  const { database, clock, realTime, delivery } = await getEnvironment(ctx, aid)
  const file = await openCsv(path, problemWithHeader)
  const refused = await openRefused(path, file.header, options)
  const bar = progressBar(file.count)
  try {
    const counts = await importAccess(database, file, {
      aid,
      dryRun,
      notify: notify ? delivery : undefined,
      clocks: () => ({ now: clock(), realTime: realTime() }),
      onRefused: refused.add,
      onProgress: bar.show,
    }).finally(bar.end)
    const { rows, granted, unchanged, refused: count } = counts
    if (count > 0) process.exitCode = 1
    const where = count > 0 && refused.path !== undefined ? { refused_file: refused.path } : {}
    print(options, { aid, dry_run: dryRun === true, ...counts, ...where }, () => {
      const said = `${rows} rows: ${granted} granted, ${unchanged} unchanged, ${count} refused.`
      const kept = where.refused_file ? ` The refused ones are in ${where.refused_file}.` : ''
      return `${dryRun ? 'Dry run, nothing was changed. ' : ''}${said}${kept}`
    })
  } finally {
    await refused.close()
  }
}

/** Collects refused rows unchanged, with the reason, in a file that can be fixed and imported again. The file is
 * opened before the import and deleted if no row was refused; a dry run writes it only with `--refused`. */
async function openRefused(path: string, header: string[], options: ImportOptions) {
  const wanted = options.refused ?? (options.dryRun ? undefined : `${path}.refused.csv`)
  const file = wanted === undefined ? undefined : await openNewFile(wanted)
  const kept = header.flatMap((name, i) => (isNote(name) ? [] : [i]))
  const columns = kept.map((i) => header[i] as string)
  let count = 0
  return {
    path: wanted,
    async add({ line, cells }: CsvRow, reason: string): Promise<void> {
      if (wanted === undefined) return
      // A row with too few or too many cells is written as it was read. If missing cells were filled in, a second import
      // of this file would accept the row and grant something that nobody has written.
      const values = kept.filter((i) => i < cells.length).map((i) => cells[i] as string)
      values.push(...cells.slice(header.length))
      const head = count++ === 0 ? [[...REFUSED_ROW_COLUMNS, ...columns]] : []
      await file
        ?.appendFile(formatCsv([...head, [String(line), reason, ...values]]))
        .catch((error) => Promise.reject(unwritable(wanted, error)))
    },
    async close(): Promise<void> {
      await file?.close()
      if (wanted !== undefined && count === 0) await rm(wanted, { force: true })
    },
  }
}

const isNote = (name: string) => (REFUSED_ROW_COLUMNS as readonly string[]).includes(name)
