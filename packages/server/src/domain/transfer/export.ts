import type { Db } from '../../db/database.ts'
import { listRows } from '../../db/queries/rows.ts'
import { FOREVER } from '../../db/tables.ts'
import { pushTo } from '../../push-to.ts'
import { toMajor } from '../apps/currency.ts'
import { COLUMNS } from './columns.ts'
import { formatCsv } from './csv.ts'
import { sealFormulas } from './formulas.ts'

const PAGE = 1_000

/** `raw` can be imported again, but a spreadsheet would run cells that begin with =. */
type ExportForm = 'raw' | 'spreadsheet'

/** Exports every unrevoked access record of an application as CSV, including expired ones, page by page. Ordered by id:
 * the same records make the same file on every engine. Pass a snapshot. */
export async function* exportCsv(
  db: Db,
  aid: string,
  form: ExportForm = 'raw',
  onRows: (count: number) => void = () => {},
): AsyncGenerator<string> {
  yield formatCsv([COLUMNS])
  for await (const rows of exportRows(db, aid)) {
    onRows(rows.length)
    yield formatCsv(
      form === 'raw' ? rows : rows.map((row) => row.map((cell) => sealFormulas(cell))),
    )
  }
}

/** Exports the same records as objects. */
export async function* exportRecords(db: Db, aid: string): AsyncGenerator<Record<string, string>> {
  for await (const rows of exportRows(db, aid)) {
    for (const row of rows) {
      yield Object.fromEntries(COLUMNS.map((name, i) => [name, row[i] as string]))
    }
  }
}

async function* exportRows(db: Db, aid: string): AsyncGenerator<string[][]> {
  let last = ''
  for (;;) {
    const page = await readPage(db, aid, last)
    const end = page.at(-1)
    if (!end) return
    last = end.id
    const names = await namesOf(db, aid, page)
    const addresses = await formerAddressesOf(db, aid, page)
    yield page.map((row) => cellsOf(row, names.get(row.uid) ?? [], addresses.get(row.uid) ?? []))
  }
}

async function readPage(db: Db, aid: string, after: string) {
  return await db
    .selectFrom('access as a')
    .innerJoin('users as u', (join) =>
      join.onRef('u.aid', '=', 'a.aid').onRef('u.uid', '=', 'a.uid'),
    )
    .selectAll('a')
    .select(['u.email', 'u.first_name', 'u.last_name'])
    .where('a.aid', '=', aid)
    .where('a.revoked', 'is', null)
    .where('a.id', '>', after)
    .orderBy('a.id')
    .limit(PAGE)
    .execute()
}

type Row = Awaited<ReturnType<typeof readPage>>[number]

interface Name {
  ref: string
  alias: 0 | 1
}

/** Sorted here: to have them in order, SQLite would read all references of the application for each page. */
async function namesOf(db: Db, aid: string, page: readonly Row[]): Promise<Map<string, Name[]>> {
  const rows = await db
    .selectFrom('user_refs')
    .select(['uid', 'ref', 'alias'])
    .where('aid', '=', aid)
    .where('uid', 'in', uidsOf(page))
    .execute()
  const byUid = new Map<string, Name[]>()
  for (const { uid, ...name } of rows) pushTo(byUid, uid, name)
  for (const names of byUid.values()) names.sort((one, other) => (one.ref < other.ref ? -1 : 1))
  return byUid
}

/** Sorted here, as the references are. */
async function formerAddressesOf(
  db: Db,
  aid: string,
  page: readonly Row[],
): Promise<Map<string, string[]>> {
  const rows = await listRows(db, 'former_addresses', { aid, uid: uidsOf(page) })
  const byUid = new Map<string, string[]>()
  for (const { uid, email } of rows) pushTo(byUid, uid, email)
  for (const emails of byUid.values()) emails.sort()
  return byUid
}

const uidsOf = (page: readonly Row[]) => [...new Set(page.map((row) => row.uid))]

const listed = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : JSON.stringify(texts)

const refsOf = (names: readonly Name[]): string[] => names.map(({ ref }) => ref)

function cellsOf(row: Row, names: readonly Name[], formerAddresses: readonly string[]): string[] {
  const others = names.filter(({ ref, alias }) => alias === 0 && ref !== row.user_ref)
  const values: Record<(typeof COLUMNS)[number], string> = {
    id: row.id,
    uid: row.uid,
    rid: row.rid,
    email: row.email ?? '',
    user_ref: row.user_ref ?? '',
    user_refs: listed(refsOf(others)),
    first_name: row.first_name,
    last_name: row.last_name,
    created: String(row.created),
    expires: row.ends === FOREVER ? '' : String(row.ends),
    tags: (JSON.parse(row.tags) as string[]).join(','),
    amount: row.currency === null ? '0' : String(toMajor(row.amount, row.currency)),
    currency: row.currency ?? '',
    aliases: listed(refsOf(names.filter(({ alias }) => alias === 1))),
    former_addresses: listed(formerAddresses),
  }
  return COLUMNS.map((name) => values[name])
}
