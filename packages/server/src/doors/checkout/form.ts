import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { fail } from '../../errors.ts'

const FORM = /^application\/x-www-form-urlencoded *(;|$)/i

/**
 * Refuses forms that another site has sent, before anything of them is read. There is no cookie to ride
 * on, but nobody shall be made to buy or cancel by a page that they only looked at. Browsers tell by
 * themselves where a form comes from; what is no browser tells nothing.
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
    const own = URL.canParse(origin) && new URL(origin)
    if (!own || (own.host !== host && own.origin !== new URL(env.address()).origin)) {
      throw fail('foreign_form')
    }
  }
}

/** The fields of a form, trimmed; each of them once. What they may hold is for the fields to say. */
export function readForm({ body, headers }: FastifyRequest): Record<string, string> {
  if (!(body instanceof Buffer) || body.length === 0) return {}
  if (!FORM.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined) {
    throw fail('invalid_request', 'The body must be of type application/x-www-form-urlencoded.')
  }
  const pairs = [...new URLSearchParams(body.toString('utf8'))]
  const fields = Object.fromEntries(pairs.map(([name, value]) => [name, value.trim()]))
  if (Object.keys(fields).length < pairs.length) {
    throw fail('invalid_request', 'A field of the form is given twice.')
  }
  return fields
}
