import { expect, it } from 'vitest'
import { parseUrl } from './parse-url.ts'

it('an address with a letter outside ASCII stays one, however often it is asked about', () => {
  // One string that V8 stores with a byte for each character.
  const address = JSON.parse('"https://ex\\u00e4mple.com/"') as string
  const refused = Array.from({ length: 50_000 }, () => parseUrl(address)).filter((url) => !url)
  expect(refused).toEqual([])
  expect(parseUrl('no address')).toBeUndefined()
  expect(parseUrl('/x', 'https://example.com')?.href).toBe('https://example.com/x')
})
