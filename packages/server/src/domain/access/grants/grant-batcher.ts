import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { EnvironmentDatabase, Trx } from '../../../db/database.ts'
import { errorCodeOf, toOutageFailure } from '../../../db/outage.ts'
import { Failure } from '../../../errors.ts'
import { responseTurns } from '../../../event-loop.ts'
import type { TraceContext } from '../../../tracing/trace-context.ts'
import type { Tracer } from '../../../tracing/tracer.ts'
import {
  type Answer,
  claimWrites,
  recordWrites,
  releaseWrites,
  type StoredAnswer,
} from '../../idempotency/handled-requests.ts'
import type { OnceAnswer } from '../../idempotency/once.ts'
import type { WriteRequest } from '../../idempotency/write-request.ts'
import { emailKey } from '../../users/email.ts'
import { type AccessRow, getAccessByIds } from '../details.ts'
import { type GrantOutcome, grantMany } from './grant.ts'
import type { Clocks, Grant } from './input.ts'

/** Collects grants from concurrent callers and writes them in batches. */
export interface GrantBatcher {
  grant(input: Grant): Promise<AccessRow>
  /** Grants unless the request took effect before: then its answer is returned. */
  grantOnce(
    input: Grant,
    write: WriteRequest,
    toAnswer: (row: AccessRow) => Answer,
  ): Promise<OnceAnswer>
}

interface QueuedGrant {
  input: Grant
  /** The request that asks for it, and the answer to store. */
  once?: { write: WriteRequest; toAnswer(row: AccessRow): Answer }
  trace: TraceContext | undefined
  resolve(result: GrantResult): void
  reject(error: unknown): void
}

/** The granted access, or the answer to the same request before. */
type GrantResult = { row: AccessRow } | { stored: StoredAnswer }

/** Maximum grants per transaction. With more, every caller would wait for a long batch. */
const MAX_BATCH_SIZE = 64

/** How long a batch waits for a locked row. After that, its grants are written one by one. */
const BATCH_LOCK_TIMEOUT_MS = 500

/** Concurrent batches. On PostgreSQL, one that waits for a lock must not delay the rest; SQLite has one writer. */
const MAX_CONCURRENT_BATCHES = { sqlite: 1, postgres: 4 }

interface BatcherOptions {
  maxBatchSize?: number | undefined
  tracer?: Tracer | undefined
}

/**
 * Writes the pending grants in one transaction, because a disk flush takes as long for many grants as for one.
 * Callers get their response after the commit. An outage fails the whole batch; after any other error, its
 * grants are written one by one.
 */
export function createGrantBatcher(
  database: EnvironmentDatabase,
  clocks: () => Clocks,
  { maxBatchSize = MAX_BATCH_SIZE, tracer }: BatcherOptions = {},
): GrantBatcher {
  const waiting: QueuedGrant[] = []
  let activeWorkers = 0

  async function work(): Promise<void> {
    activeWorkers++
    // Lets every grant of this turn of the event loop join the batch.
    await setImmediate()
    while (waiting.length > 0) await settle(takeBatch(waiting, maxBatchSize))
    activeWorkers--
  }

  async function settle(taken: readonly QueuedGrant[]): Promise<void> {
    try {
      const write = () => writeGrants(database, taken, clocks)
      // This may run in the context of another request, which began the loop. The transaction belongs to the trace of
      // the first request that it serves.
      const results = await (tracer ? tracer.run(taken[0]?.trace, write) : write())
      for (const one of taken) {
        // Each of them sends a response.
        await responseTurns.take()
        const { resolve, reject } = one
        const result = results.get(one) as GrantResult | Failure
        if (result instanceof Failure) reject(result)
        else resolve(result)
      }
    } catch (error) {
      if (isBatchError(error) || taken.length === 1) for (const { reject } of taken) reject(error)
      // Not awaited: a grant that waits for a lock may take long and must not delay the next batch.
      else for (const one of taken) void settle([one])
    }
  }

  const enqueue = (queued: Pick<QueuedGrant, 'input' | 'once'>): Promise<GrantResult> =>
    new Promise((resolve, reject) => {
      const trace = tracer?.current()
      const input = trace ? { ...queued.input, trace } : queued.input
      waiting.push({ ...queued, input, trace, resolve, reject })
      if (activeWorkers < MAX_CONCURRENT_BATCHES[database.engine]) void work()
    })

  return {
    async grant(input) {
      const { row } = (await enqueue({ input })) as { row: AccessRow }
      return row
    },
    async grantOnce(input, write, toAnswer) {
      const result = await enqueue({ input, once: { write, toAnswer } })
      const isReplayed = 'stored' in result
      const { status, body } = isReplayed ? result.stored : toAnswer(result.row)
      return { status, body, isReplayed }
    },
  }
}

