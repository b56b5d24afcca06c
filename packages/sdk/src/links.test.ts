import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import file from '../link-vectors.json' with { type: 'json' }
import { Gatehouse, GatehouseError, LinkError, type PurchaseLink, ReturnError } from './index.ts'

const BASE = 'https://access.example.com/sandbox'
const clients = new Map(
  file.applications.map(({ aid, keys }) => [
    aid,
    new Gatehouse({ baseUrl: `${BASE}/`, aid, privateKey: keys[0] as string }),
  ]),
)
const clientOf = (aid: string) => clients.get(aid) as Gatehouse
const client = clientOf('DaiLy00001')

it('the published vectors are what their generator makes', () => {
  const generator = fileURLToPath(new URL('../../../scripts/link-vectors.mjs', import.meta.url))
  expect(() => execFileSync(process.execPath, [generator, '--check'])).not.toThrow()
})

describe('a purchase link', () => {
  const made = file.purchase_links.flatMap(({ name, aid, target, made_from }) =>
    made_from === null ? [] : [{ name, aid, target, link: made_from as PurchaseLink }],
  )

  it.each(made)('is made as published: $name', async ({ aid, target, link }) => {
    expect(await clientOf(aid).purchaseLink(link)).toBe(BASE + target)
    const reversed = Object.fromEntries(Object.entries(link).reverse()) as unknown as PurchaseLink
    expect(await clientOf(aid).purchaseLink(reversed)).toBe(BASE + target)
  })

  it.each([
    { rid: '\ud800' },
    { rid: 'news', user_ref: 'a\ud83d' },
    { rid: 'news', name: '\udfffb' },
  ])('is refused as one if a text has half a surrogate pair: %j', async (link) => {
    const [parameter] = Object.entries(link).at(-1) as [string, string]
    await expect(client.purchaseLink(link)).rejects.toThrow(LinkError)
    await expect(client.purchaseLink(link)).rejects.toMatchObject({ parameter })
  })

  it('is good for a day unless it says otherwise', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { searchParams } = new URL(await client.purchaseLink({ rid: 'news' }))
    const life = Number(searchParams.get('expires')) - before
    expect(life).toBeGreaterThanOrEqual(86_400)
    expect(life).toBeLessThan(86_460)
  })

  it('holds nothing that a browser would write otherwise than it was signed', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    const rid = text.filter((one) => one !== '.' && one !== '..')
    await fc.assert(
      fc.asyncProperty(rid, text, text, async (rid, name, user_ref) => {
        const link = await client.purchaseLink({ rid, name, user_ref, expires: 1 })
        expect(new URL(link).href).toBe(link)
        expect(link).toMatch(/^[!-~]+$/)
        const { pathname, searchParams } = new URL(link)
        expect(decodeURIComponent(pathname.split('/').at(-1) as string)).toBe(rid)
        expect(searchParams.get('name')).toBe(name)
        expect(searchParams.get('user_ref')).toBe(user_ref)
      }),
    )
  })

  it.each<[string, PurchaseLink]>([
    ['rid: must not be empty', { rid: '' }],
    ['user_ref: must not be empty', { rid: 'news', user_ref: '' }],
    ['rid: a browser would treat it as a path segment', { rid: '..' }],
    ['rid: a browser would treat it as a path segment', { rid: '.' }],
    ['expires: must be a time in whole seconds since 1970', { rid: 'news', expires: 1.5 }],
    ['expires: must be a time in whole seconds since 1970', { rid: 'news', expires: -1 }],
    ['expires: must be a time in whole seconds since 1970', { rid: 'news', expires: Number.NaN }],
    // A time in milliseconds.
    ['expires: must be a time in whole seconds since 1970', { rid: 'news', expires: 1.8e12 }],
    ["amount: can't be combined with a price", { rid: 'news', price: 'pr1', amount: '1' }],
    ["recurring: can't be combined with a price", { rid: 'news', price: 'p', recurring: false }],
    ['amount: required', { rid: 'news', currency: 'EUR' }],
    ['amount: required', { rid: 'news', trial_days: 7 }],
    ['currency: required', { rid: 'news', amount: '4.99' }],
  ])('is refused before a buyer meets what is wrong with it: %s', async (problem, link) => {
    await expect(client.purchaseLink(link)).rejects.toMatchObject({
      name: 'LinkError',
      message: problem,
      parameter: problem.split(':')[0],
    })
  })
})

describe('a return', () => {
  const caught = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error)
  const [first] = file.returns as [(typeof file.returns)[number]]
  const { url, now } = first

  it.each(file.returns)('is read as published: $name', async (vector) => {
    const { max_age: maxAge, origin, ...who } = vector.expected as Record<string, never>
    const { rid, user_ref: userRef } = who
    const expected = {
      ...(rid === undefined ? {} : { rid }),
      ...(userRef === undefined ? {} : { userRef }),
      ...(maxAge === undefined ? {} : { maxAge }),
      ...(origin === undefined ? {} : { origin }),
      now: vector.now,
    }
    const reading = clientOf(vector.aid).readReturn(vector.url, expected)
    if (vector.expect.ok) expect(await reading).toEqual(vector.values)
    else expect(await caught(reading)).toMatchObject({ reason: vector.expect.reason })
  })

  it('that is refused is a ReturnError, which is a GatehouseError', async () => {
    const error = await caught(client.readReturn(`${url}A`, { now }))
    expect(error).toBeInstanceOf(ReturnError)
    expect(error).toBeInstanceOf(GatehouseError)
    expect(error).toMatchObject({
      name: 'ReturnError',
      reason: 'altered',
      message:
        'The signature does not fit the address: it was changed on its way, or signed with another key.',
    })
  })

  it('may be given as a URL, or as path and query', async () => {
    const { pathname, search } = new URL(url)
    expect(await client.readReturn(new URL(url), { now })).toEqual(first.values)
    expect(await client.readReturn(pathname + search, { now })).toEqual(first.values)
    expect(await client.readReturn(`${url}#top`, { now })).toEqual(first.values)
    // Without the path, it is unknown which page the return was for.
    expect(await caught(client.readReturn(search, { now }))).toMatchObject({ reason: 'altered' })
  })

  it('is for the reader and the resource that were expected', async () => {
    const expected = { rid: 'spring-issue', userRef: 'ann', now }
    expect(await client.readReturn(url, expected)).toEqual(first.values)
  })

  it('is refused whichever byte of path and query is another', async () => {
    const start = 'https://example.com'.length
    for (let at = start; at < url.length; at++) {
      for (const other of ['A', 'b', '1', '%', '&', '=', '\t', '\u0161']) {
        if (url[at] === other) continue
        const changed = url.slice(0, at) + other + url.slice(at + 1)
        const error = await caught(client.readReturn(changed, { now }))
        expect(error, `${at}: ${other}`).toBeInstanceOf(ReturnError)
      }
    }
  })

  it('is refused by the clock alone, ten minutes later', async () => {
    const late = { now: now + 600 }
    expect(await client.readReturn(url, late)).toEqual(first.values)
    expect(await caught(client.readReturn(url, { now: now + 601 }))).toMatchObject({
      reason: 'too_old',
    })
    // The vectors date from 2023.
    expect(await caught(client.readReturn(url))).toMatchObject({ reason: 'too_old' })
  })
})
