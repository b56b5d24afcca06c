import type { Insertable } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { HandledRequestTable, Millis } from '../../db/tables.ts'
import { Failure, fail } from '../../errors.ts'
import type { WriteRequest } from './write-request.ts'

/** How long the answer to a request with a key is kept. */
const KEY_KEPT_MS: Millis = 7 * 86_400_000

/** How long a signature is remembered. A `ts` may be 300 s ahead and is accepted for 300 s after its time; the last
 * minute is for machines whose clocks differ. */
const SIGNATURE_KEPT_MS: Millis = 660_000

/** How long a request that is still handled after its transaction blocks others with its key. */
const LEASE_MS: Millis = 30_000

/** The answer to a request that took effect. */
export interface Answer {
  status: number
  body: unknown
}

export interface NewAnswer extends Answer {
  /** The reader whom the answer is about, so that it can be erased with the reader. */
  uid?: string | null | undefined
  /** Whether the final answer follows: see `finishWrite`. */
  isProvisional?: boolean
}

/** The answer to an earlier request with the same key. */
export interface StoredAnswer extends Answer {
  /** True if the process that handled the request stopped before it had the final answer. */
  isProvisional: boolean
}

type Row = HandledRequestTable

/**
 * Begins a write: returns the stored answer if a request with its key took effect before, otherwise undefined. Call it
 * first in the transaction of the effect. A concurrent request with the same key waits here until this transaction
 * ends. Throws if the key belongs to another request, or if a request with this signature took effect.
 */
export async function claimWrite(
  trx: Trx,
  write: WriteRequest,
  realTime: Millis,
): Promise<StoredAnswer | undefined> {
  const [claim] = await claimWrites(trx, [write], realTime)
  if (claim instanceof Failure) throw claim
  return claim
}

/** Does the same for several writes of one application, no two with the same key. Failures are returned. */
export async function claimWrites(
  trx: Trx,
  writes: readonly WriteRequest[],
  realTime: Millis,
): Promise<(StoredAnswer | Failure | undefined)[]> {
  const wanted = writes.flatMap((write) => rowsOf(write, realTime))
  const [aid] = writes.map((write) => write.aid)
  if (aid === undefined || wanted.length === 0) return writes.map(() => undefined)
  // All transactions insert in the same order, before they lock anything else, so that no two can deadlock.
  wanted.sort((a, b) => (a.digest < b.digest ? -1 : 1))
  const added = await trx
    .insertInto('handled_requests')
    .values(wanted)
    .onConflict((conflict) => conflict.columns(['aid', 'digest']).doNothing())
    .returning('digest')
    .execute()
  if (added.length === wanted.length) return writes.map(() => undefined)
  const isNew = new Set(added.map(({ digest }) => digest))
  const digests = wanted.map(({ digest }) => digest).filter((digest) => !isNew.has(digest))
  const rows = await listRows(trx, 'handled_requests', { aid, digest: digests })
  const known = new Map(rows.map((row) => [row.digest, row]))
  const claims = writes.map((write) => judge(write, known, realTime))
  const refused = writes.filter((_, i) => claims[i] instanceof Failure)
  await deleteRequests(
    trx,
    aid,
    digestsOf(refused).filter((digest) => isNew.has(digest)),
  )
  return claims
}

const digestsOf = (writes: readonly WriteRequest[]): string[] =>
  writes.flatMap(({ key, signature }) => [key, signature].filter((one) => one !== undefined))

async function deleteRequests(trx: Trx, aid: string, digests: readonly string[]): Promise<void> {
  if (digests.length === 0) return
  await trx
    .deleteFrom('handled_requests')
    .where('aid', '=', aid)
    .where('digest', 'in', padList(digests))
    .execute()
}

/** The rows of a write that has no answer yet. */
function rowsOf({ aid, key, content, signature }: WriteRequest, realTime: Millis): Row[] {
  const empty = { aid, uid: null, status: null, body: null, lease_until: null }
  return [
    ...(key === undefined
      ? []
      : [{ ...empty, digest: key, kind: 'key' as const, content, ends: realTime + KEY_KEPT_MS }]),
    ...(signature === undefined
      ? []
      : [
          {
            ...{ ...empty, digest: signature, kind: 'signature' as const, content: '' },
            ends: realTime + SIGNATURE_KEPT_MS,
          },
        ]),
  ]
}

