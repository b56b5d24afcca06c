import { createHash, createHmac, randomBytes } from 'node:crypto'
import { Gatehouse } from '@gatehouse/sdk'
import { makePurchaseLink, type PaidReturn } from '@gatehouse/sdk/links'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import file from '../../../sdk/link-vectors.json' with { type: 'json' }
import { newAid, newId } from '../ids.ts'
import { parseForm } from '../parameters.ts'
import { hmac } from '../testing/http/raw-http.ts'
import { oldManageToken } from '../testing/payments/old-ids.ts'
import { checkSignature } from './check.ts'
import {
  checkManageToken,
  checkPurchaseLink,
  createManageToken,
  keyFingerprint,
  linkDigest,
  signForPurpose,
  signReturn,
} from './links.ts'

const keysOf = new Map(file.applications.map(({ aid, keys }) => [aid, keys]))
const [{ aid, keys }] = file.applications as [{ aid: string; keys: [string] }]
const [privateKey] = keys
const NOW = 1_700_000_000
const LATER = NOW + 60

const makeTarget = async (link: Parameters<typeof makePurchaseLink>[1]) =>
  await makePurchaseLink({ baseUrl: '', aid, privateKey }, link)

/** Yields every text that lacks one character, or has one replaced by each of `others`. */
function* changesOf(text: string, others: readonly string[]): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    yield text.slice(0, at) + text.slice(at + 1)
    for (const other of others) {
      if (text[at] !== other) yield text.slice(0, at) + other + text.slice(at + 1)
    }
  }
}

