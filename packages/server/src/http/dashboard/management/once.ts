import type { Environment } from '../../../context.ts'
import type { EnvironmentDatabase } from '../../../db/database.ts'
import { createGrantBatcher } from '../../../domain/access/grants/grant-batcher.ts'
import {
  abandonWrite,
  claimWrite,
  findAnswer,
  finishWrite,
  recordWrite,
  releaseWrites,
  type StoredAnswer,
} from '../../../domain/idempotency/handled-requests.ts'
import { describeWrite, type WriteRequest } from '../../../domain/idempotency/write-request.ts'
import { Failure, fail } from '../../../errors.ts'
import type { AppRequest, Route } from '../route.ts'

/** The header, as Node names it. */
const HEADER = 'idempotency-key'

export const MAX_KEY_LENGTH = 255

/** Each request makes a new link; links are never stored. */
const LINKS = /^POST .*\/(?:manage-)?links$/

/** Whether a change can be repeated under its key. */
export const takesKey = ({ method, action, management }: Route): boolean =>
  method !== 'GET' && action !== undefined && management !== undefined && !LINKS.test(management)

/**
 * Handles a change by a program at most once for each `Idempotency-Key`. Handlers have transactions of their own: the first one
 * claims the key, so that the effect and the claim are there or not there together. The answer follows when the handler
 * is done; until then, the same request gets a 503.
 */
export async function handleOnce(
  route: Route,
  request: AppRequest,
  work: (request: AppRequest) => Promise<unknown>,
): Promise<unknown> {
  const write = readWrite(route, request)
  if (write === undefined) return await work(request)
  const { env, reply } = request
  const { database, realTime } = env
  const find = () => findAnswer(database.read, write, realTime()).catch(asConflict)
  const replay = (stored: StoredAnswer) => {
    if (stored.isProvisional) throw fail('answer_lost')
    reply.header('Idempotent-Replayed', 'true')
    return stored.body
  }
  const known = await find()
  if (known) return replay(known)
  const claim = claimOnce(env, write)
  try {
    const answer = await work({ ...request, env: claim.env })
    if (claim.isMade()) await finish(database, write, answer, readerOf(route, request, answer))
    return answer
  } catch (error) {
    if (claim.isMade()) await giveUp(database, write, error)
    else {
      // A concurrent request with the key may have changed what this one has read.
      const other = await find()
      if (other) return replay(other)
    }
    throw error
  }
}

/** A stored answer is not sent instead of an error of its own. */
function asConflict(error: unknown): never {
  const isReused = error instanceof Failure && error.code === 'idempotency_key_reused'
  throw isReused ? fail('idempotency_key_conflict') : error
}

/** Describes the request by its key and content; undefined without a key, or if the route stores none. */
function readWrite(route: Route, request: AppRequest): WriteRequest | undefined {
  const { aid, caller, params, query, body } = request
  const { headers } = request.request
  const key = headers[HEADER]
  if (key === undefined || !takesKey(route)) return undefined
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    throw fail('invalid_request', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters.`)
  }
  if (/octet-stream/i.test(headers['content-type'] ?? '')) {
    throw fail('invalid_request', "An upload can't have an Idempotency-Key.")
  }
  return describeWrite({
    ...{ aid, owner: caller.actor, route: String(route.management), idempotencyKey: key },
    parameters: Object.entries({ params, query, body }).map(([name, value]) => [
      name,
      withSortedKeys(value),
    ]),
  })
}

/** The same object with its keys in one order, so that equal requests have equal digests. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([name, one]) => [name, withSortedKeys(one)]))
}

/** Returns the environment with a database whose first transaction claims the key. */
function claimOnce(env: Environment, write: WriteRequest) {
  const { database, realTime } = env
  let isMade = false
  const claiming: EnvironmentDatabase = {
    ...database,
    async write(fn, options) {
      if (isMade) return await database.write(fn, options)
      const result = await database.write(async (trx) => {
        const other = await claimWrite(trx, write, realTime()).catch(asConflict)
        if (other) throw fail('request_running')
        const answer = { status: 200, body: {}, isProvisional: true }
        await recordWrite(trx, write, answer, realTime())
        return await fn(trx)
      }, options)
      isMade = true
      return result
    },
  }
  const clocks = () => ({ now: env.clock(), realTime: realTime() })
  const parts = { database: claiming, grants: createGrantBatcher(claiming, clocks) }
  const changed = Object.assign(Object.create(env), parts) as Environment
  return { env: changed, isMade: () => isMade }
}

const finish = (
  database: EnvironmentDatabase,
  write: WriteRequest,
  body: unknown,
  uid: string | undefined,
) => database.write((trx) => finishWrite(trx, write, { status: 200, body, uid }))

/** The reader with whom an answer is erased. After an erasure or a merge, the reader in the path is gone. */
function readerOf(
  { management }: Route,
  { params, body }: AppRequest,
  answer: unknown,
): string | undefined {
  if (String(management).endsWith('/erase')) return undefined
  if (String(management).endsWith('/merge')) return (body as { into: string }).into
  return params.uid ?? findUid(answer)
}

function findUid(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { uid } = answer as { uid?: unknown }
  if (typeof uid === 'string') return uid
  for (const part of Object.values(answer)) {
    const found = findUid(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** A refused request can be sent again with its key. If nobody knows how far another one came, it is not repeated. */
async function giveUp(
  database: EnvironmentDatabase,
  write: WriteRequest,
  error: unknown,
): Promise<void> {
  const isRefused = error instanceof Failure && error.status < 500
  await database.write((trx) =>
    isRefused ? releaseWrites(trx, [write]) : abandonWrite(trx, write),
  )
}
