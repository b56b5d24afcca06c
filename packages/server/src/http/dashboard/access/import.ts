import { type Static, Type } from 'typebox'
import { FOREVER } from '../../../db/tables.ts'
import { clocksOf } from '../../../domain/payments/context.ts'
import { getResource } from '../../../domain/resources/resources.ts'
import { listAudit } from '../../../domain/staff/audit.ts'
import type { CsvRow } from '../../../domain/transfer/csv.ts'
import { type AppliedRow, importAccess } from '../../../domain/transfer/import.ts'
import { EndDates } from '../../../domain/transfer/sheets/dates.ts'
import { Failure, invalid } from '../../../errors.ts'
import { sendReport } from '../report-stream.ts'
import { type AppRequest, appRoute, SUPPORT } from '../route.ts'
import type { ImportEvent, ImportResult, ImportRow, RecentImport, SheetReading } from './schemas.ts'
import { type OpenedSheet, receiveSheet, SheetQuery } from './sheet.ts'

/** Rows that are shown of each outcome; refused ones are all sent, because somebody has to correct them. */
const MAX_SHOWN = 500
const PREVIEWED_ROWS = 8
const MAX_SHOWN_CHARACTERS = 200

const cut = (cell: string) => cell.slice(0, MAX_SHOWN_CHARACTERS)

/** Says how a file is understood, with its first rows. The body is the file itself. */
const read = appRoute('POST /access/import/read', {
  allowed: SUPPORT,
  query: SheetQuery,
  async handle(call): Promise<SheetReading> {
    const sheet = await receiveSheet(call, call.query)
    try {
      return toReading(sheet, call)
    } finally {
      await sheet.close()
    }
  },
})

function toReading(sheet: OpenedSheet, { env }: AppRequest): SheetReading {
  const { settings, header, file, isMachine, timeZone } = sheet
  return {
    ...{ rows: file.count, names: header.map(cut), machine: isMachine, time_zone: timeZone },
    ...{ encoding: settings.encoding, delimiter: settings.delimiter, header: settings.hasHeader },
    columns: settings.targets.map((target) => target ?? ''),
    order: settings.dateOrder ?? null,
    order_unclear: sheet.isDateOrderUnclear,
    delivery: env.delivery,
    sample: sheet.sample.slice(0, PREVIEWED_ROWS).map((row) => previewRow(sheet, row)),
  }
}

function previewRow(sheet: OpenedSheet, { line, cells }: CsvRow): SheetReading['sample'][number] {
  const shown = { row: line, cells: cells.map(cut) }
  if (sheet.isMachine) return { ...shown, understood: null, problem: null }
  try {
    const { email, firstName = '', lastName = '', rid, ends } = sheet.reader.read(cells)
    const understood = {
      ...{ email, name: `${firstName} ${lastName}`.trim() },
      resource: rid === '' ? '' : sheet.resources.labelOf(rid),
      until: new EndDates(sheet.timeZone).write(ends),
    }
    return { ...shown, understood, problem: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...shown, understood: null, problem: error.message }
  }
}

const ImportQuery = Type.Object({
  ...SheetQuery.properties,
  dry_run: Type.Optional(Type.Boolean()),
  notify: Type.Optional(Type.Boolean()),
  /** Whether the import sends events to sites. */
  events: Type.Optional(Type.Boolean()),
})

/** Grants what a file lists, and reports it row by row as lines of JSON. The body is the file itself. Sends no mails unless
 * `notify` is set. If the client leaves, it stops; the same file can be imported again. */
const take = appRoute('POST /access/import', {
  allowed: SUPPORT,
  action: 'access.import',
  query: ImportQuery,
  async handle(call) {
    const { env, aid, query, reply, note } = call
    if (query.rid !== undefined) await getResource(env.database.read, aid, query.rid)
    const sheet = await receiveSheet(call, query)
    try {
      requireColumns(sheet)
      await call.reauthorize()
    } catch (error) {
      await sheet.close()
      throw error
    }
    note({ total: sheet.file.count, rows: 0, granted: 0, unchanged: 0, refused: 0 })
    return sendReport(reply, (write, signal) =>
      runImport(call, sheet, write, signal).finally(sheet.close),
    )
  },
})

function requireColumns({ settings, isMachine }: OpenedSheet): void {
  if (isMachine) return
  const has = (target: 'email' | 'resource') => settings.targets.includes(target)
  if (!has('email')) throw invalid('columns', 'choose the column with the email addresses')
  if (!has('resource') && settings.rid === undefined) {
    throw invalid('rid', 'choose the resource, or the column that names it')
  }
}

