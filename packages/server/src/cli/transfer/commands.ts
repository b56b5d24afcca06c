import { createReadStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { listResources } from '../../domain/resources/resources.ts'
import { problemWithHeader } from '../../domain/transfer/columns.ts'
import { type CsvRow, formatCsv, openCsv } from '../../domain/transfer/csv.ts'
import { exportCsv, exportRecords } from '../../domain/transfer/export.ts'
import { exportAccessSheet } from '../../domain/transfer/exports/exports.ts'
import type { SheetDelimiter } from '../../domain/transfer/exports/sheet-writer.ts'
import { importAccess } from '../../domain/transfer/import.ts'
import { REFUSED_ROW_COLUMNS } from '../../domain/transfer/layout.ts'
import type { DateOrder } from '../../domain/transfer/sheets/dates.ts'
import { ENCODINGS, type Encoding } from '../../domain/transfer/sheets/encoding.ts'
import { inspectSheet } from '../../domain/transfer/sheets/inspect.ts'
import { RowReader } from '../../domain/transfer/sheets/read-row.ts'
import { ResourceNameIndex } from '../../domain/transfer/sheets/resources.ts'
import { DELIMITERS, type Delimiter } from '../../domain/transfer/sheets/rows.ts'
import { OperatorError } from '../../errors.ts'
import { openNewFile, unwritable, writePrivateFile } from '../../new-file.ts'
import { getEnvironment, withContext } from '../context.ts'
import { aidOption, parseNonEmpty, ridOption } from '../options.ts'
import { type Output, print } from '../output.ts'
import { progressBar } from '../progress.ts'

/** Adds `import` and `export` to the `access` command. */
export function addTransferCommands(access: Command): void {
  access
    .command('export')
    .addOption(aidOption().makeOptionMandatory())
    .option('--out <file>', 'file to write; default: standard output')
    .addOption(formatOption('with names and readable dates, for a spreadsheet'))
    .addOption(
      new Option('--delimiter <name>', 'of a file for people').choices(['comma', 'semicolon']),
    )
    .description(
      'write all unrevoked access as CSV that can be imported again; a spreadsheet would run ' +
        'values of the machine format that begin with =',
    )
    .action((options) => withContext((ctx) => exportAccess(ctx, options)))
  access
    .command('import')
    .argument(
      '<file>',
      'CSV file with a header; rid and email are required, other columns as in an export',
    )
    .addOption(formatOption('a file from a spreadsheet; columns and dates are recognized'))
    .addOption(ridOption('the resource of all rows, for people'))
    .addOption(
      new Option(
        '--until <day>',
        'the last day of all rows, for people, such as 2026-12-31',
      ).argParser(parseNonEmpty),
    )
    .addOption(
      new Option('--dates <order>', 'how to read 05/06/2026, for people').choices(['dmy', 'mdy']),
    )
    .addOption(new Option('--encoding <name>', 'of a file for people').choices([...ENCODINGS]))
    .addOption(
      new Option('--delimiter <name>', 'of a file for people').choices(Object.keys(DELIMITERS)),
    )
    .addOption(aidOption().makeOptionMandatory())
    .option(
      '--dry-run',
      'report what would happen without changing anything; blocks other writes meanwhile',
    )
    .option('--notify', 'send emails; default: none')
    .option('--events', 'tell sites by events; default: they hear nothing')
    .option(
      '--refused <file>',
      'file for refused rows; default: FILE.refused.csv, or the next number',
    )
    .description('grant the access that a file lists; exits with 1 if a row was refused')
    .action((path, options) => withContext((ctx) => runImport(ctx, path, options)))
}

const formatOption = (people: string) =>
  new Option('--format <name>', `machine: exact values; people: ${people}`)
    .choices(['machine', 'people'])
    .default('machine')

interface ExportOptions extends Output {
  aid: string
  out?: string
  format: 'machine' | 'people'
  delimiter?: SheetDelimiter
}

async function exportAccess(ctx: Context, options: ExportOptions): Promise<void> {
  const { aid, out, format, delimiter = 'comma' } = options
  const { database, clock } = await getEnvironment(ctx, aid)
  const sheet = { delimiter, now: clock(), onRows: () => {} }
  const filter = { aid, state: 'unrevoked' as const }
  const linesOf = (db: Db) =>
    format === 'people' ? exportAccessSheet(db, filter, sheet) : exportCsv(db, aid)
  await database.snapshot(async (db) => {
    if (out !== undefined) await writePrivateFile(out, linesOf(db))
    else {
      const isJson = options.json && format === 'machine'
      const text = isJson ? jsonArray(exportRecords(db, aid)) : linesOf(db)
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
  events?: boolean
  refused?: string
  format: 'machine' | 'people'
  rid?: string
  until?: string
  dates?: DateOrder
  encoding?: Encoding
  delimiter?: Delimiter
}

/** Opens a file from a spreadsheet, and says what it lacks. */
async function openSheet(db: Db, path: string, options: ImportOptions) {
  const { aid, rid, until, dates: dateOrder, encoding, delimiter } = options
  const source = { name: path, bytes: () => createReadStream(path) }
  const chosen = { rid, until, dateOrder, encoding, delimiter }
  const sheet = await inspectSheet(source, chosen).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new OperatorError(`${path} can't be read: ${message}`)
  })
  const { settings, file, isDateOrderUnclear } = sheet
  const has = (target: 'email' | 'resource') => settings.targets.includes(target)
  if (!has('email')) throw new OperatorError(`${path} has no column with email addresses`)
  if (!has('resource') && rid === undefined) {
    throw new OperatorError(`${path} has no column with resources; give one with --rid`)
  }
  if (isDateOrderUnclear) {
    throw new OperatorError(`${path} has dates like 05/06/2026; say how to read them with --dates`)
  }
  const { time_zone: timeZone } = await getApplication(db, aid)
  const resources = new ResourceNameIndex(await listResources(db, aid))
  const reader = new RowReader(settings, resources, timeZone)
  return { file, read: (cells: readonly string[]) => reader.read(cells) }
}

async function runImport(ctx: Context, path: string, options: ImportOptions): Promise<void> {
  const { aid, dryRun, notify } = options
  const { database, clock, realTime, delivery } = await getEnvironment(ctx, aid)
  const sheet =
    options.format === 'people' ? await openSheet(database.read, path, options) : undefined
  const file = sheet?.file ?? (await openCsv(path, problemWithHeader))
  const refused = await openRefused(path, file.header, options)
  const bar = progressBar(file.count)
  try {
    const counts = await importAccess(database, file, {
      aid,
      dryRun,
      ...(sheet ? { read: sheet.read, isEachOnce: true, skipIfSameEnd: true } : {}),
      notify: notify ? delivery : undefined,
      events: options.events,
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
  const wanted = options.refused ?? (options.dryRun ? undefined : freeName(path, options.format))
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

/** The name of a new file for refused rows, with a number if there are earlier ones. */
function freeName(path: string, format: ImportOptions['format']): string {
  const base = path.replace(/(?:-refused-\d+)?\.[^./\\]{1,5}$/, '')
  const nameOf = (number: number) => {
    if (format === 'people') return `${base}-refused-${number}.csv`
    return number === 1 ? `${path}.refused.csv` : `${path}.refused-${number}.csv`
  }
  for (let number = 1; ; number++) if (!existsSync(nameOf(number))) return nameOf(number)
}

const isNote = (name: string) => (REFUSED_ROW_COLUMNS as readonly string[]).includes(name)
