import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import file from '../signing-vectors.json' with { type: 'json' }
import { ParameterError } from './errors.ts'
import {
  encodeParameters,
  parseAuthorization,
  sign,
  signedParameters,
  signedString,
} from './signing.ts'

const keys = new Map(file.applications.map(({ aid, keys }) => [aid, keys]))
const isField = (body: string) => body.startsWith('authorization=')

describe('the published vectors', () => {
  it('are what their generator makes', () => {
    const generator = fileURLToPath(
      new URL('../../../scripts/signing-vectors.mjs', import.meta.url),
    )
    expect(() => execFileSync(process.execPath, [generator, '--check'])).not.toThrow()
  })

  it('are many, for every reason', () => {
    const counts: Record<string, number> = {}
    for (const { expect } of file.vectors) {
      const reason = expect.reason ?? 'good'
      counts[reason] = (counts[reason] ?? 0) + 1
    }
    expect(file.vectors.length).toBeGreaterThanOrEqual(100)
    expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(5)
    expect(Object.keys(counts).sort()).toEqual([
      'application_unknown',
      'authorization_malformed',
      'authorization_missing',
      'authorization_repeated',
      'good',
      'signature_wrong',
    ])
  })

  it.each(file.vectors.filter(({ expect }) => expect.ok))('sign $name', async (vector) => {
    const { method, target, body } = vector.request
    const { aid = '', signed_string, signature, parameters } = vector.expect
    const signedBody = isField(body) ? '' : body
    expect(signedString(method, target, signedBody)).toBe(signed_string)
    const signatures = (keys.get(aid) ?? []).map((key) => sign(key, signed_string as string))
    expect(await Promise.all(signatures)).toContain(signature)
    const covered = new URLSearchParams(signedParameters(target, signedBody))
    expect([...covered]).toEqual(parameters)
  })

  it.each(file.vectors.filter(({ expect }) => expect.reason === 'authorization_malformed'))(
    'refuse $name',
    ({ request }) => {
      expect(parseAuthorization(request.authorization[0] as string)).toBeUndefined()
    },
  )
})

describe('encodeParameters', () => {
  it('refuses half a surrogate pair with an error of this client, which names the parameter', () => {
    for (const user_ref of ['\ud800', 'a\udfffb', '\ud83d ']) {
      expect(() => encodeParameters({ user_ref })).toThrow(ParameterError)
      expect(() => encodeParameters({ user_ref })).toThrow('user_ref: must not contain half')
    }
    expect(encodeParameters({ user_ref: '\ud83d\ude00' })).toBe('user_ref=%F0%9F%98%80')
  })

  it('is read back by any form decoder', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(fc.dictionary(text, text), (parameters) => {
        const encoded = encodeParameters(parameters)
        expect([...new URLSearchParams(encoded)]).toEqual(Object.entries(parameters))
      }),
    )
  })

  it('leaves nothing for a URL parser to escape, so that what is signed is what is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const query = encodeParameters({ a, b })
        expect(new URL(`http://host/r2/access?${query}`).search).toBe(`?${query}`)
      }),
    )
  })

  it('leaves out what is undefined, and writes numbers and flags as text', () => {
    expect(encodeParameters({ a: undefined, b: 1, c: true, d: '' })).toBe('b=1&c=true&d=')
  })
})

it('a text is signed as bytes, one for each character', async () => {
  // RFC 4231, test case 3: key and text have bytes above 127.
  const mac = '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'
  expect(await sign('\xaa'.repeat(20), '\xdd'.repeat(50))).toBe(
    Buffer.from(mac, 'hex').toString('base64url'),
  )
})
