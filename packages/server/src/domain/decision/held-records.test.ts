import { expect, it } from 'vitest'
import { type HeldSource, lastToEndFirst } from './held-records.ts'

const sourceOf = (more: Partial<HeldSource>) =>
  ({ id: 'm', kind: 'purchase', created: 100, ends: 1_000, closed: null, ...more }) as HeldSource

it.each([
  ['ends later', { ends: 1_001 }, {}],
  ['ends later, whatever else', { ends: 1_001, id: 'a', created: 1 }, { closed: 500, ends: 2_000 }],
  ['was not closed before its end', {}, { closed: 999 }],
  ['was closed by somebody when the other ended', { ends: 2_000, closed: 1_000 }, {}],
  [
    'was closed by somebody, although it is older',
    { ends: 2_000, closed: 1_000, created: 1, id: 'a' },
    { created: 200, id: 'z' },
  ],
  ['is newer', { created: 101 }, {}],
  ['is newer, whatever its id', { created: 101, id: 'a' }, { id: 'z' }],
  ['has the later id, of two that are alike', { id: 'n' }, {}],
] as [string, Partial<HeldSource>, Partial<HeldSource>][])(
  'of two sources the first is the one that %s',
  (_, first, second) => {
    const [one, other] = [sourceOf(first), sourceOf(second)]
    expect([one, other].toSorted(lastToEndFirst)).toEqual([one, other])
    expect([other, one].toSorted(lastToEndFirst)).toEqual([one, other])
  },
)
