import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { attack, fingerprint, prepareVictim } from '../../../testing/http/attack.ts'
import { mutatedAuthorizations } from '../../../testing/http/bad-authorizations.ts'
import { nonCanonicalForms } from '../../../testing/http/odd-targets.ts'
import { hmac, requestBytes, sendRaw, signedBytes } from '../../../testing/http/raw-http.ts'
import type { Victim } from '../../../testing/http/victim.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const GRANT = '/r2/access/grant'

describe.each(entryPointDatabases)('attacks on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service)
  let victims: [Victim, Victim]
  beforeAll(async () => {
    victims = [
      await prepareVictim(app),
      await prepareVictim(await service.newApplication('sandbox')),
    ]
  })

  const send = (bytes: string) => sendRaw(service.url, bytes)
  const statusOf = async (bytes: string) => (await send(bytes))?.status
  const postForm = (body: string, headers: string[] = [FORM]) =>
    signedBytes(app, {
      method: 'POST',
      target: GRANT,
      headers,
      body,
      signed: `POST ${GRANT}?${body}`,
    })

  it('a thousand generated bad requests are refused, and nothing changes', async () => {
    const before = await fingerprint(service.ctx)
    const seed = Math.floor(Math.random() * 2 ** 31)
    try {
      await attack(service, victims, { count: 1_000, seed })
    } catch (error) {
      throw new Error(`FUZZ_SEED=${seed}`, { cause: error })
    }
    expect(await fingerprint(service.ctx)).toBe(before)
  })

  it('what is spoilt there would be answered if it were not', async () => {
    for (const victim of victims) {
      const { prefix, rid, userRef } = victim
      for (const target of [`/r2/access?rid=${rid}&user_ref=${userRef}`, '/r2/access/search']) {
        expect(await statusOf(signedBytes(victim, { target, prefix }))).toBe(200)
      }
    }
  })

  it('a path in disguise is 404, even if it is signed as it is', async () => {
    const [victim] = victims
    const { uid } = await app.client.getAccess({ rid: victim.rid, user_ref: victim.userRef })
    const named = `rid=${victim.rid}&user_ref=${victim.userRef}`
    const calls = [
      ['GET', '/r2/access', named],
      ['GET', '/r2/access/search', ''],
      ['GET', `/r2/user/${uid}`, ''],
      ['POST', '/r2/access/grant', `rid=${victim.rid}&email=eve@example.com`],
      ['POST', '/r2/access/revoke', named],
    ] as const
    const before = await fingerprint(service.ctx)
    let count = 0
    for (const [method, path, query] of calls) {
      for (const target of nonCanonicalForms(path, query)) {
        const status = await statusOf(signedBytes(victim, { method, target }))
        // Node's parser refuses a target that doesn't even start like a path.
        const allowed = target.startsWith('/') ? [404] : [400, 404]
        expect(allowed, `${method} ${target}`).toContain(status)
        count++
      }
    }
    expect(count).toBeGreaterThanOrEqual(200)
    expect(await fingerprint(service.ctx)).toBe(before)
  })

  it('a mutated header is 401, never more, never our fault', async () => {
    const target = '/r2/access/search'
    const right = `${app.aid}:${hmac(app.privateKey, `GET ${target}`)}`
    await fc.assert(
      fc.asyncProperty(mutatedAuthorizations(right), async (values) => {
        const headers = values.map((value) => `Authorization: ${value}`)
        expect(await statusOf(requestBytes({ target, headers }))).toBe(401)
      }),
      { numRuns: 200 },
    )
    const odd = [`${right}\0`, `${right}\r`, `\x01${right}`]
    for (const value of odd) {
      expect(await statusOf(requestBytes({ target, headers: [`Authorization: ${value}`] }))).toBe(
        400,
      )
    }
  })

  describe('large requests', () => {
    const start = 'rid=news&email=big@example.com&x='

    it('a form of 160 KiB is read, one byte more is 400', async () => {
      const most = start + 'a'.repeat(160 * 1024 - start.length)
      expect(await statusOf(postForm(most))).toBe(200)
      const response = await send(postForm(`${most}a`))
      expect(response?.status).toBe(400)
      expect(JSON.parse(response?.body ?? '').error.message).toBe('The body is too large.')
    })

    it('the longest message fits, in the query and in a form', async () => {
      const message = encodeURIComponent('\u{1F600}'.repeat(10_000))
      const grant = `rid=news&email=big@example.com&message=${message}`
      expect(await statusOf(postForm(grant))).toBe(200)
      const target = `/r2/access/grant?${grant}`
      expect(await statusOf(signedBytes(app, { method: 'POST', target }))).toBe(200)
      expect(await statusOf(postForm(`${grant}x`))).toBe(400)
    })

    it('a compressed body is 400, signed or not', async () => {
      const body = gzipSync(`${start}${'a'.repeat(1e6)}`).toString('latin1')
      for (const encoding of ['gzip', 'deflate', 'br', 'identity', 'GZIP, x']) {
        const headers = [FORM, `Content-Encoding: ${encoding}`]
        expect(await statusOf(postForm(body, headers))).toBe(400)
      }
    })

    it('100,000 parameters are 400 in a target and in a body', async () => {
      const many = Array.from({ length: 100_000 }, (_, i) => i.toString(36)).join('&')
      expect(
        (await statusOf(signedBytes(app, { target: `/r2/access/search?${many}` }))) ?? 400,
      ).toBe(400)
      expect((await statusOf(postForm(many))) ?? 400).toBe(400)
      expect(await statusOf(postForm('&a'.repeat(30_000)))).toBe(400)
    })

    it('do not stop the event loop', async () => {
      const units = ['a', '%41', '&', '=', 'a=&', '+', '.', 'a@', ',', '0', '%F0%9F%94%91']
      const names = ['rid', 'user_ref', 'email', 'tags', 'message', 'expiration', 'suppress_email']
      const start = process.cpuUsage()
      for (const name of names) {
        for (const unit of units) {
          const value = unit.repeat(Math.floor(60_000 / unit.length))
          expect([400, 404]).toContain(await statusOf(postForm(`q=1&${name}=${value}`)))
        }
      }
      // CPU time, not elapsed time: the machine may be busy.
      const { user, system } = process.cpuUsage(start)
      expect((user + system) / 1000 / (names.length * units.length)).toBeLessThan(50)
    })
  })

  it('names of the prototype pollute nothing', async () => {
    const names = [
      '__proto__',
      'constructor',
      'prototype',
      '__proto__[x]',
      '__proto__.x',
      'toString',
    ]
    const inputs = names.flatMap((name) => [
      `${name}=1`,
      `${name}[x]=1`,
      `constructor[prototype][${name}]=1`,
      `${encodeURIComponent(`${name}[x]`)}=1`,
    ])
    for (const input of inputs) {
      expect(await statusOf(signedBytes(app, { target: `/r2/access/search?${input}` }))).toBe(200)
      expect(await statusOf(postForm(input))).toBe(400)
    }
    const json = '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}'
    expect(await statusOf(postForm(json, ['Content-Type: application/json']))).toBe(401)
    for (const value of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const grant = `rid=news&email=a@b.c&suppress_email=${value}`
      expect(await statusOf(postForm(grant))).toBe(400)
      expect(await statusOf(signedBytes(app, { target: `/r2/user/${value}` }))).toBe(404)
    }
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  describe('the identity of an e-mail address', () => {
    const uidOf = async (email: string) =>
      (await app.client.grantAccess({ rid: 'news', email, suppress_email: true })).uid

    it.each([
      ['case', 'Case@Example.com', 'case@eXAMPLE.COM'],
      ['case beyond ASCII', 'JÜRGEN@bücher.example', 'jürgen@BÜCHER.example'],
      ['composed and decomposed', 'ren\u00e9@a.b', 'rene\u0301@a.b'],
      ['the Kelvin sign, which is canonically a K', '\u212aelvin@a.b', 'kelvin@a.b'],
      ['the Ångström sign, which is canonically an Å', '\u212bke@a.b', '\u00e5ke@a.b'],
      ['an I with a dot, which is an i and a dot in lower case', '\u0130da@a.b', 'i\u0307da@a.b'],
    ])('is one by %s', async (_, one, other) => {
      const uid = await uidOf(one)
      expect(await uidOf(other)).toBe(uid)
      const { data } = await app.client.searchAccess({ email: other })
      expect(data.map((record) => record.uid)).toEqual([uid])
    })

    it.each([
      ['an I with a dot and an i', '\u0130lk@a.b', 'ilk@a.b'],
      ['a dotless i and an i', '\u0131lk@a.b', 'ilk@a.b'],
      ['a ligature', '\ufb01n@a.b', 'fin@a.b'],
      ['a sharp s', 'stra\u00dfe@a.b', 'strasse@a.b'],
      ['a full-width letter', '\uff41lf@a.b', 'alf@a.b'],
      ['a Cyrillic a', '\u0430lf@a.b', 'alf@a.b'],
      ['a tag', 'alf+tag@a.b', 'alf@a.b'],
      ['a dot', 'al.f@gmail.com', 'alf@gmail.com'],
      ['punycode', 'alf@b\u00fccher.example', 'alf@xn--bcher-kva.example'],
      ['a full-width @ in the local part', 'x\uff20alf@a.b', 'xalf@a.b'],
      ['a subdomain', 'alf@mail.a.b', 'alf@a.b'],
    ])('differs by %s', async (_, one, other) => {
      expect(await uidOf(one)).not.toBe(await uidOf(other))
      const { data } = await app.client.searchAccess({ email: one })
      expect(data.map((record) => record.user_email)).toEqual([one])
    })

    it.each(['alf\uff20a.b', 'alf@a.b.', '"alf"@a.b', 'alf @a.b', 'alf@a\u3002b', 'alf\u200d@a.b'])(
      'is none: %j',
      async (email) => {
        await expect(uidOf(email)).rejects.toMatchObject({ status: 400 })
      },
    )
  })
})
