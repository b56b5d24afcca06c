import { lookup } from 'node:dns/promises'
import type { Millis } from '../../db/tables.ts'
import { createWebhookClient } from '../../domain/webhooks/calls/http-client.ts'
import { WebhookCallError } from '../../domain/webhooks/calls/problems.ts'
import { signedHeaders } from '../../domain/webhooks/calls/signature.ts'
import { OperatorError } from '../../errors.ts'
import { parseUrl } from '../../parse-url.ts'

/** How a site answered: a status, or why it did not. */
export type Forwarded = { status: number } | { error: string }

/** Sends events to the site of a developer. */
export interface Forwarder {
  send(event: { id: string; body: string }, at: Millis, stop: AbortSignal): Promise<Forwarded>
  close(): void
}

/** Everywhere: the developer who runs the command chooses the address, and could call it by any other means. */
const ANYWHERE = ['0.0.0.0/0', '::/0']

/** Creates a forwarder that signs as webhooks are signed. It asks the system for addresses: `localhost` is no name of DNS. */
export function createForwarder(text: string, secret: string): Forwarder {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new OperatorError('--forward-to must be a URL like http://localhost:3000/webhooks')
  }
  const resolve = (host: string) => lookup(host, { all: true })
  const client = createWebhookClient({ allow: ANYWHERE, resolve })
  return {
    async send({ id, body }, at, stop) {
      const headers = signedHeaders([secret], { id, body, at })
      try {
        const { status } = await client.post({ url: url.href, headers, body, stop })
        return { status }
      } catch (error) {
        if (error instanceof WebhookCallError) return { error: error.message }
        throw error
      }
    },
    close: client.close,
  }
}
