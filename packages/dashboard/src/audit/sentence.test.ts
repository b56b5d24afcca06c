import type { AuditEntry } from '@gatehouse/server/dashboard-api'
import { expect, it } from 'vitest'
import { AUDIT_SENTENCES, INFINITIVES, UNKNOWN_PARTS } from '../texts/sentences.ts'
import { sentenceText } from './sentence.tsx'

const entry = (action: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ seq: 1, at: 0, staff_id: 'x', email: 'petra@example.com', outcome: 'done' },
  ...{ token_id: null, address: null, agent: null, session_id: null, os_user: null },
  ...{ environment: 'sandbox', aid: 'AID', action, params: {}, details: {}, member: null },
  about: null,
  ...more,
})
const gina = { id: 'u1', name: 'Gina Rossi' }
const about = { person: gina, into: null, resource: { id: 'maps', name: 'Maps' }, file: null }

it.each<[AuditEntry, string]>([
  [
    entry('payment.refund', { about, details: { amount: 100, currency: 'USD' } }),
    'Petra refunded 1.00 USD to Gina Rossi',
  ],
  [entry('payment.refund'), 'Petra refunded a payment to a person'],
  [
    entry('payment.refund', { about, outcome: 'on_hold' }),
    'Petra tried to refund a payment to Gina Rossi',
  ],
  [entry('access.grant', { about }), 'Petra granted Gina Rossi access to Maps'],
  [entry('settings.change', { details: { changed: 'accent' } }), 'Petra changed the accent color'],
  [
    entry('settings.change', { details: { changed: 'accent tax_line' } }),
    'Petra changed the accent color and the tax line',
  ],
  [entry('team.role', { member: 'Anna' }), 'Petra changed the role of Anna'],
  [
    entry('team.invite', { details: { email: 'new@example.com' } }),
    'Petra invited new@example.com',
  ],
  [
    entry('person.merge', { about: { ...about, into: { id: 'u2', name: 'Bob' } } }),
    'Petra merged Gina Rossi into Bob',
  ],
  [
    entry('application.copy', {
      details: { target: 'production', resources: 3, brand: true, templates: true, failed: 0 },
    }),
    'Petra copied 3 resources, the brand and the email templates to production',
  ],
  [
    entry('application.copy', { details: { target: 'sandbox', resources: 1, brand: false } }),
    'Petra copied 1 resource to sandbox',
  ],
  [
    entry('application.copy', { outcome: 'copy_changed' }),
    'Petra tried to copy resources and settings to the other environment',
  ],
  [entry('future.thing'), 'Petra did “future.thing”'],
])('an entry reads: %#', (given, sentence) => {
  expect(sentenceText('Petra', given)).toBe(sentence)
})

it('has a verb and known parts in every sentence', () => {
  for (const [action, sentence] of Object.entries(AUDIT_SENTENCES)) {
    expect([action, INFINITIVES[sentence.split(' ')[0] ?? '']]).not.toEqual([action, undefined])
    for (const [, part = ''] of sentence.matchAll(/\{(\w+)\}/g)) {
      expect(Object.keys(UNKNOWN_PARTS), action).toContain(part)
    }
  }
})
