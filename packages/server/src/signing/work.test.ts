import { createHmac } from 'node:crypto'
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

// Another test file may have loaded these modules with the real `node:crypto`.
vi.resetModules()
const { checkSignature } = await import('./check.ts')
const { checkPurchaseLink } = await import('./links.ts')

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

const LINK = '/checkout/OneKey0001/news?expires=1700000000'
const signedWith = (key: string) => {
  const derived = createHmac('sha256', key).update('gatehouse purchase link v1').digest()
  return createHmac('sha256', derived).update(LINK).digest('base64url')
}
const [older, newer] = KEYS.TwoKeys002 as [string, string]

it.each([
  ['of an unknown application', [], 'A'.repeat(43)],
  ['of an application with one key, forged', [older], 'A'.repeat(43)],
  ['of an application with two keys, forged', [older, newer], 'A'.repeat(43)],
  ['signed with the first of two keys', [older, newer], signedWith(older)],
  ['signed with the second of two keys', [older, newer], signedWith(newer)],
])('a purchase link %s costs four MACs', (_, keys, signature) => {
  macs.count = 0
  checkPurchaseLink(keys, `${LINK}&signature=${signature}`, 0)
  expect(macs.count).toBe(4)
})
