import { expect, it } from 'vitest'
import { isWholeAddress } from './search-text.ts'

it.each([
  ['ann@example.com', true],
  ['jörg.b@mail.example.co', true],
  ['ann@example', false],
  ['ann@example.c', false],
  ['ann b@example.com', false],
  ['@example.com', false],
])('a search for %s is one for a complete address, or not', (text, isWhole) => {
  expect(isWholeAddress(text)).toBe(isWhole)
})

it('a long text of dots and signs is looked at in no time', () => {
  const before = process.cpuUsage()
  expect(isWholeAddress('x@.'.repeat(1_300))).toBe(false)
  expect(isWholeAddress('x@.'.repeat(85))).toBe(false)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(50)
})
