import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Engine, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { refreshStatistics } from '../../db/postgres/statistics.ts'
import type { Seconds } from '../../db/tables.ts'
import { Failure } from '../../errors.ts'
import { type Granted, type GrantOutcome, grantMany } from '../access/grants/grant.ts'
import type { Clocks, Grant } from '../access/grants/input.ts'
import type { Delivery } from '../mail/outbox.ts'
import { type ImportRow, readGrantRow } from './columns.ts'
import type { CsvFile, CsvRow } from './csv.ts'
import { RepeatedRows } from './repeated-rows.ts'

/** The default actor in the history of imported access. */
const ACTOR = 'import'

/**
 * The maximum number of rows, plus references in them, per transaction. SQLite writes every page that a transaction has
 * changed, so that few large ones write far less than many small ones. On PostgreSQL a transaction keeps the readers of its
 * rows locked.
 */
export const BATCH: Readonly<Record<Engine, number>> = { sqlite: 2_000, postgres: 500 }

/** The maximum number of rows, plus further references in them, that are granted at once. SQLite blocks the process meanwhile; other requests are served in between. */
const MAX_PART_WEIGHT = 200

/** A pause between batches, so that other writers get a turn. Another process that waits for SQLite tries again within this
 * time. */
const PAUSE_MS = 40

export interface ImportInput {
  aid: string
  /** How notifications are handled; undefined for none. */
  notify?: Delivery | undefined
  /** Whether the import sends events to sites. */
  events?: boolean | undefined
  /** Runs everything, then rolls back: all rows in one transaction, or `in batches` that let other writers in between. */
  dryRun?: boolean | 'in batches' | undefined
  actor?: string | undefined
  /** Reads a row, or throws what is wrong with it. By default, the columns are those of an export. */
  read?: ((cells: readonly string[]) => ImportRow) | undefined
  /** Whether each person and resource counts once: later rows are refused if they say something else. The same file then
   * changes nothing when it is imported again. */
  isEachOnce?: boolean | undefined
  /** Adds no grant where the access already has the same end. */
  skipIfSameEnd?: boolean | undefined
  /** Stops the import between two batches. */
  signal?: AbortSignal | undefined
  clocks(): Clocks
  onRefused(row: CsvRow, reason: string): Promise<void>
  /** Called for every row that was not refused, in file order. */
  onApplied?(row: CsvRow, outcome: AppliedRow): void
  onProgress?(done: number): void
  /** Called when the rows of a batch have been reported, before the next one is taken. */
  afterBatch?(): Promise<void>
}

/** The effect of a row that was not refused. `changed`: only details other than the end have changed. */
export type RowEffect = 'new' | 'extended' | 'shortened' | 'changed' | 'unchanged'

export interface AppliedRow {
  effect: RowEffect
  /** Undefined for a row that repeats an earlier one. */
  input?: ImportRow
  /** The end of the access before, null for new access; and after. */
  endsBefore: Seconds | null
  ends: Seconds
  /** Whether the person gets an email, if the import notifies. */
  isUnannounced: boolean
}

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
      options.onApplied?.(row, result)
      counts[result.effect === 'unchanged' ? 'unchanged' : 'granted']++
    }
    options.onProgress?.(counts.rows)
  }
  if (options.dryRun === true) {
    await report(await preview(database, batchesOf(file, BATCH[database.engine], options), options))
    return counts
  }
  for await (const batch of batchesOf(file, BATCH[database.engine], options)) {
    if (options.signal?.aborted) break
    await report(
      options.dryRun
        ? await preview(database, [batch], options)
        : await importBatch(database, batch, counts.rows, options),
    )
    await options.afterBatch?.()
    await sleep(PAUSE_MS)
  }
  return counts
}

async function importBatch(
  database: EnvironmentDatabase,
  batch: readonly ReadRow[],
  done: number,
  options: ImportInput,
): Promise<RowOutcome[]> {
  const run = async (trx: Trx) => {
    const outcomes = await grantBatch(trx, batch, options)
    await afterGrowth(trx, database.engine, done, outcomes.length)
    return outcomes
  }
  return await database.write(run, { batch: true, silent: !options.events })
}

const GROWING = ['users', 'user_refs', 'access', 'access_tags', 'sources', 'history', 'outbox']

/** Refreshes the planner's statistics each time the number of rows has quadrupled. */
async function afterGrowth(trx: Trx, engine: Engine, done: number, more: number): Promise<void> {
  const step = (rows: number) => Math.floor(Math.log(1 + rows / BATCH[engine]) / Math.log(4))
  if (done === 0 || step(done + more) > step(done)) await refreshStatistics(trx, engine, GROWING)
}

interface RowOutcome {
  row: CsvRow
  /** The reason why the row was refused, or its effect. */
  result: { refused: string } | AppliedRow
}

/** Thrown to roll back a dry run; carries its outcomes. */
class RollBack extends Error {
  readonly outcomes: RowOutcome[]
  constructor(outcomes: RowOutcome[]) {
    super('rolled back')
    this.outcomes = outcomes
  }
}

