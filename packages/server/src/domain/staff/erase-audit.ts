import type { ControlDatabase } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { AuditTable } from '../../db/tables.ts'
import { emailKey } from '../users/email.ts'
import { type Details, withIdsOnly } from './audit.ts'

/** A reader of one application, and what staff may have typed to name them. */
export interface ErasedReader {
  environment: string
  aid: string
  /** The reader's uid, and those of users merged into it. */
  uids: readonly string[]
  /** Emails, user_refs and names. */
  words: readonly string[]
}

/** Replaces text that named an erased reader. */
const ERASED = '(erased)'
const AT_ONCE = 1_000

type Row = Pick<AuditTable, 'params' | 'details'> & { seq: number }

/** Removes a reader's personal data from the parameters in the audit log. The entries themselves stay. */
export async function eraseFromAudit(
  control: ControlDatabase,
  reader: ErasedReader,
): Promise<void> {
  let after = 0
  for (;;) {
    const rows = await listRows(control, reader, after)
    const changed = rows.flatMap((row) => changeOf(row, reader))
    if (changed.length > 0) await saveRows(control, changed)
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
    .where((eb) => eb.and({ aid, environment }))
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

/** An email is matched anywhere in a text. A user_ref or a name must match the whole text, because it is
 * often a short word that also occurs in others. */
export function namesReader(text: string, words: readonly string[]): boolean {
  const value = emailKey(text)
  const keys = words.map((word) => emailKey(word))
  return keys.some((key) => (key.includes('@') ? value.includes(key) : value === key))
}

function without(values: Details, words: readonly string[]): Details {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && namesReader(value, words) ? ERASED : value,
    ]),
  )
}

async function saveRows(control: ControlDatabase, rows: readonly Row[]): Promise<void> {
  await control.write(async (trx) => {
    for (const { seq, params, details } of rows) {
      await updateRows(trx, 'audit', { seq }, { params, details })
    }
  })
}
