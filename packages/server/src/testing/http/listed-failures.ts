import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Prefixes } from '../../config/addresses.ts'
import { isCanonical } from '../../signing/canonical.ts'

interface Contract {
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  'x-also-at'?: string
  responses: Record<string, { content: { 'application/json': { examples?: object } } }>
}

/**
 * Compares the errors that a service answers with those that the contract lists. Returns a function that lists what
 * was answered although the contract does not name it for its operation.
 */
export function watchFailures(app: FastifyInstance, prefixes: Prefixes): () => string[] {
  const unlisted = new Set<string>()
  const look = ({ method = '', url = '' }: IncomingMessage, status: number, body: string) => {
    const target = Object.values(prefixes)
      .map((prefix) => (url.startsWith(`${prefix}/r2/`) ? url.slice(prefix.length) : undefined))
      .find((found) => found !== undefined)
    const operation = target && findOperation(app.swagger() as unknown as Contract, method, target)
    if (!operation) return
    const { code } = (JSON.parse(body) as { error: { code: string } }).error
    const { examples = {} } = operation.responses[status]?.content['application/json'] ?? {}
    if (!(code in examples)) unlisted.add(`${method} ${target.split('?')[0]}: ${status} ${code}`)
  }
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
    response.end = ((...args: unknown[]) => {
      const { statusCode } = response
      if (statusCode >= 400 && typeof args[0] === 'string') look(request, statusCode, args[0])
      return end(...args)
    }) as typeof response.end
  })
  return () => [...unlisted]
}

function findOperation({ paths }: Contract, method: string, target: string): Operation | undefined {
  const path = target.split('?')[0] as string
  // Refused by the router before any endpoint, as the contract says about all paths.
  if (!isCanonical(target) || !isDecodable(path)) return undefined
  for (const [pattern, methods] of Object.entries(paths)) {
    const operation = methods[method.toLowerCase()]
    const isHere = [pattern, operation?.['x-also-at']].some(
      (one) => one && new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
    if (operation && isHere) return operation
  }
  return undefined
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