describe('a purchase link', () => {
  it.each(file.purchase_links)(
    'is judged as published: $name',
    ({ aid, target, now, ...vector }) => {
      const result = checkPurchaseLink(keysOf.get(aid) ?? [], target, now)
      if (!vector.expect.ok) {
        expect(result).toEqual({ ok: false, reason: vector.expect.reason })
        return
      }
      expect(result).toMatchObject({ ok: true, key: vector.expect.key })
      expect(result.ok && [...parseForm(result.parameters)]).toEqual(vector.expect.parameters)
    },
  )

  it('of the SDK is good, whatever it says', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    const rid = text.filter((one) => one !== '.' && one !== '..')
    await fc.assert(
      fc.asyncProperty(rid, text, text, async (rid, name, user_ref) => {
        const target = await makeTarget({ rid, name, user_ref, expires: LATER })
        const result = checkPurchaseLink(keys, target, NOW)
        const parameters = `${encoded({ name, user_ref })}&expires=${LATER}`
        expect(result).toEqual({ ok: true, key: privateKey, parameters })
      }),
    )
  })

  const encoded = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`)
      .join('&')

  it('is refused whichever of its characters is another, or missing', async () => {
    const target = await makeTarget({ rid: 'news', user_ref: 'ann', expires: LATER })
    for (const changed of changesOf(target, ['A', 'z', '0', '%', '&', '=', '\u0161', '\xe1'])) {
      expect(checkPurchaseLink(keys, changed, NOW), changed).toEqual({
        ok: false,
        reason: 'invalid',
      })
    }
  })

  it('is good until the second of its end, and expired from then on', async () => {
    const target = await makeTarget({ rid: 'news', expires: LATER })
    expect(checkPurchaseLink(keys, target, LATER - 1)).toMatchObject({ ok: true })
    expect(checkPurchaseLink(keys, target, LATER)).toEqual({ ok: false, reason: 'expired' })
  })

  it('of an unknown application is not valid, also when it is signed with nothing', () => {
    const text = `/checkout/Unknown001/news?expires=${LATER}`
    for (const key of ['', 'undefined', privateKey]) {
      const derived = createHmac('sha256', key).update('gatehouse purchase link v1').digest()
      const signature = createHmac('sha256', derived).update(text).digest('base64url')
      const result = checkPurchaseLink([], `${text}&signature=${signature}`, NOW)
      expect(result).toEqual({ ok: false, reason: 'invalid' })
    }
  })

  it('is no request, and a request is no link', async () => {
    const target = await makeTarget({ rid: 'news', expires: LATER })
    const signature = target.slice(-43)
    const signed = target.slice(0, -'&signature='.length - 43)
    for (const method of ['GET', 'POST']) {
      for (const sent of [target, signed, '/r2/access?rid=news&user_ref=ann']) {
        const request = { method, target: sent, authorization: [`${aid}:${signature}`], body: '' }
        expect(checkSignature((who) => keysOf.get(who) ?? [], request).ok).toBe(false)
      }
      for (const text of [signed, `${method} ${signed}`, `${method} ${target}`]) {
        const forged = `${signed}&signature=${hmac(privateKey, text)}`
        expect(checkPurchaseLink(keys, forged, NOW)).toEqual({ ok: false, reason: 'invalid' })
      }
    }
  })

  it('has a mark of its own, the same whichever key signed it', async () => {
    const link = { rid: 'news', user_ref: 'ann', expires: LATER }
    const one = await makeTarget(link)
    const signer = { baseUrl: '', aid, privateKey: 'x'.repeat(40) }
    const other = await makePurchaseLink(signer, link)
    expect(other).not.toBe(one)
    expect(linkDigest(other)).toBe(linkDigest(one))
    expect(linkDigest(await makeTarget({ ...link, user_ref: 'bob' }))).not.toBe(linkDigest(one))
    expect(linkDigest(one)).toMatch(/^[\w-]{43}$/)
  })

  it('has the mark that is stored for it', () => {
    const signature = 'A'.repeat(43)
    const mark = createHash('sha256').update('/checkout/a/news?expires=1').digest('base64url')
    expect(linkDigest(`/checkout/a/news?expires=1&signature=${signature}`)).toBe(mark)
    expect(linkDigest('/checkout/a/news?expires=1')).toBe(mark)
  })
})

it('the mark of a key tells it from others, and is no part of it', () => {
  const marks = Array.from({ length: 1_000 }, (_, i) => keyFingerprint(`${i}`.padStart(40, 'k')))
  expect(new Set(marks).size).toBe(1_000)
  expect(keyFingerprint(privateKey)).toBe(keyFingerprint(privateKey))
  expect(keyFingerprint(privateKey)).toMatch(/^[\w-]{8}$/)
  expect(privateKey).not.toContain(keyFingerprint(privateKey))
  // Marks are stored, so a later version has to derive the same ones.
  expect(keyFingerprint('k'.repeat(40))).toBe('lolOpWIf')
})

describe('a return', () => {
  const client = new Gatehouse({ baseUrl: 'https://access.example.com', aid, privateKey })
  const values: PaidReturn = { status: 'paid', checkout: 'co1', rid: 'news', time: NOW }
  const good = file.returns.flatMap(({ name, url, return_url, values }) =>
    return_url === null ? [] : [{ name, url, return_url, values: values as PaidReturn }],
  )

  it.each(good)('is signed as published: $name', ({ return_url, values, url }) => {
    expect(signReturn(privateKey, return_url, values)).toBe(url)
  })

  it('is read by the SDK, and keeps what the address had of its own', async () => {
    const own = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ unit: 'grapheme' }))
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(own, text, text, async (query, rid, user_ref) => {
        const from = `https://example.com/a%20b?${new URLSearchParams(query)}#top`
        const url = signReturn(privateKey, from, { ...values, rid, user_ref })
        expect(new URL(url).href).toBe(url)
        const read = await client.readReturn(url, { now: NOW, rid, userRef: user_ref })
        expect(read).toEqual({ ...values, rid, user_ref })
        const there = [...new URL(url).searchParams]
        expect(there.filter(([name]) => !name.startsWith('gatehouse_'))).toEqual(
          Object.entries(query),
        )
        expect(new URL(url).hash).toBe('#top')
      }),
    )
  })

  it('keeps a parameter whose name only contains ours', () => {
    const url = signReturn(privateKey, 'https://example.com/?my_gatehouse_rid=1', values)
    expect(url).toContain('?my_gatehouse_rid=1&gatehouse_status=')
  })

  it('says nothing that stood in the address before, however that was written', async () => {
    for (const name of [
      'gatehouse_rid',
      'GATEHOUSE_RID',
      'gatehouse%5Frid',
      '%67atehouse_rid',
      'gatehouse_signature',
      'gatehouse_anything',
    ]) {
      const url = signReturn(privateKey, `https://example.com/?${name}=gold&a=1`, values)
      expect(url).not.toContain('gold')
      expect(url).toContain('?a=1&gatehouse_status=')
      expect(await client.readReturn(url, { now: NOW })).toEqual(values)
    }
  })
})

