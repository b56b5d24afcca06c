import { createHmac } from 'node:crypto'
import type { Millis } from '../../../db/tables.ts'

/** The prefix of a secret; 32 bytes in Base64 follow. */
const PREFIX = 'whsec_'

/** The content that is signed. The body must be sent as it is, byte for byte. */
export interface SignedMessage {
  id: string
  body: string
  at: Millis
}

/** Returns the headers of the Standard Webhooks specification. Every live secret signs, so that a receiver can switch to
 * a new one at any time during a rotation. */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, at }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Gatehouse-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