/** Takes from the queue the grants of the application that has waited longest. Grants to one address keep their order. */
function takeBatch(waiting: QueuedGrant[], maxSize: number): QueuedGrant[] {
  const aid = waiting[0]?.input.aid
  const taken: QueuedGrant[] = []
  const digests = new Set<string | undefined>()
  for (let i = 0; i < waiting.length && taken.length < maxSize; ) {
    const { key, signature } = waiting[i]?.once?.write ?? {}
    // A repeated request waits for the next batch, and finds the answer to the first.
    const isRepeated = [key, signature].some((one) => one !== undefined && digests.has(one))
    if (waiting[i]?.input.aid === aid && !isRepeated) {
      taken.push(...waiting.splice(i, 1))
      digests.add(key).add(signature)
    } else i++
  }
  // All processes use the same order, so that two batches can't deadlock on each other's users.
  return taken.sort((a, b) => compare(emailKey(a.input.email), emailKey(b.input.email)))
}

/** Writes grants of one application in one transaction. */
async function writeGrants(
  database: EnvironmentDatabase,
  taken: readonly QueuedGrant[],
  clocks: () => Clocks,
): Promise<Map<QueuedGrant, GrantResult | Failure>> {
  return await database.write(async (trx) => {
    if (database.engine === 'postgres' && taken.length > 1) {
      await sql`set local lock_timeout = ${sql.lit(BATCH_LOCK_TIMEOUT_MS)}`.execute(trx)
    }
    const times = clocks()
    const results = await claimAll(trx, taken, times)
    const open = taken.filter((one) => !results.has(one))
    const inputs = open.map(({ input }) => input)
    const outcomes = await grantMany(trx, inputs, times)
    const granted = outcomes.filter(isGranted).map(({ accessId }) => accessId)
    const rows = await getAccessByIds(trx, taken[0]?.input.aid as string, granted)
    for (const [i, one] of open.entries()) {
      const outcome = outcomes[i] as GrantOutcome
      const row = isGranted(outcome) ? rows.get(outcome.accessId) : undefined
      results.set(one, row ? { row } : (outcome as Failure))
    }
    await recordAll(trx, open, results, times)
    return results
  })
}

/** Returns the results of the requests that need no grant any more: they took effect before, or are refused. */
async function claimAll(
  trx: Trx,
  taken: readonly QueuedGrant[],
  { realTime }: Clocks,
): Promise<Map<QueuedGrant, GrantResult | Failure>> {
  const results = new Map<QueuedGrant, GrantResult | Failure>()
  const claiming = taken.filter(({ once }) => once !== undefined)
  const writes = claiming.map(({ once }) => once?.write as WriteRequest)
  const claims = await claimWrites(trx, writes, realTime)
  for (const [i, claim] of claims.entries()) {
    if (claim === undefined) continue
    results.set(claiming[i] as QueuedGrant, claim instanceof Failure ? claim : { stored: claim })
  }
  return results
}

async function recordAll(
  trx: Trx,
  open: readonly QueuedGrant[],
  results: ReadonlyMap<QueuedGrant, GrantResult | Failure>,
  { realTime }: Clocks,
): Promise<void> {
  const recorded: Parameters<typeof recordWrites>[1][number][] = []
  const refused: WriteRequest[] = []
  for (const one of open) {
    const result = results.get(one)
    if (!one.once || !result) continue
    const { write, toAnswer } = one.once
    if ('row' in result) {
      recorded.push({ write, answer: { ...toAnswer(result.row), uid: result.row.uid } })
    } else refused.push(write)
  }
  await recordWrites(trx, recorded, realTime)
  await releaseWrites(trx, refused)
}

/** PostgreSQL's error code for a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether an error concerns the whole batch, as an outage does. Any other may be caused by a single grant. */
const isBatchError = (error: unknown) =>
  toOutageFailure(error) !== undefined && errorCodeOf(error) !== LOCK_NOT_AVAILABLE

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const isGranted = (outcome: GrantOutcome): outcome is Exclude<GrantOutcome, Failure> =>
  !(outcome instanceof Failure)
