import { expect, it } from 'vitest'
import { aidInCheckoutId, newCheckoutId } from './checkout-ids.ts'

const AID = 'A123456789'

it('an id names its application, and is random behind that from the first character on', () => {
  const ids = Array.from({ length: 2_000 }, () => newCheckoutId(AID))
  expect(new Set(ids.map(aidInCheckoutId))).toEqual(new Set([AID]))
  const secrets = ids.map((id) => id.slice(AID.length + 1))
  // 62 characters: 22 of them are 131 bits.
  expect(new Set(secrets.map(({ length }) => length))).toEqual(new Set([22]))
  for (let i = 0; i < 22; i++) expect(new Set(secrets.map((one) => one[i])).size).toBe(62)
})

it('an id of an older version names its application too, and nothing else does', () => {
  expect(aidInCheckoutId(`${AID}-${'a'.repeat(20)}`)).toBe(AID)
  expect(aidInCheckoutId('a'.repeat(20))).toBeUndefined()
  expect(aidInCheckoutId(`${AID}-${'a'.repeat(19)}`)).toBeUndefined()
  expect(aidInCheckoutId(`${AID}-${'a'.repeat(23)}`)).toBeUndefined()
})
