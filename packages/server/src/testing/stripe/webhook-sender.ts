import Stripe from 'stripe'
import { shuffled } from '../random.ts'
import type { FakeEvent } from './ledger.ts'

export interface SignedEvent {
  headers: Record<string, string>
  body: string
}

export interface Delivery {
  /** When the events are signed, in milliseconds; now by default. */
  at?: number
  /** How often each event is sent. */
  copies?: number
  /** If given, the order is random. */
  random?: () => number
}

export function sign(event: object, secret: string, at = Date.now()): SignedEvent {
  const payload = JSON.stringify(event)
  const timestamp = Math.floor(at / 1000)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return {
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  }
}

/** Returns a function that sends all events that were not accepted yet. */
export function createWebhookSender(events: readonly FakeEvent[], secret: string) {
  const taken = new Set<string>()
  return async (url: string, { at, copies = 1, random }: Delivery = {}): Promise<number[]> => {
    const waiting = events.filter(({ id }) => !taken.has(id))
    const all = Array.from({ length: copies }, () => waiting).flat()
    const statuses: number[] = []
    for (const event of random ? shuffled(all, random) : all) {
      const status = await sendEvent(url, sign(event, secret, at))
      if (status >= 200 && status < 300) taken.add(event.id)
      statuses.push(status)
    }
    return statuses
  }
}

async function sendEvent(url: string, { headers, body }: SignedEvent): Promise<number> {
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  } catch {
    // The service is down, or went down: the next call sends the event again.
    return 0
  }
}
