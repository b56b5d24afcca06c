import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { GatehouseError, WebhookError } from './errors.ts'
import { readEvent, type WebhookHeaders } from './webhooks.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = newSecret()
const event = { id: 'evt1', type: 'access.granted', sequence: 7, data: { name: 'Zoë 🎈' } }
const body = JSON.stringify(event)
const now = 1_900_000_000_000

/** Signed by the reference implementation of the standard. */
const headersOf = (text: string, by = secret, at = now) => ({
  'webhook-id': 'evt1',
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(by).sign('evt1', new Date(at), text),
})
const read = (
  raw: unknown = body,
  headers: WebhookHeaders = headersOf(body),
  secrets: unknown = secret,
) => readEvent(raw as string, headers, secrets as string, { now: () => now })
const reasonOf = async (reading: Promise<unknown>) => {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(WebhookError)
  expect(error).toBeInstanceOf(GatehouseError)
  return (error as WebhookError).reason
}

describe('the event of a webhook', () => {
  it('is read from text or bytes, with the headers of fetch or of Node', async () => {
    const headers = headersOf(body)
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      expect(await read(raw)).toEqual(event)
      expect(await read(raw, new Headers(headers))).toEqual(event)
    }
  })

  it('is signed with any of two secrets during a rotation, at either end', async () => {
    const next = newSecret()
    expect(await read(body, headersOf(body, next), [secret, next])).toEqual(event)
    const [one, other] = [headersOf(body), headersOf(body, next)]
    const both = `${one['webhook-signature']} v1a,x ${other['webhook-signature']}`
    expect(await read(body, { ...one, 'webhook-signature': both }, next)).toEqual(event)
  })

  it('is refused if one bit of what is signed differs', async () => {
    const headers = headersOf(body)
    const refused = [
      () => read(`${body} `),
      () => read(body.replace('7', '8')),
      () => read(body, { ...headers, 'webhook-id': 'evt2' }),
      () => read(body, { ...headers, 'webhook-timestamp': String(now / 1000 + 1) }),
      () => read(body, headers, newSecret()),
      () => read(body, { ...headers, 'webhook-signature': 'v1,not-base64 v2,AAAA' }),
      () =>
        read(body, { ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, -2) }),
    ]
    for (const one of refused) expect(await reasonOf(one())).toBe('not_signed')
  })

  it('is refused if it was delivered long ago, or will be', async () => {
    for (const seconds of [-301, 301]) {
      const headers = headersOf(body, secret, now + seconds * 1000)
      expect(await reasonOf(read(body, headers))).toBe('too_old')
      const patient = { tolerance: 600, now: () => now }
      expect(await readEvent(body, headers, secret, patient)).toEqual(event)
    }
    expect(await read(body, headersOf(body, secret, now - 300_000))).toEqual(event)
  })

  it('names a body that was parsed before it was verified', async () => {
    for (const parsed of [event, undefined, null, '[object Object]', [event]]) {
      expect(await reasonOf(read(parsed === undefined ? Number.NaN : parsed))).toBe('body_parsed')
    }
    await expect(read(event)).rejects.toThrow('The body was parsed before it was verified')
  })

  it('names a secret that has the wrong format', async () => {
    const bare = secret.slice('whsec_'.length)
    for (const wrong of [
      '',
      bare,
      ` ${secret}`,
      'whsec_short',
      `${secret}\n`,
      [],
      undefined,
      [secret, bare],
    ]) {
      expect(await reasonOf(read(body, headersOf(body), wrong ?? []))).toBe('bad_secret')
    }
    await expect(read(body, headersOf(body), bare)).rejects.toThrow(
      'The secret has the wrong format',
    )
  })

  it('names a header that is missing, and a body that is no JSON', async () => {
    const { 'webhook-id': _, ...rest } = headersOf(body)
    expect(await reasonOf(read(body, rest))).toBe('header_missing')
    expect(await reasonOf(read('{', headersOf('{')))).toBe('unreadable')
  })
})
