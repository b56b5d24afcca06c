import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { AnyTables } from '../backup/databases.ts'
import { pagesOf, type Row } from '../backup/pages.ts'
import type { Table } from '../backup/tables.ts'
import { createDigest, type Digest, textOf } from './digest.ts'

/** Copies a table page by page, and reads the next page while the last one is being inserted. */
export async function copyTable(
  from: Db<AnyTables>,
  to: Trx<AnyTables>,
  table: Table,
  onRows: (count: number) => void,
): Promise<Digest> {
  const digest = createDigest()
  let arriving: Promise<void> = Promise.resolve()
  for await (const page of pagesOf(from, table)) {
    const text = textOf(page)
    digest.add(page, text)
    await arriving
    arriving = insertPage(to, table.table, page[0] as Row, text)
    // Reported by the next await; until then, a rejection must not end the process.
    arriving.catch(() => {})
    onRows(page.length)
  }
  await arriving
  return digest.end()
}

/** Sends the whole page as one parameter: a list of values would be sent and planned one by one. */
async function insertPage(
  to: Trx<AnyTables>,
  table: string,
  sample: Row,
  text: string,
): Promise<void> {
  const columns = sql.join(Object.keys(sample).map((column) => sql.ref(column)))
  const name = sql.table(table)
  await sql`insert into ${name} (${columns})
    select ${columns} from json_populate_recordset(null::${name}, ${text}::json)`.execute(to)
}