/** Runs the batches in one transaction, so that each row sees what the rows before it would have changed, and rolls back. */
async function preview(
  database: EnvironmentDatabase,
  batches: AsyncIterable<ReadRow[]> | readonly ReadRow[][],
  options: ImportInput,
): Promise<RowOutcome[]> {
  try {
    const run = async (trx: Trx) => {
      const outcomes: RowOutcome[] = []
      for await (const batch of batches) {
        const done = outcomes.length
        outcomes.push(...(await grantBatch(trx, batch, options)))
        if (options.dryRun !== true) continue
        await afterGrowth(trx, database.engine, done, batch.length)
        options.onProgress?.(outcomes.length)
      }
      throw new RollBack(outcomes)
    }
    return await database.write(run, { batch: true, silent: true })
  } catch (error) {
    if (error instanceof RollBack) return error.outcomes
    throw error
  }
}

interface ReadRow {
  row: CsvRow
  /** The grant that the row asks for, the reason why it is refused, or that it repeats an earlier row. */
  input: ImportRow | Failure | 'repeated'
}

async function* batchesOf(
  file: CsvFile,
  maxWeight: number,
  options: ImportInput,
): AsyncGenerator<ReadRow[]> {
  const read = options.read ?? ((cells) => readGrantRow(file.header, cells))
  const earlier = options.isEachOnce ? new RepeatedRows() : undefined
  let batch: ReadRow[] = []
  let weight = 0
  for await (const row of file.rows()) {
    const one = { row, input: readOrRefuse(row, read, earlier) }
    const own = weightOf(one)
    if (weight + own > maxWeight && batch.length > 0) {
      yield batch
      batch = []
      weight = 0
    }
    batch.push(one)
    weight += own
  }
  if (batch.length > 0) yield batch
}

/** A row counts as one, and each further name of its person as another. */
const weightOf = ({ input }: ReadRow): number => (isGrant(input) ? 1 + countNames(input) : 1)

/** Splits a batch into parts that don't block others for long. */
function partsOf(batch: readonly ReadRow[]): ReadRow[][] {
  const parts: ReadRow[][] = []
  let weight = MAX_PART_WEIGHT
  for (const one of batch) {
    weight += weightOf(one)
    if (weight > MAX_PART_WEIGHT) {
      parts.push([])
      weight = weightOf(one)
    }
    parts.at(-1)?.push(one)
  }
  return parts
}

function readOrRefuse(
  { line, cells }: CsvRow,
  read: (cells: readonly string[]) => ImportRow,
  earlier: RepeatedRows | undefined,
): ReadRow['input'] {
  try {
    const input = read(cells)
    return earlier ? earlier.add(line, input) : input
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function grantBatch(
  trx: Trx,
  batch: readonly ReadRow[],
  options: ImportInput,
): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  const clocks = options.clocks()
  for (const part of partsOf(batch)) {
    if (outcomes.length > 0) await setImmediate()
    outcomes.push(...(await grantPart(trx, part, clocks, options)))
  }
  return outcomes
}

async function grantPart(
  trx: Trx,
  part: readonly ReadRow[],
  clocks: Clocks,
  { aid, notify, actor = ACTOR, skipIfSameEnd }: ImportInput,
): Promise<RowOutcome[]> {
  // No email is sent about access that has already ended.
  const good: Grant[] = []
  for (const { input } of part) {
    if (!isGrant(input)) continue
    good.push({ ...input, aid, actor, skipIfSameEnd, notify, bulk: true })
  }
  const outcomes = await grantMany(trx, good, clocks)
  let next = 0
  return part.map(({ row, input }) => {
    if (input === 'repeated') return { row, result: REPEATED }
    if (input instanceof Failure) return { row, result: refusedFor(input) }
    const outcome = outcomes[next++] as GrantOutcome
    if (outcome instanceof Failure) return { row, result: refusedFor(outcome) }
    const { endsBefore, ends } = outcome
    const { isUnannounced } = outcome
    return { row, result: { effect: effectOf(outcome), input, endsBefore, ends, isUnannounced } }
  })
}

/** The reasons of all refused rows of a batch are in memory at once. */
const MAX_REASON = 500

const refusedFor = ({ message }: Failure) => ({
  refused: message.length > MAX_REASON ? `${message.slice(0, MAX_REASON - 1)}…` : message,
})

const isGrant = (input: ReadRow['input']): input is ImportRow =>
  input !== 'repeated' && !(input instanceof Failure)

const REPEATED: AppliedRow = {
  effect: 'unchanged',
  endsBefore: null,
  ends: 0,
  isUnannounced: false,
}

function effectOf({ isNew, changed, endsBefore, ends }: Granted): RowEffect {
  if (isNew) return 'new'
  if (!changed) return 'unchanged'
  if (endsBefore === null || ends === endsBefore) return 'changed'
  return ends > endsBefore ? 'extended' : 'shortened'
}

function countNames({ preserve = {} }: Pick<Grant, 'preserve'>): number {
  const { otherRefs, aliases, formerAddresses } = preserve
  return [otherRefs, aliases, formerAddresses].reduce((sum, list = []) => sum + list.length, 0)
}
