import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { clocksOf } from '../../../domain/payments/context.ts'
import { problemWithHeader } from '../../../domain/transfer/columns.ts'
import { type CsvFile, type CsvRow, openCsvBytes } from '../../../domain/transfer/csv.ts'
import { importAccess } from '../../../domain/transfer/import.ts'
import { fail, invalid, OperatorError } from '../../../errors.ts'
import { appRoute, SUPPORT } from '../route.ts'
import type { ImportDone, ImportRow } from './schemas.ts'

const MAX_LINES = 5_000
const MAX_BYTES = 4 * 1024 * 1024

/** The body is the file itself, as `application/octet-stream`. Sends no mails unless `notify` is set. */
const take = appRoute('POST /access/import', {
  who: SUPPORT,
  action: 'access.import',
  query: Type.Object({
    dry_run: Type.Optional(Type.Boolean()),
    notify: Type.Optional(Type.Boolean()),
  }),
  async handle({
    env,
    aid,
    query,
    request,
    actor,
    note,
    reauthorize: requireStill,
  }): Promise<ImportDone> {
    if (request.headers['content-type'] !== 'application/octet-stream') {
      throw fail('invalid_request', 'The body must be of type application/octet-stream.')
    }
    const file = await readCsv(await readAll(request.raw))
    await requireStill()
    const dryRun = query.dry_run ?? false
    const lines: ImportRow[] = []
    const counts = await importAccess(env.database, file, {
      aid,
      dryRun,
      actor,
      notify: query.notify ? env.delivery : undefined,
      clocks: () => clocksOf(env),
      async onRefused(row, reason) {
        lines.push({ ...nameRow(file, row), outcome: 'refused', reason })
      },
      onApplied: (row, outcome) => lines.push({ ...nameRow(file, row), outcome }),
    })
    note({ ...counts })
    return { dry_run: dryRun, ...counts, lines }
  },
})

function nameRow({ header }: CsvFile, { line, cells }: CsvRow) {
  const cell = (name: string) => cells[header.indexOf(name)] ?? ''
  return { line, rid: cell('rid'), email: cell('email') }
}

async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw tooMuch('larger than 4 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooMuch = (problem: string) =>
  invalid('csv', `${problem}. Import larger files with: gatehouse access import.`)

async function readCsv(bytes: Buffer): Promise<CsvFile> {
  try {
    const file = await openCsvBytes('the file', bytes, problemWithHeader)
    if (file.count > MAX_LINES) throw tooMuch(`more than ${MAX_LINES} rows`)
    return file
  } catch (error) {
    if (error instanceof OperatorError) throw invalid('csv', error.message)
    throw error
  }
}

export const importRoutes = [take]
