import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { type Answer, claimWrite, type NewAnswer, recordWrite } from './handled-requests.ts'
import type { WriteRequest } from './write-request.ts'

/** An answer, and whether an earlier request had it already. */
export interface OnceAnswer extends Answer {
  isReplayed: boolean
}

interface OnceContext {
  database: EnvironmentDatabase
  realTime(): Millis
}

/** Runs a write in one transaction, unless a request with its key took effect before: then its answer is returned. */
export async function writeOnce(
  { database, realTime }: OnceContext,
  write: WriteRequest,
  effect: (trx: Trx) => Promise<Omit<NewAnswer, 'isProvisional'>>,
): Promise<OnceAnswer> {
  return await database.write(async (trx) => {
    const stored = await claimWrite(trx, write, realTime())
    if (stored) return { status: stored.status, body: stored.body, isReplayed: true }
    const answer = await effect(trx)
    await recordWrite(trx, write, answer, realTime())
    return { status: answer.status, body: answer.body, isReplayed: false }
  })
}
