import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newAid, newId } from '../ids.ts'
import { hmac } from '../testing/http/raw-http.ts'
import { checkSignature } from './check.ts'
import { checkDownloadToken, createDownloadToken, type DownloadLink } from './download-links.ts'
import { checkManageToken, createManageToken } from './links.ts'

const NOW = 1_700_000_000
const LATER = NOW + 60
const INVALID = { ok: false, reason: 'invalid' } as const
const EXPIRED = { ok: false, reason: 'expired' } as const

const key = randomBytes(32)
const plain: DownloadLink = { id: newId(), aid: newAid(), downloadId: newId(), expires: LATER }
const full: DownloadLink = {
  ...plain,
  accessId: newId(),
  limit: 3,
  fileName: 'Ausgabe Nº 7 – “Zoë” 🙂.pdf',
}
const LINKS: [name: string, link: DownloadLink][] = [
  ['that names nobody', plain],
  ['for one reader', { ...plain, accessId: newId() }],
  ['for one reader with a link number', { ...plain, accessId: newId(), linkNumber: NOW }],
  ['for a few uses', { ...plain, limit: 1 }],
  ['with all that there is', full],
]

const tokenOf = (link: DownloadLink) => createDownloadToken(key, 'production', link)
const check = (token: string, now = NOW) => checkDownloadToken(key, 'production', token, now)

/** Fails at the first text that is not refused. Plain comparisons, since there are hundreds of thousands. */
function requireRefused(texts: Iterable<string>): number {
  let count = 0
  for (const text of texts) {
    const result = check(text)
    if (result.ok || result.reason !== 'invalid') expect(result, JSON.stringify(text)).toBe(INVALID)
    count++
  }
  return count
}

const BYTES = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))

function* otherBytes(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    for (const other of [...BYTES, '\u0141', '\uff11', '\u0661', '\u212a']) {
      if (text[at] !== other) yield text.slice(0, at) + other + text.slice(at + 1)
    }
  }
}

function* lostBytes(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    yield text.slice(0, at) + text.slice(at + 1)
    yield text.slice(0, at)
    if (at > 0) yield text.slice(at)
  }
}

function* addedBytes(text: string): Generator<string> {
  for (let at = 0; at <= text.length; at++) {
    for (const other of BYTES) yield text.slice(0, at) + other + text.slice(at)
  }
}

function* swappedBytes(text: string): Generator<string> {
  for (let one = 0; one < text.length; one++) {
    for (let other = one + 1; other < text.length; other++) {
      if (text[one] === text[other]) continue
      const all = [...text]
      ;[all[one], all[other]] = [all[other] as string, all[one] as string]
      yield all.join('')
    }
  }
}

/** Puts every part in the place of every other one. */
function* movedParts(text: string): Generator<string> {
  const parts = text.split('.')
  for (const [from, part] of parts.entries()) {
    for (const to of parts.keys()) {
      const moved = parts.toSpliced(from, 1).toSpliced(to, 0, part).join('.')
      if (moved !== text) yield moved
      const copied = parts.toSpliced(to, 1, part).join('.')
      if (copied !== text) yield copied
    }
  }
}

