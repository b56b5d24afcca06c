import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import file from '../../../sdk/signing-vectors.json' with { type: 'json' }
import { parseForm } from '../parameters.ts'
import { mutatedAuthorizations } from '../testing/http/bad-authorizations.ts'
import { hmac } from '../testing/http/raw-http.ts'
import { reencodings } from '../testing/http/reencodings.ts'
import { checkSignature, type ReceivedRequest } from './check.ts'

const known = new Map(file.applications.map(({ aid, keys }) => [aid, keys]))
const keysOf = (aid: string) => known.get(aid) ?? []
const [{ aid, keys }] = file.applications as [{ aid: string; keys: [string] }]
const [key] = keys

const get = (target: string, authorization: string): ReceivedRequest => ({
  method: 'GET',
  target,
  authorization: [authorization],
  body: '',
})

describe('the published vectors', () => {
  it.each(file.vectors)('$name', ({ request, expect: expected }) => {
    const { content_type, ...rest } = request
    const result = checkSignature(keysOf, { ...rest, contentType: content_type ?? undefined })
    if (!expected.ok) {
      expect(result).toMatchObject({ ok: false, reason: expected.reason })
      return
    }
    expect(result).toMatchObject({ ok: true, aid: expected.aid })
    expect(result.ok && [...parseForm(result.parameters)]).toEqual(expected.parameters)
  })
})

describe('checkSignature', () => {
  it('refuses every other spelling of what was signed', () => {
    fc.assert(
      fc.property(reencodings, ({ signed, sent }) => {
        const authorization = `${aid}:${hmac(key, `GET ${signed}`)}`
        expect(checkSignature(keysOf, get(signed, authorization)).ok).toBe(true)
        expect(checkSignature(keysOf, get(sent, authorization)).ok).toBe(false)
        // The test is meaningful only if both spellings decode to the same parameters.
        const [one, other] = [signed, sent].map((t) => new URLSearchParams(t.split('?')[1]))
        expect([...(one ?? [])]).toEqual([...(other ?? [])])
      }),
      { numRuns: 500 },
    )
  })

  it('refuses 10,000 mutated headers and never throws', () => {
    const target = '/r2/access?rid=news&user_ref=ann'
    const right = `${aid}:${hmac(key, `GET ${target}`)}`
    fc.assert(
      fc.property(mutatedAuthorizations(right), (authorization) => {
        const result = checkSignature(keysOf, { ...get(target, ''), authorization })
        expect(result.ok).toBe(false)
      }),
      { numRuns: 10_000 },
    )
  })

  it('covers a body byte by byte, above 127 too', () => {
    const body = 'rid=caf\xc3\xa9'
    const request = {
      method: 'POST',
      target: '/r2/access/grant',
      contentType: 'application/x-www-form-urlencoded',
      body,
      authorization: [`${aid}:${hmac(key, `POST /r2/access/grant?${body}`)}`],
    }
    const result = checkSignature(keysOf, request)
    expect(result).toMatchObject({ ok: true, bodyType: 'form' })
    expect(result.ok && parseForm(result.parameters).get('rid')).toBe('café')
    expect(checkSignature(keysOf, { ...request, body: 'rid=caf\xe9' }).ok).toBe(false)
    for (const contentType of [
      'application/x-www-form-urlencoded;charset=utf-8',
      ' Application/X-WWW-Form-Urlencoded ; charset=utf-8',
    ]) {
      const spelled = checkSignature(keysOf, { ...request, contentType })
      expect(spelled).toMatchObject({ ok: true, bodyType: 'form' })
    }
  })

  it('tells a body of another type, which no signature covers, from a form', () => {
    const target = '/r2/access/grant?rid=news'
    const authorization = [`${aid}:${hmac(key, `POST ${target}`)}`]
    const request = { method: 'POST', target, authorization, body: '{"rid":"other"}' }
    expect(checkSignature(keysOf, { ...request, contentType: 'application/json' })).toEqual({
      ok: true,
      aid,
      key,
      parameters: 'rid=news',
      bodyType: 'other',
      signature: hmac(key, `POST ${target}`),
    })
  })
})
