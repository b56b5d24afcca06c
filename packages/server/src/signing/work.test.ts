import { expect, it, vi } from 'vitest'

const macs = vi.hoisted(() => ({ count: 0 }))
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  return {
    ...crypto,
    createHmac: (...all: Parameters<typeof crypto.createHmac>) => {
      macs.count++
      return crypto.createHmac(...all)
    },
  }
})

const { checkSignature } = await import('./check.ts')

const KEYS: Record<string, string[]> = {
  OneKey0001: ['a'.repeat(40)],
  TwoKeys002: ['b'.repeat(40), 'c'.repeat(40)],
}

it.each([
  ['an unknown application', 'Unknown001'],
  ['a wrong signature of an application with one key', 'OneKey0001'],
  ['a wrong signature of an application with two keys', 'TwoKeys002'],
])('%s costs two MACs', (_, aid) => {
  macs.count = 0
  const authorization = [`${aid}:${'A'.repeat(43)}`]
  const request = { method: 'GET', target: '/r2/access', authorization, body: '' }
  expect(checkSignature((who) => KEYS[who] ?? [], request).ok).toBe(false)
  expect(macs.count).toBe(2)
})
