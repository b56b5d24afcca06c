import {
  createManagementToken,
  type NewManagementToken,
  type TokenRole,
} from '../domain/staff/management-tokens.ts'
import { send, type TestResponse } from './http/requests.ts'
import type { TestService } from './service.ts'

/** A program with a management token. */
export interface TestProgram {
  id: string
  token: string
  /** Calls a path below `/management/v1`. */
  call(method: string, path: string, body?: unknown): Promise<ProgramResponse>
}

export interface ProgramResponse extends TestResponse {
  /** Undefined if there is no JSON body. */
  json: never
}

/** Calls the management API with these headers, as a program does. */
export async function callManagement(
  url: string,
  method: string,
  path: string,
  { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<ProgramResponse> {
  const response = await send(url, `/management/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const isJson = /json/.test(response.headers['content-type'] ?? '') && response.text !== ''
  return { ...response, json: (isJson ? JSON.parse(response.text) : undefined) as never }
}

/** Makes a token for a program. */
export async function newProgram(
  { ctx, url }: Pick<TestService, 'ctx' | 'url'>,
  role: TokenRole,
  more: Partial<NewManagementToken> = {},
): Promise<TestProgram> {
  const now = ctx.environments.production.realTime()
  const input = { name: `${role} program`, role, aid: null, endsAt: null, madeBy: null, ...more }
  const { token, row } = await ctx.control.write((trx) => createManagementToken(trx, input, now))
  return {
    id: row.id,
    token,
    call: (method, path, body) =>
      callManagement(url, method, path, { body, headers: { authorization: `Bearer ${token}` } }),
  }
}
