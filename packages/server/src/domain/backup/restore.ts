import type { Database, Db, Engine, Trx } from '../../db/database.ts'
import { setMeta } from '../../db/meta.ts'
import { migrate, recreate } from '../../db/migrate.ts'
import type { Migration } from '../../db/migrations.ts'
import { advanceSequences } from '../../db/postgres/sequence.ts'
import { refreshStatistics } from '../../db/postgres/statistics.ts'
import { deleteRows } from '../../db/queries/rows.ts'
import type { ControlTables } from '../../db/tables.ts'
import { OperatorError } from '../../errors.ts'
import { recount, withoutCountTriggers } from '../access/counts/counting.ts'
import { isSealedTable, type SealedText, toSealedText } from '../apps/sealed.ts'
import { foldAllRevenue } from '../figures/sums.ts'
import { type Hold, putOnHold, readHoldState } from '../installation/hold.ts'
import { endRestoredAccess } from '../staff/restored-access.ts'
import { type AnyTables, anyDatabase, type Databases, MIGRATIONS } from './databases.ts'
import { isFilledFrom, requireEmpty } from './empty.ts'
import {
  type Counts,
  damaged,
  type Footer,
  type Header,
  readBackup,
  type Section,
  type Value,
} from './format.ts'
import { DATABASE_NAMES, type DatabaseName, RESTORE_MARKER, tablesOf } from './tables.ts'

/** How many rows one statement inserts. */
const BATCH = 500

export interface RestoreResult {
  /** When the backup was made. */
  created: string
  rows: Counts
}

/** Fills an empty installation from a backup, in one transaction per database. The last of them puts the installation on
 * hold, because the backup lacks everything that happened since; until then, the mark of the restore keeps everybody
 * else away. A backup of an earlier version is filled into tables of that version, and migrated after that. */
export async function restoreBackup(
  databases: Databases,
  { created, rows, ...checked }: CheckedBackup,
): Promise<RestoreResult> {
  const hold: Hold = { cause: 'restored', since: Date.now(), backup: created }
  const backup: Backup = { ...checked, hold }
  // `control` is filled last and loses its mark last: if it has the mark, all databases are filled.
  if (!(await isFilled(anyDatabase(databases, 'control'), backup))) {
    await fillAll(databases, backup)
  }
  for (const name of DATABASE_NAMES) await finish(databases, name, backup)
  return { created, rows }
}

interface Backup {
  path: string
  sha256: string
  hold: Hold
  sections: readonly Section[]
  /** The migrations that each database had when the backup was made. */
  migrations: Record<DatabaseName, readonly Migration[]>
}

/** A file that is whole and that this version can restore. */
export interface CheckedBackup extends Omit<Backup, 'hold'>, RestoreResult {
  /** Everything in it that is sealed with a master key. */
  sealed: readonly SealedText[]
}

const isOlder = ({ migrations }: Backup, name: DatabaseName) =>
  migrations[name].length < MIGRATIONS[name].length

const isFilled = (database: Database<AnyTables>, backup: Backup) =>
  database.snapshot((db) => isFilledFrom(db, backup))

async function fillAll(databases: Databases, backup: Backup): Promise<void> {
  const { hold } = await databases.control.snapshot(readHoldState)
  const wasRestored = hold?.backup === backup.hold.backup
  for (const name of DATABASE_NAMES) {
    await anyDatabase(databases, name).snapshot(async (db) => {
      if (await isFilledFrom(db, backup)) return
      await requireEmpty(db, name, wasRestored)
      if (!isOlder(backup, name)) await requireKnownColumns(db, name, backup)
    })
  }
  for (const name of DATABASE_NAMES) {
    const database = anyDatabase(databases, name)
    await database.write((trx) => fill(trx, database.engine, name, backup), { batch: true })
  }
}

/** Brings a filled database to this version, ends the access to the dashboard that was in the backup, and removes its
 * mark: nobody can use the database before. */
async function finish(databases: Databases, name: DatabaseName, backup: Backup): Promise<void> {
  const database = anyDatabase(databases, name)
  const target = { schema: name, place: `the database ${name}`, onProgress: () => {} }
  await migrate(database, target, MIGRATIONS[name])
  const now = Math.floor(Date.now() / 1000)
  await database.write(
    async (trx) => {
      // The triggers of the earlier version have counted every single row; the sums take less space.
      if (isOlder(backup, name) && name !== 'control') {
        await recount(trx as unknown as Trx, database.engine, now)
        await foldAllRevenue(trx as unknown as Trx)
      }
      if (name === 'control') {
        await endRestoredAccess(trx as unknown as Trx<ControlTables>, backup.hold.since)
      }
      await deleteRows(trx, 'meta', { name: RESTORE_MARKER })
    },
    { batch: true },
  )
}

/** Reads and verifies the whole file, so that nothing is created or changed for one that can't be restored. */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  let header: Header | undefined
  let footer: Footer | undefined
  const sections = new Set<Section>()
  const sealed: SealedText[] = []
  for await (const entry of readBackup(path)) {
    if (entry.kind === 'header') header = entry.header
    if (entry.kind === 'row') {
      const { section, values } = entry
      sections.add(section)
      if (isSealedTable(section.table))
        sealed.push(toSealedText(section.table, toRow(section, values)))
    }
    if (entry.kind === 'footer') footer = entry.footer
  }
  // The reader completes only after both.
  const { created } = header as Header
  const migrations = requireKnownMigrations(path, header as Header)
  return { path, created, migrations, sections: [...sections], sealed, ...(footer as Footer) }
}

