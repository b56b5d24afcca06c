import { newId } from '../../ids.ts'
import type { FakeDispute, FakeIntent, FakeRefund, Ledger } from './ledger.ts'

/** What other systems on the account may look like: imported ids, statuses of other versions and countries, fields that
 * are null or not there, and currencies that we don't know. None of it is ours. */

const INTENTS: readonly object[] = [
  { customer: 'cus-old.1', payment_method: 'card-old.1' },
  { status: 'requires_something_new', latest_charge: 7 },
  { metadata: null },
  { metadata: { gatehouse_something: 'else' }, currency: 'zzz' },
  { amount: null, created: null },
]

const REFUNDS: readonly object[] = [
  { status: null },
  { status: 'requires_something_new' },
  { metadata: null, payment_intent: null },
  { payment_intent: 'pi_gone', charge: null, currency: 'zzz' },
  { amount: 'all' },
]

const DISPUTES: readonly object[] = [
  { status: null },
  { payment_intent: null, is_charge_refundable: null },
  { payment_intent: 'pi_gone', amount: -1, currency: null },
]

const SESSIONS: readonly object[] = [
  { mode: 'subscription', payment_intent: null },
  { client_reference_id: 'order 1/2', status: null, metadata: null },
]

const ENDPOINTS: readonly object[] = [
  { url: null, status: 'paused', enabled_events: ['*'], metadata: { 'an app': 1 } },
]

/** Adds them, and emits events about those that have an own kind of event. */
export function addForeignObjects(ledger: Ledger): void {
  const common = { created: ledger.seconds(), metadata: {}, currency: 'eur', amount: 999 }
  function add<T>(items: Map<string, T>, prefix: string, object: string, odd: object): string {
    const id = `${prefix}_foreign${newId()}`
    ledger.markOdd(id, 'of another system')
    items.set(id, { ...common, object, id, ...odd } as T)
    return id
  }
  const usual = { status: 'succeeded', amount_received: 999, customer: null, latest_charge: null }
  const [intent] = INTENTS.map((odd) =>
    add<FakeIntent>(ledger.intents, 'pi', 'payment_intent', { ...usual, ...odd }),
  )
  const about = { payment_intent: intent }
  for (const odd of REFUNDS) {
    const id = add<FakeRefund>(ledger.refunds, 're', 'refund', { ...about, ...odd })
    ledger.emitEvent('refund.updated', ledger.refunds.get(id) as object)
  }
  for (const odd of DISPUTES) {
    const id = add<FakeDispute>(ledger.disputes, 'du', 'dispute', { ...about, ...odd })
    ledger.emitEvent('charge.dispute.created', ledger.disputes.get(id) as object)
  }
  for (const odd of SESSIONS) add(ledger.sessions, 'cs', 'checkout.session', odd)
  for (const odd of ENDPOINTS) add(ledger.endpoints, 'we', 'webhook_endpoint', odd)
}
