import { describe, expect, it } from 'vitest'
import { leastProcessorMs } from '../../../testing/hostile/processor-time.ts'
import { ResourceNameIndex } from './resources.ts'

const many = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n))
const MAX_REASON = 500

describe('resources with the same name', () => {
  const name = 'N'.repeat(250)
  const twins = many(2_000, (n) => ({ rid: `${n}`.padStart(200, 'r'), name }))

  it('are named in short, however many rows name them and however long their names are', () => {
    const index = new ResourceNameIndex(twins)
    const before = process.memoryUsage().heapUsed
    const reasons = many(2_000, (n) => index.read(n % 2 ? name : name.toLowerCase()))
    for (const reason of reasons) {
      expect(reason).toMatch(/^several resources are called “[Nn]{59}…”: write r+… or r+/)
      expect((reason as string).length).toBeLessThan(MAX_REASON)
    }
    // A text with all labels for each row would be 900 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * 2 ** 20)
  })

  it('are named with what may be written, and how many more there are', () => {
    const index = new ResourceNameIndex(many(1_234, (n) => ({ rid: `r${n}`, name: 'Twin' })))
    expect(index.read('twin')).toBe(
      'several resources are called “twin”: write Twin (r0) or Twin (r1) or Twin (r2), or one of 1,231 more',
    )
    expect(index.read('twin (R1233)')).toEqual({ value: 'r1233' })
    const long = new ResourceNameIndex(['a', 'b'].map((rid) => ({ rid, name })))
    expect(long.read(name)).toMatch(/: write a or b$/)
  })

  it('are indexed in a time in proportion to their number', () => {
    const equal = many(20_000, (n) => ({ rid: `${n}`, name: 'Twin' }))
    expect(leastProcessorMs(() => new ResourceNameIndex(equal), 200)).toBeLessThan(200)
  })
})

describe('a cell with thousands of marks on one letter', () => {
  it.each([
    ['above and then below', 'a\u0301'.padEnd(16_000, '\u0301') + '\u0316'.repeat(16_000)],
    ['above and below in turns', `a${'\u0301\u0316'.repeat(16_000)}`],
  ])('names no resource, and is not normalized: %s', (_, cell) => {
    const index = new ResourceNameIndex([{ rid: 'a', name: 'á' }])
    expect(index.read(cell)).toContain('there is no resource')
    expect((index.read(cell) as string).length).toBeLessThan(MAX_REASON)
    expect(leastProcessorMs(() => index.read(cell), 50)).toBeLessThan(50)
    expect(index.read('A\u0301')).toEqual({ value: 'a' })
  })
})
