import { expect, it } from 'vitest'
import { createRecentCache } from './recent-cache.ts'

it('keeps the names that were used last, and a bounded number of them', () => {
  const memory = createRecentCache<number>(10)
  for (let n = 0; n < 1000; n++) {
    memory.set(`name ${n}`, n)
    memory.get('name 0')
  }
  expect(memory.get('name 0')).toBe(0)
  for (let n = 991; n < 1000; n++) expect(memory.get(`name ${n}`)).toBe(n)
  const kept = Array.from({ length: 1000 }, (_, n) => memory.get(`name ${n}`))
  expect(kept.filter((one) => one !== undefined).length).toBeLessThanOrEqual(20)
})
