import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import type { Db } from '../../db/database.ts'
import type { ExportInput } from '../../domain/transfer/exports/exports.ts'
import type { SheetDelimiter } from '../../domain/transfer/exports/sheet-writer.ts'
import type { AppRequest } from './route.ts'
import type { Paging } from './schemas.ts'

/** The parameter of every export for people. */
export const delimiterSchema = Type.Optional(Type.Enum(['comma', 'semicolon']))

/** Sends a file that is made while the client reads it, from one snapshot of the database. A client that stops reading ends it;
 * a failure breaks the response off, so that a partial file can't be mistaken for a complete one. */
export function sendExport(
  { env, reply, note }: AppRequest,
  fileName: string,
  lines: (db: Db, onRows: (count: number) => void) => AsyncIterable<string>,
): Readable {
  let rows = 0
  note({ rows })
  const onRows = (more: number) => {
    rows += more
    note({ rows })
  }
  const out = new PassThrough()
  env.database
    .snapshot((db) => pipeline(lines(db, onRows), out))
    .catch((error: Error) => out.destroy(error))
  reply.type('text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  return out
}

/** Sends a list for people, all of its pages. The audit log gets the filters, without what was searched for, which may be
 * a reader's address. */
export function sendSheet<Filter>(
  call: AppRequest<{ delimiter?: SheetDelimiter } & Paging>,
  list: string,
  filter: Filter,
  exportSheet: (db: Db, filter: Filter, input: ExportInput) => AsyncIterable<string>,
): Readable {
  const { delimiter = 'comma', page: _, pagesize: __, ...filters } = call.query
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const named = given.map(([name, value]) => [name, PERSONAL.has(name) ? '(given)' : String(value)])
  call.note({ form: 'people', ...Object.fromEntries(named) })
  const now = call.env.clock()
  return sendExport(call, `${list}.csv`, (db, onRows) =>
    exportSheet(db, filter, { delimiter, now, onRows }),
  )
}

/** Filters that may hold what identifies a reader. A uid stays, because it outlives an erasure without naming anybody. */
const PERSONAL = new Set(['q', 'email', 'user_ref'])