function toRow(
  { table, columns }: Section,
  values: readonly Value[],
  leftOut: ReadonlySet<string> = new Set(),
): Record<string, Value> {
  const named = columns.map((column, i) => [column, values[i] as Value] as const)
  return Object.fromEntries(named.filter(([column]) => !leftOut.has(`${table}.${column}`)))
}

/** Lists columns, as `table.column`, that PostgreSQL had early if the backup was made during an upgrade. Nothing was in
 * them that the migrations don't fill in again. */
function earlyColumns({ migrations }: Backup, name: DatabaseName): ReadonlySet<string> {
  const later: readonly Migration[] = MIGRATIONS[name].slice(migrations[name].length)
  const columns = later.flatMap((migration) => migration.columns ?? [])
  return new Set(columns.map(({ table, column }) => `${table}.${column}`))
}

/** Returns the migrations of the version that made the backup; each database's must be the first ones of ours. */
function requireKnownMigrations(path: string, header: Header): Backup['migrations'] {
  const known = {} as Record<DatabaseName, readonly Migration[]>
  for (const name of DATABASE_NAMES) {
    const theirs = header.migrations[name] ?? []
    const ours = MIGRATIONS[name]
    const unknown = theirs.filter((one) => !ours.some((own) => own.name === one))
    if (unknown.length > 0) {
      throw new OperatorError(
        `${path} was made by a newer Gatehouse (it has ${unknown.join(', ')}); restore it with that version`,
      )
    }
    known[name] = ours.slice(0, theirs.length)
    const missing = known[name].find((own, at) => own.name !== theirs[at])
    if (missing || theirs.length === 0) {
      throw damaged(path, `it lacks the migration ${(missing ?? ours[0])?.name} of ${name}`)
    }
  }
  return known
}

/** Throws if the backup has a table or a column that this database doesn't have. */
async function requireKnownColumns(
  db: Db<AnyTables>,
  name: DatabaseName,
  backup: Backup,
): Promise<void> {
  const { path, sections } = backup
  const early = earlyColumns(backup, name)
  const tables = (await db.introspection.getTables()).filter(
    ({ schema }) => schema === undefined || schema === name,
  )
  for (const { table, columns } of sectionsOf(sections, name)) {
    const found = tables.find((one) => one.name === table)
    if (!found) throw damaged(path, `it has an unknown table ${table}`)
    const known = new Set(found.columns.map((column) => column.name))
    const unknown = columns.find((column) => !known.has(column) && !early.has(`${table}.${column}`))
    if (unknown !== undefined) throw damaged(path, `it has an unknown column ${table}.${unknown}`)
  }
}

const sectionsOf = (sections: readonly Section[], name: DatabaseName) =>
  sections.filter(({ database }) => database === name)

async function fill(
  trx: Trx<AnyTables>,
  engine: Engine,
  name: DatabaseName,
  backup: Backup,
): Promise<void> {
  if (await isFilledFrom(trx, backup)) return
  await requireEmpty(trx, name)
  if (isOlder(backup, name)) await fillOlder(trx, engine, name, backup)
  else {
    const tables = tablesOf(name).map(({ table }) => table)
    const fillAgain = () => fillTables(trx, engine, name, backup, tables)
    const now = Math.floor(Date.now() / 1000)
    if (name === 'control') await fillAgain()
    else {
      await withoutCountTriggers(trx as unknown as Trx, engine, now, fillAgain)
      await foldAllRevenue(trx as unknown as Trx)
    }
  }
  if (name === 'control') await putOnHold(trx as unknown as Trx<ControlTables>, backup.hold)
  await advanceSequences(trx, engine, name)
  await setMeta(trx, RESTORE_MARKER, backup.sha256)
}

/** Creates the tables of the backup's version and fills them. The triggers stay active: only those of that version know
 * what its later migrations rely on. */
async function fillOlder(
  trx: Trx<AnyTables>,
  engine: Engine,
  name: DatabaseName,
  backup: Backup,
): Promise<void> {
  await recreate(trx, engine, name, backup.migrations[name])
  await requireKnownColumns(trx, name, backup)
  const tables = sectionsOf(backup.sections, name).map(({ table }) => table)
  await fillTables(trx, engine, name, backup, tables)
}

/** Replaces the rows of `tables`, each of which comes after those that its rows refer to. */
async function fillTables(
  trx: Trx<AnyTables>,
  engine: Engine,
  name: DatabaseName,
  backup: Backup,
  tables: readonly string[],
): Promise<void> {
  const early = earlyColumns(backup, name)
  for (const table of tables.toReversed()) await trx.deleteFrom(table).execute()
  // Reads to the end of the file and checks its footer again before anything is committed.
  let before: string | undefined
  for await (const { section, rows } of batchesOf(backup.path, name)) {
    const { table } = section
    // The rows of the next table refer to those of the table that is now complete.
    if (before !== undefined && before !== table) await refreshStatistics(trx, engine, [before])
    before = table
    const named = rows.map((values) => toRow(section, values, early))
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