describe('a manage token', () => {
  const key = randomBytes(32)
  const [aid, id] = [newAid(), newId()]
  const token = createManageToken(key, { aid, id, linkNumber: 0 }, LATER)

  it('names its subscription until the second of its end', () => {
    const good = { ok: true, aid, subscriptionId: id, linkNumber: 0, expires: LATER }
    expect(checkManageToken(key, token, NOW)).toEqual(good)
    expect(checkManageToken(key, token, LATER - 1)).toEqual(good)
    expect(checkManageToken(key, token, LATER)).toEqual({ ok: false, reason: 'expired', aid })
    expect(token).toMatch(/^[A-Za-z0-9._-]+$/)
  })

  it('is refused whichever of its bytes is another, or missing', () => {
    const all = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
    for (const changed of changesOf(token, [...all, '\u0161', '\uff11'])) {
      expect(checkManageToken(key, changed, NOW), JSON.stringify(changed)).toEqual({
        ok: false,
        reason: 'invalid',
      })
    }
  })

  it('carries the link number of its reader, which nobody can take away or change', () => {
    const numbered = createManageToken(key, { aid, id, linkNumber: 7 }, LATER)
    expect(checkManageToken(key, numbered, NOW)).toMatchObject({ ok: true, aid, linkNumber: 7 })
    const withNumber = (number: string) => numbered.replace(`.${LATER}.7.`, `.${LATER}${number}.`)
    for (const other of ['', '.8', '.0', '.07', '.7.7']) {
      const check = checkManageToken(key, withNumber(other), NOW)
      expect(check).toEqual({ ok: false, reason: 'invalid' })
    }
  })

  it('that is forged does not learn whether its time was right', () => {
    const over = createManageToken(randomBytes(32), { aid, id, linkNumber: 0 }, NOW - 1)
    expect(checkManageToken(key, over, NOW)).toEqual({ ok: false, reason: 'invalid' })
  })

  it.each([
    ['nothing', ''],
    ['only what is signed', `${aid}.${id}.${LATER}`],
    ['a part more', `${token}.${token}`],
    ['a line break behind', `${token}\n`],
    ['padding', `${token}=`],
    ['a sign before the time', token.replace(`.${LATER}`, `.+${LATER}`)],
    ['a zero before the time', token.replace(`.${LATER}`, `.0${LATER}`)],
    ['no application', token.slice(token.indexOf('.'))],
    ['the application left out', token.slice(token.indexOf('.') + 1)],
    ['another application', token.replace(aid, newAid())],
    ['a long text', 'A'.repeat(100_000)],
  ])('is refused: %s', (_, text) => {
    expect(checkManageToken(key, text, NOW)).toEqual({ ok: false, reason: 'invalid' })
  })

  it('of another environment, or signed with its key for another purpose, is refused', () => {
    const text = `${aid}.${id}.${LATER}`
    for (const forged of [
      createManageToken(randomBytes(32), { aid, id, linkNumber: 0 }, LATER),
      `${text}.${signForPurpose('gatehouse manage link v1', key, text)}`,
      `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`,
    ]) {
      expect(checkManageToken(key, forged, NOW)).toEqual({ ok: false, reason: 'invalid' })
    }
  })

  it('of an older version names no application, and is valid until its end', () => {
    const old = oldManageToken(key, id, LATER)
    const good = { ok: true, aid: undefined, subscriptionId: id, linkNumber: 0, expires: LATER }
    expect(checkManageToken(key, old, NOW)).toEqual(good)
    expect(checkManageToken(key, old, LATER)).toEqual({ ok: false, reason: 'expired' })
    // Its signature is for what it names, and for no application.
    const named = checkManageToken(key, `${aid}.${old}`, NOW)
    expect(named).toEqual({ ok: false, reason: 'invalid' })
    const other = oldManageToken(randomBytes(32), id, LATER)
    expect(checkManageToken(key, other, NOW)).toEqual({ ok: false, reason: 'invalid' })
  })
})
