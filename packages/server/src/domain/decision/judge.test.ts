import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import type { HeldRecord, HeldSource } from './held-records.ts'
import {
  codeOfSource,
  endOfRecord,
  findHoldingSource,
  findNextChange,
  isLive,
  listOpen,
  winnerFirst,
} from './judge.ts'

const NOW = 1_000

const sourceOf = (more: Partial<HeldSource> = {}): HeldSource =>
  ({
    ...{ id: 's', kind: 'purchase', starts: null, ends: NOW + 10, closed: null, trial_ends: null },
    ...{ next_due: null, next_step: null, subscription_status: null, ...more },
  }) as HeldSource
const recordOf = (more: Partial<HeldRecord> = {}): HeldRecord => ({
  ...{ id: 'a', rid: 'news', ends: NOW + 10, revoked: null, sources: [], ...more },
})
const withSources = (...sources: Partial<HeldSource>[]) =>
  recordOf({ sources: sources.map(sourceOf) })

describe('access is live', () => {
  it('until the second in which it ends', () => {
    expect(isLive(recordOf({ ends: NOW + 1 }), NOW)).toBe(true)
    expect(isLive(recordOf({ ends: NOW }), NOW)).toBe(false)
  })

  it('unless it was revoked', () => {
    expect(isLive(recordOf({ revoked: NOW - 1 }), NOW)).toBe(false)
  })
})

describe('of several records that open a resource', () => {
  const first = (...records: Partial<HeldRecord>[]) =>
    records.map(recordOf).toSorted(winnerFirst('news'))[0]

  it('its own wins, also over a pass that lasts longer', () => {
    const [own, pass] = [{ id: 'own' }, { id: 'pass', rid: 'all', ends: FOREVER }]
    expect([first(own, pass)?.id, first(pass, own)?.id]).toEqual(['own', 'own'])
  })

  it('the pass wins that ends last', () => {
    const [short, long] = [
      { id: 'short', rid: 'one', ends: NOW + 5 },
      { id: 'long', rid: 'two', ends: NOW + 6 },
    ]
    expect([first(short, long)?.id, first(long, short)?.id]).toEqual(['long', 'long'])
  })

  it('the first wins of equal ones', () => {
    expect(first({ id: 'one', rid: 'x' }, { id: 'two', rid: 'y' })?.id).toBe('one')
  })
})

describe('the sources of a record', () => {
  it('are open until they end or are closed', () => {
    const record = withSources(
      { id: 'open', ends: NOW + 1 },
      { id: 'over', ends: NOW },
      { id: 'closed', closed: NOW - 1 },
    )
    expect(listOpen(record, NOW).map(({ id }) => id)).toEqual(['open'])
  })

  it('hold it by the first that has begun, or else by the first', () => {
    const queued = { id: 'queued', starts: NOW + 1 }
    const held = (...sources: Partial<HeldSource>[]) =>
      findHoldingSource(withSources(...sources), NOW)?.id
    expect(held(queued, { id: 'begun', starts: NOW })).toBe('begun')
    expect(held(queued, { id: 'grant' })).toBe('grant')
    expect(held(queued)).toBe('queued')
    expect(held()).toBeUndefined()
  })

  it.each([
    ['granted', { kind: 'grant' }],
    ['purchased', { kind: 'purchase' }],
    ['canceled', { kind: 'subscription', subscription_status: 'canceled' }],
    ['grace', { kind: 'subscription', subscription_status: 'past_due' }],
    ['subscribed', { kind: 'subscription', subscription_status: 'active', trial_ends: NOW + 1 }],
    ['trial', { kind: 'subscription', subscription_status: 'trialing', trial_ends: NOW + 1 }],
    ['subscribed', { kind: 'subscription', subscription_status: 'trialing', trial_ends: NOW }],
    ['subscribed', { kind: 'subscription', subscription_status: 'trialing' }],
  ] as [string, Partial<HeldSource>][])('are called %s', (code, source) => {
    expect(codeOfSource(sourceOf(source), NOW)).toBe(code)
  })

  it('say when the record ended: when the first of them ended or was closed', () => {
    expect(endOfRecord(recordOf({ ends: 7 }))).toBe(7)
    expect(endOfRecord(withSources({ ends: 5 }, { ends: 4 }))).toBe(5)
    expect(endOfRecord(withSources({ ends: 5, closed: 3 }))).toBe(3)
    expect(endOfRecord(withSources({ ends: 5, closed: 6 }))).toBe(5)
  })
})

describe('the next change', () => {
  const next = (...sources: Partial<HeldSource>[]) => findNextChange([withSources(...sources)], NOW)

  it('is the first of all moments that are still to come', () => {
    expect(next({ ends: NOW + 9 }, { ends: NOW + 8 })).toBe(NOW + 8)
    expect(next({ starts: NOW + 3 })).toBe(NOW + 3)
    expect(next({ trial_ends: NOW + 4 })).toBe(NOW + 4)
    expect(next({ next_due: NOW + 5, next_step: 'renew' })).toBe(NOW + 5)
    expect(next({ starts: NOW, trial_ends: NOW - 1, ends: NOW + 2 })).toBe(NOW + 2)
  })

  it('is never a notice, the end of what is closed, or the end of time', () => {
    expect(next({ ends: FOREVER })).toBeUndefined()
    expect(next({ ends: NOW + 2, closed: NOW })).toBeUndefined()
    const noticed = { ends: FOREVER, next_due: NOW + 5, next_step: 'trial_notice' } as const
    expect(next(noticed)).toBeUndefined()
  })
})
