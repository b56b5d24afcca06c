import type { IncomingMessage } from 'node:http'
import { type Static, Type } from 'typebox'
import type { Environment } from '../../../context.ts'
import { getApplication } from '../../../domain/apps/applications.ts'
import { requireRoom, temporaryRules } from '../../../domain/downloads/intake/rules.ts'
import { listResources } from '../../../domain/resources/resources.ts'
import { ENCODINGS } from '../../../domain/transfer/sheets/encoding.ts'
import { inspectSheet, type Sheet } from '../../../domain/transfer/sheets/inspect.ts'
import { RowReader } from '../../../domain/transfer/sheets/read-row.ts'
import { ResourceNameIndex } from '../../../domain/transfer/sheets/resources.ts'
import { DELIMITERS, type Delimiter } from '../../../domain/transfer/sheets/rows.ts'
import type { ChosenSettings } from '../../../domain/transfer/sheets/settings.ts'
import { FileTooLarge, type SpooledFile, spoolFile } from '../../../domain/transfer/sheets/spool.ts'
import { COLUMN_TARGETS, type Target } from '../../../domain/transfer/sheets/targets.ts'
import { fail, invalid, OperatorError } from '../../../errors.ts'
import { bytesOf, withoutRequestTimeout } from '../../connection.ts'
import type { AppRequest } from '../route.ts'
import { takeSheetTurn } from './sheet-turns.ts'

/** A spreadsheet has at most 1,048,576 lines, and some write all of them, most of them empty. */
const LIMITS = { rows: 200_000, lines: 1_048_576 }
const MAX_BYTES = 64 * 1024 * 1024

/** How to understand a file. What is missing is recognised. */
export const SheetQuery = Type.Object({
  encoding: Type.Optional(Type.Enum([...ENCODINGS])),
  delimiter: Type.Optional(Type.Enum(Object.keys(DELIMITERS) as Delimiter[])),
  /** Whether the first row names the columns. */
  header: Type.Optional(Type.Boolean()),
  /** The kind of data in each column, separated by commas; empty for columns to ignore. */
  columns: Type.Optional(Type.String({ maxLength: 20_000 })),
  order: Type.Optional(Type.Enum(['dmy', 'mdy'])),
  /** The resource of all rows. */
  rid: Type.Optional(Type.String({ maxLength: 255 })),
  /** The last day of all rows, as 2026-12-31. */
  until: Type.Optional(Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$` })),
})

export interface OpenedSheet extends Sheet {
  reader: RowReader
  resources: ResourceNameIndex
  timeZone: string
  close(): Promise<void>
}

/** Receives the file in the body of a request, and reads all of it once. The caller must close it: until then, no other file
 * of the application is read or imported. */
export async function receiveSheet(
  call: AppRequest,
  query: Static<typeof SheetQuery>,
): Promise<OpenedSheet> {
  const { request } = call
  if (request.headers['content-type'] !== 'application/octet-stream') {
    throw fail('invalid_request', 'The body must be of type application/octet-stream.')
  }
  return await withoutRequestTimeout(request.raw, () => openSheet(call, query))
}

async function openSheet(
  { env, aid, request }: AppRequest,
  query: Static<typeof SheetQuery>,
): Promise<OpenedSheet> {
  const spooled = await spoolInTurn(env, aid, request.raw)
  const { close } = spooled
  try {
    const db = env.database.read
    const { time_zone: timeZone } = await getApplication(db, aid)
    const resources = new ResourceNameIndex(await listResources(db, aid))
    const sheet = await inspectSheet(spooled, chosenBy(query), LIMITS)
    const reader = new RowReader(sheet.settings, resources, timeZone)
    return { ...sheet, reader, resources, timeZone, close }
  } catch (error) {
    await close()
    throw error instanceof OperatorError ? invalid('csv', error.message) : error
  }
}

/** Reads nothing before it is the file's turn: otherwise any number of files of one application would be on the disk at once.
 * The turn ends when the file is closed, and when the client leaves before all of it is here. */
async function spoolInTurn(
  { uploadRules }: Environment,
  aid: string,
  body: IncomingMessage,
): Promise<SpooledFile> {
  const endTurn = await takeSheetTurn(aid)
  try {
    const size = Number(body.headers['content-length'] ?? 0)
    await requireRoom(await temporaryRules(uploadRules), { size })
    const spooled = await spoolFile('the file', bytesOf(body), MAX_BYTES)
    return { ...spooled, close: () => spooled.close().finally(endTurn) }
  } catch (error) {
    endTurn()
    throw error instanceof FileTooLarge ? tooMuch('larger than 64 MiB') : error
  }
}

const tooMuch = (problem: string) =>
  invalid('csv', `${problem}. Import larger files with: gatehouse access import.`)

function chosenBy(query: Static<typeof SheetQuery>): ChosenSettings {
  const { encoding, delimiter, header, columns, order, rid, until } = query
  return {
    ...{ encoding, delimiter, until, rid },
    ...{ hasHeader: header, dateOrder: order },
    targets: columns?.split(',').map(readTarget),
  }
}

function readTarget(name: string): Target | null {
  if (name === '') return null
  const target = COLUMN_TARGETS.find((one) => one === name)
  if (target === undefined) throw invalid('columns', `must be of ${COLUMN_TARGETS.join(', ')}`)
  return target
}