async function runImport(
  { env, aid, query, actor, note }: AppRequest<Static<typeof ImportQuery>>,
  sheet: OpenedSheet,
  write: (event: ImportEvent) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const dryRun = query.dry_run ?? false
  const report = new Report(sheet, env.clock())
  const { isMachine, file, reader } = sheet
  const pending: ImportEvent[] = []
  const counts = await importAccess(env.database, file, {
    ...{ aid, actor, signal, isEachOnce: true },
    dryRun: dryRun ? 'in batches' : false,
    ...(isMachine ? {} : { read: (cells) => reader.read(cells), skipIfSameEnd: true }),
    notify: query.notify ? env.delivery : undefined,
    events: query.events,
    clocks: () => clocksOf(env),
    onRefused: (row, reason) => write({ row: report.refused(row, reason) }),
    onApplied(row, applied) {
      const shown = report.applied(row, applied)
      if (shown) pending.push({ row: shown })
    },
    onProgress(done) {
      pending.push({ progress: { done, total: file.count } })
      note(report.auditDetails())
    },
    afterBatch: async () => {
      for (const event of pending.splice(0)) await write(event)
    },
  })
  note(report.auditDetails())
  await write({ done: { dry_run: dryRun, ...counts, ...report.result(), delivery: env.delivery } })
}

/** Counts what happens to the rows of a file, and describes them. */
class Report {
  readonly #sheet: OpenedSheet
  readonly #now: number
  readonly #dates: EndDates
  readonly #counts = { new: 0, extended: 0, shortened: 0, changed: 0, unchanged: 0, refused: 0 }
  readonly #rest = { endless: 0, over: 0, mails: 0 }

  constructor(sheet: OpenedSheet, now: number) {
    this.#sheet = sheet
    this.#now = now
    this.#dates = new EndDates(sheet.timeZone)
  }

  result(): Pick<ImportResult, 'counts' | 'endless' | 'over' | 'mails'> {
    return { counts: { ...this.#counts }, ...this.#rest }
  }

  /** The details of the entry in the audit log. */
  auditDetails() {
    const { unchanged, refused, ...granting } = this.#counts
    const granted = Object.values(granting).reduce((sum, one) => sum + one, 0)
    return { rows: granted + unchanged + refused, granted, unchanged, refused }
  }

  refused(row: CsvRow, reason: string): ImportRow {
    this.#counts.refused++
    return { ...this.#nameRow(row), outcome: 'refused', reason, cells: row.cells }
  }

  /** Returns the row if it is one of those that are shown. */
  applied(row: CsvRow, { effect, input, ends, endsBefore, isUnannounced }: AppliedRow) {
    this.#counts[effect]++
    if (isUnannounced) this.#rest.mails++
    if (effect !== 'unchanged' && ends === FOREVER) this.#rest.endless++
    if (effect !== 'unchanged' && ends <= this.#now) this.#rest.over++
    if (this.#counts[effect] > MAX_SHOWN) return undefined
    const until = input ? { until: this.#dates.write(ends) } : {}
    const before = endsBefore === null || !input ? {} : { before: this.#dates.write(endsBefore) }
    const shown: ImportRow = { ...this.#nameRow(row), outcome: effect, ...until, ...before }
    if (input) shown.resource = this.#sheet.resources.labelOf(input.rid)
    return shown
  }

  #nameRow({ line, cells }: CsvRow): Pick<ImportRow, 'row' | 'email' | 'resource'> {
    const { isMachine, header, reader, settings, resources } = this.#sheet
    if (isMachine) {
      const cell = (name: string) => cells[header.indexOf(name)] ?? ''
      return { row: line, email: cell('email'), resource: resources.labelOf(cell('rid')) }
    }
    const named = reader.cellOf(cells, 'resource') || resources.labelOf(settings.rid ?? '')
    return { row: line, email: reader.cellOf(cells, 'email') ?? '', resource: named }
  }
}

const MAX_RECENT = 5

/** The last imports, so that somebody whose browser was closed sees how far one got. */
const recent = appRoute('GET /access/imports', {
  allowed: SUPPORT,
  async handle({ ctx, env, aid }): Promise<RecentImport[]> {
    const filter = { action: 'access.import', environment: env.name, aid }
    const window = { offset: 0, limit: MAX_RECENT }
    const { data } = await listAudit(ctx.control.read, filter, window)
    return data.map(({ at, email, outcome, details }) => {
      const count = (name: string) => Number(details[name] ?? 0)
      return {
        ...{ at, by: email, outcome: recentOutcome(outcome) },
        ...{ total: count('total'), rows: count('rows'), granted: count('granted') },
        ...{ unchanged: count('unchanged'), refused: count('refused') },
      }
    })
  },
})

function recentOutcome(outcome: string): RecentImport['outcome'] {
  if (outcome === 'done' || outcome === 'begun') return outcome
  return outcome === 'cut_off' ? 'stopped' : 'failed'
}

export const importRoutes = [read, take, recent]
