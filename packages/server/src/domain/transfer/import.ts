import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { refreshStatistics } from '../../db/postgres/statistics.ts'
import { Failure } from '../../errors.ts'
import { type GrantOutcome, grantMany } from '../access/grants/grant.ts'
import type { Clocks, Grant } from '../access/grants/input.ts'
import type { Delivery } from '../mail/outbox.ts'
import { type ImportRow, readGrantRow } from './columns.ts'
import type { CsvFile, CsvRow } from './csv.ts'

/** The default actor in the history of imported access. */
const ACTOR = 'import'

/** The maximum number of rows, plus references in them, per transaction. */
const BATCH = 500

/** A pause between batches, so that other writers get a turn. */
const PAUSE_MS = 20

export interface ImportInput {
  aid: string
  /** How notifications are handled; undefined for none. */
  notify?: Delivery | undefined
  /** Runs everything, then rolls back. */
  dryRun?: boolean | undefined
  actor?: string | undefined
  clocks(): Clocks
  onRefused(row: CsvRow, reason: string): Promise<void>
  /** Called for every row that was not refused, in file order. */
  onApplied?(row: CsvRow, outcome: RowEffect): void
  onProgress?(done: number): void
}

/** What happened to a row that was not refused. */
type RowEffect = 'new' | 'changed' | 'unchanged'

export interface ImportCounts {
  rows: number
  /** New or changed records. */
  granted: number
  /** Records that already matched the file. */
  unchanged: number
  refused: number
}

/** Grants the access that a file lists, batch by batch. A refused row does not affect the others. */
export async function importAccess(
  database: EnvironmentDatabase,
  file: CsvFile,
  options: ImportInput,
): Promise<ImportCounts> {
  const counts: ImportCounts = { rows: 0, granted: 0, unchanged: 0, refused: 0 }
  const report = async (outcomes: readonly RowOutcome[]) => {
    for (const { row, result } of outcomes) {
      counts.rows++
      if ('refused' in result) {
        await options.onRefused(row, result.refused)
        counts.refused++
        continue
      }
      options.onApplied?.(row, result.effect)
      counts[result.effect === 'unchanged' ? 'unchanged' : 'granted']++
    }
    options.onProgress?.(counts.rows)
  }
  if (options.dryRun) {
    await report(await preview(database, file, options))
    return counts
  }
  for await (const batch of batchesOf(file)) {
    const done = counts.rows
    await report(
      await database.write(
        async (trx) => {
          const outcomes = await grantBatch(trx, batch, options)
          await afterGrowth(trx, database.engine, done, outcomes.length)
          return outcomes
        },
        { batch: true },
      ),
    )
    await sleep(PAUSE_MS)
  }
  return counts
}

const GROWING = ['users', 'user_refs', 'access', 'access_tags', 'sources', 'history', 'outbox']

/** Refreshes the planner's statistics each time the number of rows has quadrupled. */
async function afterGrowth(trx: Trx, engine: Engine, done: number, more: number): Promise<void> {
  const step = (rows: number) => Math.floor(Math.log(1 + rows / BATCH) / Math.log(4))
  if (done === 0 || step(done + more) > step(done)) await refreshStatistics(trx, engine, GROWING)
}

interface RowOutcome {
  row: CsvRow
  /** Why the row was refused, or what it did. */
  result: { refused: string } | { effect: RowEffect }
}

/** Thrown to roll back a dry run; carries its outcomes. */
class RollBack extends Error {
  readonly outcomes: RowOutcome[]
  constructor(outcomes: RowOutcome[]) {
    super('rolled back')
    this.outcomes = outcomes
  }
}

/** Runs all rows in one transaction: only then does each row see what the rows before it would have changed. */
async function preview(
  database: EnvironmentDatabase,
  file: CsvFile,
  options: ImportInput,
): Promise<RowOutcome[]> {
  try {
    const run = async (trx: Trx) => {
      const outcomes: RowOutcome[] = []
      for await (const batch of batchesOf(file)) {
        const done = outcomes.length
        outcomes.push(...(await grantBatch(trx, batch, options)))
        await afterGrowth(trx, database.engine, done, batch.length)
        options.onProgress?.(outcomes.length)
      }
      throw new RollBack(outcomes)
    }
    return await database.write(run, { batch: true })
  } catch (error) {
    if (error instanceof RollBack) return error.outcomes
    throw error
  }
}

interface ReadRow {
  row: CsvRow
  /** What the row asks for, or why it can't be read. */
  input: ImportRow | Failure
}

async function* batchesOf(file: CsvFile): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = []
  let weight = 0
  for await (const row of file.rows()) {
    const input = readOrRefuse(file.header, row.cells)
    const own = input instanceof Failure ? 1 : 1 + countNames(input)
    if (weight + own > BATCH && batch.length > 0) {
      yield batch
      batch = []
      weight = 0
    }
    batch.push({ row, input })
    weight += own
  }
  if (batch.length > 0) yield batch
}

function readOrRefuse(header: readonly string[], cells: readonly string[]): ImportRow | Failure {
  try {
    return readGrantRow(header, cells)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function grantBatch(
  trx: Trx,
  batch: readonly ReadRow[],
  { aid, notify, clocks, actor = ACTOR }: ImportInput,
): Promise<RowOutcome[]> {
  const good: Grant[] = []
  for (const { input } of batch) {
    if (!(input instanceof Failure)) good.push({ ...input, aid, notify, actor })
  }
  const outcomes = await grantMany(trx, good, clocks())
  let next = 0
  return batch.map(({ row, input }) => {
    if (input instanceof Failure) return { row, result: { refused: input.message } }
    const outcome = outcomes[next++] as GrantOutcome
    if (outcome instanceof Failure) return { row, result: { refused: outcome.message } }
    const effect = outcome.isNew ? 'new' : outcome.changed ? 'changed' : 'unchanged'
    return { row, result: { effect } }
  })
}

const countNames = ({ preserve }: Pick<Grant, 'preserve'>): number =>
  (preserve?.otherRefs?.length ?? 0) + (preserve?.aliases?.length ?? 0)
