import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leastProcessorMs } from '../testing/hostile/processor-time.ts'
import { withoutAddresses } from './addresses.ts'

it('addresses are left out of a log line, and nothing else is', () => {
  expect(withoutAddresses('<ann@example.com>: (550) "bob@b"; @nobody, x@ failed')).toBe(
    '<(address)>: (550) "(address)"; @nobody, x@ failed',
  )
})

it('the same is left out as by a pattern over the whole text', () => {
  const pattern = /[^\s<>"'(),:;=]+@[^\s<>"'(),:;=]+/g
  const text = fc.array(fc.constantFrom('a', '@', ' ', '<', ';', 'b')).map((all) => all.join(''))
  const property = fc.property(text, (one) => {
    expect(withoutAddresses(one)).toBe(one.replace(pattern, '(address)'))
  })
  fc.assert(property, { numRuns: 2_000 })
})

it('a long line without any takes no time', () => {
  const line = 'a'.repeat(40_000)
  expect(leastProcessorMs(() => withoutAddresses(line), 50)).toBeLessThan(50)
})
