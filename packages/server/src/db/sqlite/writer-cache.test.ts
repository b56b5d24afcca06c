import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, vi } from 'vitest'
import { createWriterCache } from './writer-cache.ts'

it('The cache of the writer is large while batches are written, and small soon after the last one', () => {
  vi.useFakeTimers()
  const writer = new DatabaseSync(':memory:')
  const megabytes = () =>
    (writer.prepare('pragma cache_size').get() as { cache_size: number }).cache_size / -1024
  const cache = createWriterCache(writer, 10_000)
  expect(megabytes()).toBe(8)
  cache.growForBatch()
  expect(megabytes()).toBe(64)
  vi.advanceTimersByTime(9_000)
  cache.growForBatch()
  vi.advanceTimersByTime(9_000)
  expect(megabytes()).toBe(64)
  vi.advanceTimersByTime(1_000)
  expect(megabytes()).toBe(8)
  cache.growForBatch()
  expect(megabytes()).toBe(64)
  cache.close()
  writer.close()
  // A timer that was left would fail on the closed database.
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
})