describe.each(LINKS)('a link to a file, %s,', (_, link) => {
  const token = tokenOf(link)

  it('says what went into it, until the second of its end', () => {
    expect(check(token)).toEqual({ ok: true, link })
    expect(check(token, LATER - 1)).toEqual({ ok: true, link })
    expect(check(token, LATER)).toEqual(EXPIRED)
    expect(check(token, LATER + 1e6)).toEqual(EXPIRED)
  })

  it('is made of letters that no address, no log and no mail changes', () => {
    expect(token).toMatch(/^[A-Za-z0-9._-]+$/)
    expect(token.split('.')).toHaveLength(link.linkNumber === undefined ? 8 : 9)
    expect(new URL(`https://example.com/d/${token}`).pathname).toBe(`/d/${token}`)
  })

  it('is refused whichever of its bytes is another', () => {
    expect(requireRefused(otherBytes(token))).toBe(token.length * 259)
  })

  it('is refused with a byte less or more, cut, or with bytes or parts in another order', () => {
    requireRefused(lostBytes(token))
    expect(requireRefused(addedBytes(token))).toBe((token.length + 1) * 256)
    expect(requireRefused(swappedBytes(token))).toBeGreaterThan(token.length)
    expect(requireRefused(movedParts(token))).toBeGreaterThan(8)
  })

  it('is nothing in the other environment, also where both have the same key', () => {
    expect(checkDownloadToken(key, 'sandbox', token, NOW)).toEqual(INVALID)
    const there = createDownloadToken(key, 'sandbox', link)
    expect(check(there)).toEqual(INVALID)
    expect(checkDownloadToken(key, 'sandbox', there, NOW)).toEqual({ ok: true, link })
  })

  it('of another key is refused', () => {
    expect(check(createDownloadToken(randomBytes(32), 'production', link))).toEqual(INVALID)
  })

  it('that is forged does not learn whether its time was right', () => {
    const over = { ...link, expires: NOW - 1 }
    expect(check(tokenOf(over))).toEqual(EXPIRED)
    expect(check(createDownloadToken(randomBytes(32), 'production', over))).toEqual(INVALID)
    expect(check(`${tokenOf(over).slice(0, -43)}${'A'.repeat(43)}`)).toEqual(INVALID)
    // An expired link with the expiry of a valid one.
    const later = tokenOf(over).replace(`.${NOW - 1}.`, `.${LATER}.`)
    expect(check(later)).toEqual(INVALID)
  })

  it('has a signature that is good for nothing else, and takes none from elsewhere', () => {
    const signature = token.slice(-43)
    const text = token.slice(0, -44)
    // Signatures of requests.
    const { aid } = link
    const privateKey = 'k'.repeat(40)
    for (const target of [`/d/${token}`, `/d/${text}`, text, '/r2/access?rid=news&user_ref=ann']) {
      const request = {
        method: 'GET',
        target,
        authorization: [`${aid}:${signature}`],
        body: '',
      }
      expect(checkSignature(() => [privateKey], request).ok).toBe(false)
      for (const signed of [target, `GET ${target}`, `GET /d/${text}`]) {
        expect(check(`${text}.${hmac(privateKey, signed)}`)).toEqual(INVALID)
      }
    }
    // Manage links, which also use a key of the environment.
    expect(checkManageToken(key, `${link.downloadId}.${LATER}.${signature}`, NOW)).toEqual(INVALID)
    expect(
      check(createManageToken(key, { aid, id: link.downloadId, linkNumber: 0 }, LATER)),
    ).toEqual(INVALID)
    const managing = createManageToken(
      key,
      { aid, id: link.downloadId, linkNumber: 0 },
      LATER,
    ).slice(-43)
    // The key used directly, and the same purpose without an environment.
    const bare = createHmac('sha256', key).update(text).digest('base64url')
    const derived = createHmac('sha256', key).update('gatehouse download link v1').digest()
    const unbound = createHmac('sha256', derived).update(text).digest('base64url')
    for (const mac of [managing, bare, unbound]) expect(check(`${text}.${mac}`)).toEqual(INVALID)
  })
})

it.each([
  ['nothing', ''],
  ['dots alone', '.......'],
  ['the signature alone', tokenOf(plain).slice(-43)],
  ['no signature', tokenOf(plain).slice(0, -44)],
  ['a line break behind', `${tokenOf(plain)}\n`],
  ['padding', `${tokenOf(plain)}=`],
  ['a slash behind', `${tokenOf(plain)}/`],
  ['escapes', tokenOf(full).replaceAll('.', '%2e')],
  ['a longer text', 'A'.repeat(100_000)],
  ['many dots', '.'.repeat(100_000)],
  ['itself twice', `${tokenOf(plain)}.${tokenOf(plain)}`],
])('a link to a file is refused: %s', (_, text) => {
  expect(check(text)).toEqual(INVALID)
})

it('whatever a link to a file says comes out as it went in', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9]{1,64}$/)
  // File names may have any characters, up to 255 of them.
  const fileName = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 })
  const link = fc.record(
    {
      id,
      aid: id,
      downloadId: id,
      expires: fc.integer({ min: NOW + 1, max: 253402300799 }),
      accessId: id,
      linkNumber: fc.integer({ min: 1, max: 999_999_999_999 }),
      limit: fc.integer({ min: 1, max: 1_000_000 }),
      fileName,
    },
    { requiredKeys: ['id', 'aid', 'downloadId', 'expires'] },
  )
  const environment = fc.constantFrom('production', 'sandbox')
  const { id: name, aid, downloadId, expires } = plain
  const longest = { id: name, aid, downloadId, expires, fileName: '🙂'.repeat(255) }
  fc.assert(
    fc.property(link, environment, (link, environment) => {
      const token = createDownloadToken(key, environment, link)
      expect(checkDownloadToken(key, environment, token, NOW)).toEqual({ ok: true, link })
      expect(checkDownloadToken(key, environment, token, link.expires)).toEqual(EXPIRED)
      expect(token.length).toBeLessThan(2_000)
    }),
    { numRuns: 500, examples: [[longest, 'production']] },
  )
})
