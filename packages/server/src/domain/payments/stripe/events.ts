import Stripe from 'stripe'
import { Value } from 'typebox/value'
import type { EventOwner, EventSubject, ReceivedEvent } from '../provider.ts'
import type { StripeApi } from './api.ts'
import { METADATA_KEYS } from './metadata.ts'
import { Event } from './schemas.ts'

/** Maximum age of an event's signature on arrival. The event itself may be older: Stripe signs each redelivery anew. */
const TOLERANCE_S = 300

/** Returns the event if Stripe signed these bytes recently. */
export function readSignedEvent(
  { headers, body, realTime }: ReceivedEvent,
  webhookSecret: string,
): { event: unknown } | undefined {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string') return undefined
  try {
    const event = Stripe.webhooks.constructEvent(
      body.toString('utf8'),
      signature,
      webhookSecret,
      TOLERANCE_S,
      undefined,
      realTime,
    )
    return { event }
  } catch {
    return undefined
  }
}

const IS_COMPLETE = /^checkout\.session\.(completed|async_payment_succeeded)$/

/** Returns what an event is about; empty for ignored types and for objects of other systems on the account. */
export async function subjectsOf(event: unknown, api: StripeApi): Promise<EventSubject[]> {
  if (!Value.Check(Event, event)) return []
  const { type, data } = event
  const { id, metadata, payment_intent, created } = data.object
  if (type.startsWith('checkout.session.')) {
    const checkoutId = metadata?.[METADATA_KEYS.checkout]
    if (checkoutId === undefined) return []
    const page = {
      ref: id,
      owner: ownerOf(metadata),
      created: created ?? 0,
      paymentRef: typeof payment_intent === 'string' ? payment_intent : undefined,
    }
    return [{ kind: 'checkout', checkoutId, isComplete: IS_COMPLETE.test(type), page }]
  }
  if (type.startsWith('payment_intent.')) {
    const paymentId = metadata?.[METADATA_KEYS.payment]
    const subject = { kind: 'payment' as const, paymentId, ref: id, owner: ownerOf(metadata) }
    return paymentId === undefined ? [] : [{ ...subject, paymentId }]
  }
  if (type.startsWith('refund.') || type === 'charge.refund.updated') {
    // Includes refunds without our id: someone made them in Stripe's dashboard.
    const refundId = metadata?.[METADATA_KEYS.refund]
    const named = refundId === undefined ? {} : { refundId, owner: ownerOf(metadata) }
    if (refundId === undefined && typeof payment_intent !== 'string') return []
    return [{ kind: 'refund', ref: id, ...named, ...paymentRefIn(payment_intent) }]
  }
  return type.startsWith('charge.dispute.') ? await disputedPayment(payment_intent, api) : []
}

const ownerOf = (metadata: Readonly<Record<string, string>> | null | undefined): EventOwner => ({
  installation: metadata?.[METADATA_KEYS.installation],
  aid: metadata?.[METADATA_KEYS.aid],
})

const paymentRefIn = (value: unknown) => (typeof value === 'string' ? { paymentRef: value } : {})

/** A dispute does not carry our metadata, but its payment does. */
async function disputedPayment(ref: unknown, api: StripeApi): Promise<EventSubject[]> {
  if (typeof ref !== 'string') return []
  const metadata = await api.findIntentLabels(ref)
  const paymentId = metadata?.[METADATA_KEYS.payment]
  if (paymentId === undefined) return []
  return [{ kind: 'payment', paymentId, ref, owner: ownerOf(metadata) }]
}
