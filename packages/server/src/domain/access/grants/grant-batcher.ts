import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { EnvironmentDatabase } from '../../../db/database.ts'
import { errorCodeOf, toOutageFailure } from '../../../db/outage.ts'
import { Failure } from '../../../errors.ts'
import { emailKey } from '../../users/email.ts'
import { type AccessRow, getAccessByIds } from '../details.ts'
import { type GrantOutcome, grantMany } from './grant.ts'
import type { Clocks, Grant } from './input.ts'

/** Collects grants from concurrent callers and writes them in batches. */
export interface GrantBatcher {
  grant(input: Grant): Promise<AccessRow>
}

interface QueuedGrant {
  input: Grant
  resolve(row: AccessRow): void
  reject(error: unknown): void
}

/** Maximum grants per transaction. With more, every caller would wait for a long batch. */
const MAX_BATCH_SIZE = 64

/** How long a batch waits for a locked row. After that, its grants are written one by one. */
const BATCH_LOCK_TIMEOUT_MS = 500

/** Concurrent batches. On PostgreSQL, one that waits for a lock must not delay the rest; SQLite has one writer. */
const MAX_CONCURRENT_BATCHES = { sqlite: 1, postgres: 4 }

/**
 * Writes the pending grants in one transaction, because a disk flush takes as long for many grants as for one.
 * Callers get their response after the commit. An outage fails the whole batch; after any other error, its
 * grants are written one by one.
 */
export function createGrantBatcher(
  database: EnvironmentDatabase,
  clocks: () => Clocks,
  maxBatchSize = MAX_BATCH_SIZE,
): GrantBatcher {
  const waiting: QueuedGrant[] = []
  let activeWorkers = 0

  async function work(): Promise<void> {
    activeWorkers++
    // Lets every grant of this turn of the event loop join the batch.
    await setImmediate()
    while (waiting.length > 0) await settle(takeNext())
    activeWorkers--
  }

  /** Takes the grants of the application that has waited longest. Grants to one address keep their order. */
  function takeNext(): QueuedGrant[] {
    const aid = waiting[0]?.input.aid
    const taken: QueuedGrant[] = []
    for (let i = 0; i < waiting.length && taken.length < maxBatchSize; ) {
      if (waiting[i]?.input.aid === aid) taken.push(...waiting.splice(i, 1))
      else i++
    }
    // All processes use the same order, so that two batches can't deadlock on each other's users.
    return taken.sort((a, b) => compare(emailKey(a.input.email), emailKey(b.input.email)))
  }

  async function settle(taken: readonly QueuedGrant[]): Promise<void> {
    try {
      const results = await writeGrants(
        database,
        taken.map(({ input }) => input),
        clocks,
      )
      for (const [i, { resolve, reject }] of taken.entries()) {
        const result = results[i] as AccessRow | Failure
        if (result instanceof Failure) reject(result)
        else resolve(result)
      }
    } catch (error) {
      if (isBatchError(error) || taken.length === 1) for (const { reject } of taken) reject(error)
      // Not awaited: a grant that waits for a lock may take long and must not delay the next batch.
      else for (const one of taken) void settle([one])
    }
  }

  return {
    grant(input) {
      return new Promise((resolve, reject) => {
        waiting.push({ input, resolve, reject })
        if (activeWorkers < MAX_CONCURRENT_BATCHES[database.engine]) void work()
      })
    },
  }
}

/** Writes grants of one application in one transaction. */
async function writeGrants(
  database: EnvironmentDatabase,
  grants: readonly Grant[],
  clocks: () => Clocks,
): Promise<(AccessRow | Failure)[]> {
  return await database.write(async (trx) => {
    if (database.engine === 'postgres' && grants.length > 1) {
      await sql`set local lock_timeout = ${sql.lit(BATCH_LOCK_TIMEOUT_MS)}`.execute(trx)
    }
    const outcomes = await grantMany(trx, grants, clocks())
    const granted = outcomes.filter(isGranted).map(({ accessId }) => accessId)
    const rows = await getAccessByIds(trx, grants[0]?.aid as string, granted)
    return outcomes.map((outcome) =>
      isGranted(outcome) ? (rows.get(outcome.accessId) as AccessRow) : outcome,
    )
  })
}

/** PostgreSQL's error code for a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether an error concerns the whole batch, as an outage does. Any other may be caused by a single grant. */
const isBatchError = (error: unknown) =>
  toOutageFailure(error) !== undefined && errorCodeOf(error) !== LOCK_NOT_AVAILABLE

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const isGranted = (outcome: GrantOutcome): outcome is Exclude<GrantOutcome, Failure> =>
  !(outcome instanceof Failure)
