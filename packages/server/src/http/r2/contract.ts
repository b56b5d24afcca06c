import type { RouteShorthandOptions } from 'fastify'
import { Type } from 'typebox'
import { type FailureCode, fail } from '../../errors.ts'
import { schemaOf } from '../../parameters.ts'
import type { RecordSchema } from '../../records/declare.ts'
import { ErrorResponse } from '../../records/error.ts'
import { writeParameters } from './request/write-request.ts'

/** The description of an endpoint in the contract. */
export interface Endpoint {
  id: string
  summary: string
  description: string
  parameters: Parameters<typeof schemaOf>[0]
  /** Names and descriptions of the path parameters. */
  path?: Readonly<Record<string, string>>
  /** The record in its response. */
  response: RecordSchema
  /** The ways to fail that this endpoint has, beyond those of every endpoint and of every write. */
  failures?: readonly FailureCode[]
  /** An alternative path that clients also use. */
  alsoAt?: string
  /** Whether a request changes something. Such a request can have an idempotency key and a time. */
  isWrite?: true
  /** Documents the parameters as a form body alone, because they may be too long for a query. It takes both. */
  isForm?: true
  /** Documents that the endpoint exists in the sandbox only. It guards nothing: `r2.ts` does not register such routes
   * in production. */
  sandboxOnly?: true
}

const EVERYWHERE: readonly FailureCode[] = [
  'invalid_parameter',
  'invalid_request',
  'unauthorized',
  'https_required',
  'method_not_allowed',
  'too_many_requests',
  'internal_error',
  'overloaded',
  'database_unavailable',
]

const OF_WRITES: readonly FailureCode[] = [
  'idempotency_key_reused',
  'request_replayed',
  'ts_out_of_range',
  'answer_erased',
  'request_running',
  'storage_full',
]

const MEANINGS: Readonly<Record<number, string>> = {
  400: "A parameter is missing or can't be read.",
  401: 'Authorization failed; see `WWW-Authenticate`.',
  402: 'The method is not allowed here, or a rule refuses the request.',
  403: 'The request was sent over plain HTTP, although the service has an https address.',
  404: 'The record was not found.',
  429: 'The limit that the operator has set is reached; see `Retry-After`.',
  500: 'An internal error.',
  503: 'Overloaded, restarting or without a database; see `Retry-After`.',
}

/** Refers to a record by its name, so that the contract describes it once. */
const refTo = ({ $id }: RecordSchema) => Type.Ref($id)

/** Returns the route schema: it limits the response to its record, and the contract is generated from it. */
export function contract(endpoint: Endpoint): RouteShorthandOptions {
  const failures = failuresOf(endpoint)
  const parameters = endpoint.isWrite
    ? { ...endpoint.parameters, ...writeParameters }
    : endpoint.parameters
  const params = Object.entries(endpoint.path ?? {}).map(([name, description]) => [
    name,
    Type.String({ description }),
  ])
  return {
    config: { isWrite: endpoint.isWrite ?? false },
    schema: {
      operationId: endpoint.id,
      summary: endpoint.summary,
      description: endpoint.alsoAt
        ? `${endpoint.description} \`${endpoint.alsoAt}\` is the same. Sign the path that you send.`
        : endpoint.description,
      security: [{ signature: [] }],
      ...(endpoint.alsoAt ? { 'x-also-at': endpoint.alsoAt } : {}),
      ...(endpoint.isForm ? { 'x-form': true } : {}),
      ...(endpoint.sandboxOnly ? { 'x-sandbox-only': true } : {}),
      'x-error-codes': failures,
      querystring: schemaOf(parameters),
      ...(params.length > 0 ? { params: Type.Object(Object.fromEntries(params)) } : {}),
      response: {
        200: { description: 'Success.', ...refTo(endpoint.response) },
        ...Object.fromEntries(
          failures.map((code) => {
            const { status } = fail(code)
            return [status, { description: MEANINGS[status], ...refTo(ErrorResponse) }]
          }),
        ),
      },
    },
  } as RouteShorthandOptions
}

/** All ways in which an endpoint can fail, by status. */
function failuresOf({ failures = [], isWrite }: Endpoint): FailureCode[] {
  const codes = [...EVERYWHERE, ...(isWrite ? OF_WRITES : []), ...failures]
  return [...new Set(codes)].sort((a, b) => fail(a).status - fail(b).status)
}

/** Hides the alternative path, which the contract mentions but does not describe again. */
export const hidden = ({ schema }: RouteShorthandOptions): RouteShorthandOptions => ({
  schema: { ...schema, hide: true } as object,
})
