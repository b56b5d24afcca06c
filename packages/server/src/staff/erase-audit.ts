import type { ControlDatabase } from '../db/database.ts'
import type { AuditTable } from '../db/tables.ts'
import { emailKey } from '../users/email.ts'
import { type Details, withIdsOnly } from './audit.ts'

/** A reader of one application, as staff may have typed their name. */
export interface ErasedReader {
  environment: string
  aid: string
  /** The uid, and those of users who were merged into this one. */
  uids: readonly string[]
  /** Addresses, references and names. */
  words: readonly string[]
}

/** What stands in the place of a word that named an erased reader. */
const ERASED = '(erased)'
const AT_ONCE = 1_000

type Row = Pick<AuditTable, 'params' | 'details'> & { seq: number }

/** Takes a reader's names out of what the audit log keeps of requests. That the request was made stays. */
export async function eraseFromAudit(
  control: ControlDatabase,
  reader: ErasedReader,
): Promise<void> {
  let after = 0
  for (;;) {
    const rows = await listRows(control, reader, after)
    const changed = rows.flatMap((row) => changeOf(row, reader))
    if (changed.length > 0) await updateRows(control, changed)
    const last = rows.at(-1)
    if (!last) return
    after = last.seq
  }
}

async function listRows(
  { read }: ControlDatabase,
  { environment, aid }: ErasedReader,
  after: number,
): Promise<Row[]> {
  return await read
    .selectFrom('audit')
    .select(['seq', 'params', 'details'])
    .where('aid', '=', aid)
    .where('environment', '=', environment)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(AT_ONCE)
    .execute()
}

function changeOf(row: Row, reader: ErasedReader): Row[] {
  const all = [JSON.parse(row.params), JSON.parse(row.details)] as [Details, Details]
  const isAboutReader = all.some((values) =>
    Object.values(values).some((value) => reader.uids.includes(String(value))),
  )
  const [params, details] = all.map((values) => {
    const cleaned = without(values, reader.words)
    return JSON.stringify(isAboutReader ? withIdsOnly(cleaned) : cleaned)
  }) as [string, string]
  return params === row.params && details === row.details ? [] : [{ ...row, params, details }]
}

/** An address is looked for anywhere in a text. References and names are often short words of other texts: they
 * must be all of it. */
function without(values: Details, words: readonly string[]): Details {
  const keys = words.map((word) => emailKey(word))
  const names = (value: string) =>
    keys.some((key) => (key.includes('@') ? value.includes(key) : value === key))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && names(emailKey(value)) ? ERASED : value,
    ]),
  )
}

async function updateRows(control: ControlDatabase, rows: readonly Row[]): Promise<void> {
  await control.write(async (trx) => {
    for (const { seq, params, details } of rows) {
      await trx.updateTable('audit').set({ params, details }).where('seq', '=', seq).execute()
    }
  })
}
