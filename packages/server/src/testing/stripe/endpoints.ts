import { newId } from '../../ids.ts'
import { parseUrl } from '../../parse-url.ts'
import { invalidRequest, resourceMissing } from './errors.ts'
import { type Params, textAt, textsAt } from './form.ts'
import type { FakeEndpoint, Ledger } from './ledger.ts'

/** Stripe calls only URLs on the internet, and in live mode only with TLS. */
export function createEndpoint(ledger: Ledger, params: Params): object {
  const url = textAt(params, 'url') ?? ''
  const { protocol, hostname } = parseUrl(url) ?? { protocol: '', hostname: '' }
  if (protocol !== 'https:' || /^(localhost|127\.|\[)/.test(hostname)) {
    const message = 'Invalid URL: URL must be publicly accessible.'
    throw invalidRequest(message, { code: 'url_invalid', param: 'url' })
  }
  const enabled_events = Object.values(textsAt(params, 'enabled_events'))
  if (enabled_events.length === 0) {
    throw invalidRequest('Missing required param: enabled_events.', { param: 'enabled_events' })
  }
  const endpoint: FakeEndpoint = {
    object: 'webhook_endpoint',
    id: `we_${newId()}`,
    url,
    status: 'enabled',
    enabled_events,
    metadata: textsAt(params, 'metadata'),
    secret: `whsec_${newId()}`,
  }
  ledger.endpoints.set(endpoint.id, endpoint)
  return endpoint
}

export function deleteEndpoint(ledger: Ledger, _params: Params, id: string): object {
  if (!ledger.endpoints.delete(id)) throw resourceMissing('webhook_endpoint', id, 404)
  return { object: 'webhook_endpoint', id, deleted: true }
}

/** Stripe shows a secret only once. */
export const withoutSecrets = ({ endpoints }: Ledger): Map<string, FakeEndpoint> =>
  new Map([...endpoints].map(([id, { secret: _, ...shown }]) => [id, shown]))