function judge(
  { key, content, signature }: WriteRequest,
  known: ReadonlyMap<string, Row>,
  realTime: Millis,
): StoredAnswer | Failure | undefined {
  const row = key === undefined ? undefined : known.get(key)
  if (!row) {
    const isReplay = signature !== undefined && known.has(signature)
    return isReplay ? fail('request_replayed') : undefined
  }
  // First, because the content is gone too.
  if (row.body === null) return fail('answer_erased')
  if (row.content !== content) return fail('idempotency_key_reused')
  if (row.lease_until !== null && row.lease_until > realTime) return fail('request_running')
  return {
    status: row.status as number,
    body: JSON.parse(row.body),
    isProvisional: row.lease_until !== null,
  }
}

/** Ends a write that took effect, in the same transaction. */
export async function recordWrite(
  trx: Trx,
  write: WriteRequest,
  answer: NewAnswer,
  realTime: Millis,
): Promise<void> {
  await recordWrites(trx, [{ write, answer }], realTime)
}

/** Does the same for several writes of one application, in one statement. */
export async function recordWrites(
  trx: Trx,
  all: readonly { write: WriteRequest; answer: NewAnswer }[],
  realTime: Millis,
): Promise<void> {
  const rows = all.flatMap(({ write, answer }) => answeredRow(write, answer, realTime))
  if (rows.length === 0) return
  await trx
    .insertInto('handled_requests')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['aid', 'digest']).doUpdateSet((eb) => ({
        uid: eb.ref('excluded.uid'),
        status: eb.ref('excluded.status'),
        body: eb.ref('excluded.body'),
        lease_until: eb.ref('excluded.lease_until'),
      })),
    )
    .execute()
}

function answeredRow(
  write: WriteRequest,
  { status, body, uid = null, isProvisional = false }: NewAnswer,
  realTime: Millis,
): Insertable<Row>[] {
  const [row] = rowsOf({ ...write, signature: undefined }, realTime)
  if (!row) return []
  const lease_until = isProvisional ? realTime + LEASE_MS : null
  return [{ ...row, uid, status, body: JSON.stringify(body), lease_until }]
}

/** Undoes the claims of new writes that were refused after all, in a transaction that commits what others did. */
export async function releaseWrites(trx: Trx, writes: readonly WriteRequest[]): Promise<void> {
  const [aid] = writes.map((write) => write.aid)
  if (aid !== undefined) await deleteRequests(trx, aid, digestsOf(writes))
}

/** Finds the answer to a request with the key of this one, without claiming the key. Throws as `claimWrite` does. */
export async function findAnswer(
  db: Db,
  write: WriteRequest,
  realTime: Millis,
): Promise<StoredAnswer | undefined> {
  const { aid, key } = write
  if (key === undefined) return undefined
  const rows = await listRows(db, 'handled_requests', { aid, digest: [key] })
  const found = judge(write, new Map(rows.map((row) => [row.digest, row])), realTime)
  if (found instanceof Failure) throw found
  return found
}

/** Replaces a provisional answer by the final one. Not if the reader was erased meanwhile. */
export async function finishWrite(
  trx: Trx,
  { aid, key }: WriteRequest,
  { status, body, uid }: Answer & { uid?: string | undefined },
): Promise<void> {
  if (key === undefined) return
  await trx
    .updateTable('handled_requests')
    .set({
      status,
      body: JSON.stringify(body),
      lease_until: null,
      ...(uid === undefined ? {} : { uid }),
    })
    .where((eb) => eb.and({ aid, digest: key }))
    .where('body', 'is not', null)
    .execute()
}

/** Lets the next request with the key continue what this one left unfinished. */
export async function abandonWrite(trx: Trx, { aid, key }: WriteRequest): Promise<void> {
  if (key === undefined) return
  await trx
    .updateTable('handled_requests')
    .set({ lease_until: 0 })
    .where((eb) => eb.and({ aid, digest: key }))
    .where('lease_until', 'is not', null)
    .execute()
}
