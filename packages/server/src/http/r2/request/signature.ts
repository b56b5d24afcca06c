import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import {
  checkSignature,
  type ReceivedRequest,
  type SignatureCheck,
} from '../../../signing/check.ts'
import { valuesOf } from '../../headers.ts'
import type { RequestLimits } from '../../limits.ts'
import { callOf } from './refused-calls.ts'

/** The application that signed a request, and what the signature covers. */
export interface SignedRequest {
  aid: string
  /** Identifies the key; null if the key has just been replaced. */
  keyId: string | null
  /** Still encoded: the exact bytes that were signed. */
  parameters: string
  /** Without padding: one request has one signature for each key. */
  signature: string
}

declare module 'fastify' {
  interface FastifyRequest {
    signed: SignedRequest
  }
}

function receivedRequest(request: FastifyRequest, prefix: string): ReceivedRequest {
  return {
    method: request.method,
    // The bytes as sent, from /r2/ on; the router has already matched the prefix.
    target: (request.raw.url as string).slice(prefix.length),
    authorization: valuesOf(request.raw, 'authorization'),
    contentType: request.headers['content-type'],
    body: request.body instanceof Buffer ? request.body.toString('latin1') : '',
  }
}

async function check(env: Environment, received: ReceivedRequest): Promise<SignatureCheck> {
  const { keyring } = env
  const stale = keyring.refreshIfStale()
  if (stale) await stale
  const first = checkSignature(keyring.keysOf, received)
  if (first.ok || first.aid === undefined) return first
  // The request may be signed with a key that another process has just created.
  await keyring.refresh()
  return checkSignature(keyring.keysOf, received)
}

/** Runs before anything in the request but its raw bytes is examined. */
export function signatureHook(
  env: Environment,
  prefix: string,
  { perApplication, counted }: RequestLimits,
) {
  return async (request: FastifyRequest): Promise<void> => {
    const result = await check(env, receivedRequest(request, prefix))
    if (!result.ok) {
      request.log.info({ reason: result.reason, environment: env.name }, 'request refused')
      noteRefusal(env, request, prefix, result)
      throw fail('unauthorized')
    }
    const { aid, parameters, signature } = result
    const keyId = env.keyring.idOf(aid, result.key) ?? null
    if (keyId !== null) env.calls.used(keyId)
    request.signed = { aid, keyId, parameters, signature }
    if (!request.isSelfRequest && !counted.has(request.raw)) perApplication.count(aid)
    if (result.bodyType !== 'none' && request.headers['content-encoding'] !== undefined) {
      throw fail('invalid_request', 'A compressed body is not accepted.')
    }
    if (result.bodyType === 'other') {
      throw fail('invalid_request', 'The body must be of type application/x-www-form-urlencoded.')
    }
  }
}

/** Records it for the AID that the request names. Whether that application exists is checked when it is written. */
function noteRefusal(
  env: Environment,
  request: FastifyRequest,
  prefix: string,
  { aid, reason }: Extract<SignatureCheck, { ok: false }>,
): void {
  if (aid === undefined) return
  const { status } = fail('unauthorized')
  const call = callOf(request, prefix)
  env.calls.refused({ aid, ...call, status, reason, parameter: null, key_id: null })
}
