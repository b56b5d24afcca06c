import type { Seconds } from '../../../db/tables.ts'
import type { LinkedFile } from '../html.ts'
import type { Message } from '../read-payload.ts'
import type { TemplateKind } from '../template-kinds.ts'

const DAY: Seconds = 86_400

/** The settings of the application that a sample shows: its currency and its seller. */
export interface SampleSource {
  currency: string
  seller: { name: string; address: string; tax_line: string }
  now: Seconds
}

/** Makes up the payload of a mail of this kind, to preview a template with it. */
export function sampleMessage(kind: TemplateKind, source: SampleSource): Message {
  const { currency, seller, now } = source
  const url = 'https://example.com/issue-7'
  const common = { at: now, resource: 'Issue 7', first_name: 'Ann', amount: 999, currency }
  const subscription = 'sample'
  const monthly = { subscription, period: '1 month', price: 999, payment: 'sample', url, seller }
  const failed = { ...common, subscription, failure: 'declined' }
  switch (kind) {
    case 'grant':
      return {
        kind,
        payload: {
          ...{ rid: 'issue-7', resource: 'Issue 7', url, first_name: 'Ann' },
          message: 'With our thanks for your patience.',
          ends: now + 30 * DAY,
        },
      }
    case 'receipt':
      return { kind, payload: { ...common, ...monthly, ends: now + 30 * DAY } }
    case 'trial_started':
      return {
        kind: 'receipt',
        payload: { ...common, ...monthly, amount: 0, ends: now + 14 * DAY },
      }
    case 'trial_ends':
      return { kind, payload: { ...common, subscription, period: '1 month', ends: now + 3 * DAY } }
    case 'payment_failed':
      return { kind, payload: { ...failed, retry: now + DAY, ends: now + 7 * DAY } }
    case 'subscription_ended':
      return { kind: 'payment_failed', payload: { ...failed, retry: null, ends: now } }
    case 'canceled':
      return { kind, payload: { ...common, subscription, ends: now + 20 * DAY } }
    case 'refunded':
      return { kind, payload: { ...common, payment: 'sample', reason: null, seller } }
    case 'address_changed':
      return { kind, payload: { at: now, first_name: 'Ann', role: 'removed', other: 'a…@e….org' } }
  }
}

/** Files as a mail lists them. */
export const sampleFiles = (url: string): LinkedFile[] => [
  { title: 'Issue 7', details: 'PDF, 8.4 MB', url },
  { title: 'Issue 7 for e-readers', details: 'EPUB, 1.2 MB', url },
]
