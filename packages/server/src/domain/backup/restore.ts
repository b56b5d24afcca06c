import type { Db, Engine, Trx } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import { advanceSequence } from '../../db/postgres/sequence.ts'
import { refreshStatistics } from '../../db/postgres/statistics.ts'
import { deleteRows } from '../../db/rows.ts'
import type { ControlTables } from '../../db/tables.ts'
import { OperatorError } from '../../errors.ts'
import { withoutCountTriggers } from '../access/counts/counting.ts'
import { type Hold, putOnHold } from '../installation/hold.ts'
import { type AnyTables, anyDatabase, type Databases, listMigrations } from './databases.ts'
import {
  type Counts,
  type Footer,
  type Header,
  readBackup,
  type Section,
  type Value,
} from './format.ts'
import {
  DATABASE_NAMES,
  type DatabaseName,
  RESTORE_MARKER,
  SEQUENCE_TABLES,
  tablesOf,
} from './tables.ts'

/** How many rows one statement inserts. */
const BATCH = 500

export interface RestoreResult {
  /** When the backup was made. */
  created: string
  rows: Counts
}

/** Fills an empty installation from a backup, in one transaction per database. The installation is put on hold before
 * the first row is written, because the backup lacks everything that happened since. */
export async function restoreBackup(databases: Databases, path: string): Promise<RestoreResult> {
  const { header, rows, sha256 } = await checkBackup(path)
  // `control` is filled last and loses its mark last: if it has the mark, all databases are filled.
  const filled =
    (await anyDatabase(databases, 'control').snapshot((db) => readMeta(db, RESTORE_MARKER))) ===
    sha256
  const hold: Hold = { cause: 'restored', since: Date.now(), backup: header.created }
  if (!filled) await fillAll(databases, header, { path, sha256, hold })
  for (const name of DATABASE_NAMES) {
    const database = anyDatabase(databases, name)
    await database.write(async (trx) => {
      await deleteRows(trx, 'meta', { name: RESTORE_MARKER })
    })
  }
  return { created: header.created, rows }
}

interface Backup {
  path: string
  sha256: string
  hold: Hold
}

async function fillAll(databases: Databases, header: Header, backup: Backup): Promise<void> {
  for (const name of DATABASE_NAMES) {
    const database = anyDatabase(databases, name)
    await database.snapshot(async (db) => {
      requireSameMigrations(backup.path, header.migrations[name] ?? [], await listMigrations(db))
      if ((await readMeta(db, RESTORE_MARKER)) !== backup.sha256) await requireEmpty(db, name)
    })
  }
  await databases.control.write((trx) => putOnHold(trx, backup.hold))
  for (const name of DATABASE_NAMES) {
    const database = anyDatabase(databases, name)
    await database.write((trx) => fill(trx, database.engine, name, backup), { batch: true })
  }
}

/** Reads and verifies the whole file before anything is changed. */
async function checkBackup(path: string) {
  let header: Header | undefined
  let footer: Footer | undefined
  for await (const entry of readBackup(path)) {
    if (entry.kind === 'header') header = entry.header
    if (entry.kind === 'footer') footer = entry.footer
  }
  // The reader completes only after both.
  return { header: header as Header, ...(footer as Footer) }
}

function requireSameMigrations(path: string, theirs: readonly string[], ours: readonly string[]) {
  const unknown = theirs.filter((name) => !ours.includes(name))
  if (unknown.length > 0) {
    throw new OperatorError(
      `${path} was made by a newer Gatehouse (it has ${unknown.join(', ')}); restore it with that version`,
    )
  }
  const missing = ours.filter((name) => !theirs.includes(name))
  if (missing.length > 0) {
    throw new OperatorError(
      `${path} was made by an older Gatehouse (it lacks ${missing.join(', ')}); ` +
        'restore it with that version, then start this version on the same data',
    )
  }
}

async function requireEmpty(db: Db<AnyTables>, name: DatabaseName): Promise<void> {
  if (name === 'control') return
  const taken = await db.selectFrom('applications').select('aid').limit(1).execute()
  if (taken.length > 0) {
    throw new OperatorError(
      `${name} already has applications: a backup can be restored only into an empty ` +
        'installation (set GATEHOUSE_DATA to a new folder, or GATEHOUSE_DATABASE_URL to a new database)',
    )
  }
}

async function fill(
  trx: Trx<AnyTables>,
  engine: Engine,
  name: DatabaseName,
  backup: Backup,
): Promise<void> {
  if ((await readMeta(trx, RESTORE_MARKER)) === backup.sha256) return
  await requireEmpty(trx, name)
  if (name === 'control') {
    await fillTables(trx, engine, name, backup.path)
    await putOnHold(trx as unknown as Trx<ControlTables>, backup.hold)
  } else {
    const now = Math.floor(Date.now() / 1000)
    await withoutCountTriggers(trx as unknown as Trx, engine, now, () =>
      fillTables(trx, engine, name, backup.path),
    )
  }
  await advanceSequence(trx, engine, SEQUENCE_TABLES[name], 'seq')
  await setMeta(trx, RESTORE_MARKER, backup.sha256)
}

async function fillTables(
  trx: Trx<AnyTables>,
  engine: Engine,
  name: DatabaseName,
  path: string,
): Promise<void> {
  for (const { table } of tablesOf(name).reverse()) await trx.deleteFrom(table).execute()
  // Reads to the end of the file and checks its footer again before anything is committed.
  let before: string | undefined
  for await (const { section, rows } of batchesOf(path, name)) {
    const { table, columns } = section
    // The rows of the next table refer to those of the table that is now complete.
    if (before !== undefined && before !== table) await refreshStatistics(trx, engine, [before])
    before = table
    const named = rows.map((values) =>
      Object.fromEntries(columns.map((column, i) => [column, values[i] as Value])),
    )
    await trx.insertInto(table).values(named).execute()
  }
}

interface Batch {
  section: Section
  rows: Value[][]
}

async function* batchesOf(path: string, name: DatabaseName): AsyncGenerator<Batch> {
  let batch: Batch | undefined
  for await (const entry of readBackup(path)) {
    if (entry.kind !== 'row' || entry.section.database !== name) continue
    if (batch && (batch.section !== entry.section || batch.rows.length >= BATCH)) {
      yield batch
      batch = undefined
    }
    batch ??= { section: entry.section, rows: [] }
    batch.rows.push(entry.values)
  }
  if (batch) yield batch
}
