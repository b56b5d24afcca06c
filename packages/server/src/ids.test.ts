import { afterEach, describe, expect, it, vi } from 'vitest'
import { newUid } from './ids.ts'

describe('a uid', () => {
  afterEach(() => vi.restoreAllMocks())
  const headOf = (uid: string) => uid.slice(0, 3)

  it('has 20 characters, of which 17 are its own', () => {
    const uids = Array.from({ length: 5_000 }, newUid)
    expect(uids.every((uid) => /^[0-9A-Za-z]{20}$/.test(uid))).toBe(true)
    expect(new Set(uids.map((uid) => uid.slice(3))).size).toBe(uids.length)
  })

  it('begins like those made before it, for a thousand of them', () => {
    const heads = Array.from({ length: 20_000 }, () => headOf(newUid()))
    const changes = heads.flatMap((head, i) => (i > 0 && head !== heads[i - 1] ? [i] : []))
    // Two heads in a row are the same once in 238,328 times, which joins two of the thousands.
    expect(changes.length).toBeGreaterThanOrEqual(18)
    expect(changes.slice(1).every((at, i) => (at - (changes[i] as number)) % 1_000 === 0)).toBe(
      true,
    )
  })

  it('begins otherwise after a minute', () => {
    const start = performance.now()
    let passed = 0
    vi.spyOn(performance, 'now').mockImplementation(() => start + passed)
    const heads = Array.from({ length: 10 }, () => {
      passed += 61_000
      return headOf(newUid())
    })
    expect(new Set(heads).size).toBeGreaterThanOrEqual(8)
  })
})
