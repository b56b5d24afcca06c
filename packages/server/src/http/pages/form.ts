import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { fail } from '../../errors.ts'
import { parseUrl } from '../../parse-url.ts'

const FORM = /^application\/x-www-form-urlencoded *(;|$)/i

/** Longer than any origin that a browser sends. The time to parse one grows with the square of its length. */
const MAX_ORIGIN = 300

/** Returns undefined for what is no origin, such as `null`. */
export const parseOrigin = (text: string): URL | undefined =>
  text.length <= MAX_ORIGIN ? parseUrl(text) : undefined

/**
 * Rejects forms sent from another site, before their body is read. There is no cookie for CSRF to exploit, but
 * merely opening some page must not make anybody buy or cancel. Browsers send `Sec-Fetch-Site` or `Origin` with
 * a form; a request with neither is taken for a program and let through.
 */
export function requireOwnForm(env: Environment) {
  return async ({ headers }: FastifyRequest): Promise<void> => {
    const site = headers['sec-fetch-site']
    if (site !== undefined) {
      if (site !== 'same-origin' && site !== 'none') throw fail('foreign_form')
      return
    }
    const { origin, host } = headers
    if (origin === undefined) return
    const own = parseOrigin(origin)
    if (!own || (own.host !== host && own.origin !== new URL(env.address()).origin)) {
      throw fail('foreign_form')
    }
  }
}

/** Returns the trimmed fields of a form; rejects a repeated one. The caller validates the values. */
export function readForm({ body, headers }: FastifyRequest): Record<string, string> {
  if (!(body instanceof Buffer) || body.length === 0) return {}
  if (!FORM.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined) {
    throw fail('invalid_request', 'The body must be of type application/x-www-form-urlencoded.')
  }
  const pairs = [...new URLSearchParams(body.toString('utf8'))]
  const fields = Object.fromEntries(pairs.map(([name, value]) => [name, value.trim()]))
  if (Object.keys(fields).length < pairs.length) {
    throw fail('invalid_request', 'A form field is given more than once.')
  }
  return fields
}
