import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { openBooks, stopBooks } from '../../testing/stripe/books.ts'
import { MEASURED, type Measured, ReadMeter } from '../../testing/stripe/measure-reads.ts'

const PAGE = new URL('../../../../../docs/internals/benchmark.md', import.meta.url)

/** A shop in 30 days: half of its sales are renewed. */
const SHOP: Readonly<Record<Measured, number>> = {
  'a sale with its first renewal': 100,
  'a checkout page that is opened and not paid': 300,
  'a refund that stays pending for 10 days': 5,
  'a renewal that stays `processing` for 5 days': 5,
  'a daily reconciliation': 30,
}
const SALES = 2 * SHOP['a sale with its first renewal']
const ALLOWED = Math.max(10_000, 500 * SALES)

/** The rows of the table in a section of the benchmark page. */
function rowsOf(heading: string): string[] {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split(`${heading}\n`)
  const lines = section.split('\n## ')[0]?.split('\n') ?? []
  return lines.filter((line) => line.startsWith('|')).slice(2)
}

// The pauses between two looks are random; the table has those in the middle.
beforeAll(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterAll(() => {
  vi.restoreAllMocks()
})

describe.each(databases)('reads from Stripe on $name', (database) => {
  const reads = new Map<string, number>()
  const readsOf = (what: Measured, withEvents: boolean) => reads.get(`${what} ${withEvents}`) ?? 0
  const sumOf = (withEvents: boolean) =>
    MEASURED.reduce((sum, what) => sum + SHOP[what] * readsOf(what, withEvents), 0)

  it.each(MEASURED.flatMap((what) => [true, false].map((withEvents) => ({ what, withEvents }))))(
    'of $what, events: $withEvents',
    async ({ what, withEvents }) => {
      const books = await openBooks(database)
      try {
        const count = await new ReadMeter(books, withEvents).measure(what)
        reads.set(`${what} ${withEvents}`, count)
        expect(count).toBeGreaterThan(0)
      } finally {
        await stopBooks(books)
      }
    },
  )

  it('are those of the benchmark page', () => {
    const counts = MEASURED.map((what) => [what, readsOf(what, true), readsOf(what, false)])
    const sums = [sumOf(true), sumOf(false)].map((sum) => sum.toLocaleString('en'))
    const table = [...counts, ['that shop in 30 days', ...sums]]
    expect(rowsOf('## Reads from Stripe')).toEqual(table.map((row) => `| ${row.join(' | ')} |`))
  })

  it('are less than half of what Stripe allows a shop, also without events', () => {
    expect(sumOf(true)).toBeLessThan(5_000)
    expect(sumOf(false)).toBeLessThan(ALLOWED / 2)
  })
})
