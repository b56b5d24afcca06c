import { describe, expect, it } from 'vitest'
import { FOREVER, type MailKind } from '../../db/tables.ts'
import { linksTo, senderNamed } from '../../testing/mail.ts'
import { composeMail } from './compose.ts'
import type { MailRow } from './outbox.ts'
import type { MailPayloads } from './payloads.ts'
import { Unsendable } from './read-payload.ts'

const AT = Date.UTC(2027, 2, 3, 9) / 1000
const app = senderNamed('Magazine')
const common = { at: AT, resource: 'The news', first_name: 'Ann', amount: 499, currency: 'EUR' }
const seller = { name: 'Magazine Ltd.', address: '1 High Street', tax_line: 'VAT 1' }

const PAYLOADS: MailPayloads = {
  grant: { rid: 'news', resource: 'The news', url: '', message: '', first_name: '', ends: FOREVER },
  receipt: {
    ...common,
    ...{
      payment: 'pay1',
      url: '',
      ends: AT + 1,
      subscription: 'sub1',
      period: '1 month',
      price: 499,
      seller,
    },
  },
  payment_failed: {
    ...common,
    ...{ subscription: 'sub1', failure: 'declined', retry: AT + 1, ends: AT + 2 },
  },
  trial_ends: { ...common, subscription: 'sub1', period: '1 month', ends: AT + 1 },
  canceled: { ...common, subscription: 'sub1', ends: AT + 1 },
  refunded: { ...common, payment: 'pay1', reason: null, seller },
  address_changed: { at: AT, first_name: 'Ann', role: 'removed', other: 'a…@e….org' },
}
const KINDS = Object.keys(PAYLOADS) as MailKind[]

const rowOf = (kind: string, payload: unknown) =>
  ({
    id: 'mail1',
    aid: 'app1',
    kind,
    recipient: 'ann@example.com',
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  }) as MailRow

async function compose(kind: string, payload: unknown) {
  const asked: string[] = []
  const manageLink = async (id: string) => {
    asked.push(id)
    return `https://example.com/manage/${id}`
  }
  const links = linksTo({ manage: manageLink })
  const mail = await composeMail(rowOf(kind, payload), app, 'post@example.com', AT, links)
  return { mail, asked }
}

const MAY_BE_NULL = [
  'receipt.subscription',
  'receipt.period',
  'payment_failed.retry',
  'refunded.reason',
]

/** Values of the wrong type, and meaningless values of the right type. */
function spoiltValues(value: unknown): unknown[] {
  if (typeof value === 'number') return [undefined, '1', -1, 1.5, 1e300, {}]
  if (typeof value === 'object' && value !== null) {
    const emptied = Object.keys(value).map((name) => ({ ...value, [name]: undefined }))
    return [undefined, 'x', [], ...emptied]
  }
  return [undefined, 7, {}, ['x'], true]
}

describe('a mail', () => {
  it.each(KINDS)('of each kind is composed from all that it says: %s', async (kind) => {
    const { mail } = await compose(kind, PAYLOADS[kind])
    expect(mail).toMatchObject({
      id: 'mail1.app1@example.com',
      from: { name: '', address: 'post@example.com' },
      to: 'ann@example.com',
    })
    for (const part of [mail.subject, mail.text, mail.html]) {
      expect(part).toContain(kind === 'address_changed' ? 'Magazine' : 'The news')
    }
  })

  it.each(KINDS)('is not sent while anything of it is missing or spoilt: %s', async (kind) => {
    for (const [name, value] of Object.entries(PAYLOADS[kind])) {
      const orNull = MAY_BE_NULL.includes(`${kind}.${name}`) ? [] : [null]
      for (const spoilt of [...spoiltValues(value), ...orNull]) {
        const composing = compose(kind, { ...PAYLOADS[kind], [name]: spoilt })
        await expect(composing, `${name}: ${JSON.stringify(spoilt)}`).rejects.toThrow(
          new Unsendable('its content is not complete'),
        )
      }
    }
  })

  it('is not sent with an amount in something that is no currency', async () => {
    for (const currency of ['', 'EURO', '<b>', 'eur', 'constructor']) {
      const composing = compose('refunded', { ...PAYLOADS.refunded, currency })
      await expect(composing).rejects.toThrow(new Unsendable('its content is not complete'))
    }
  })

  it("is not sent when it can't be read, or its kind is not known", async () => {
    const unreadable = new Unsendable('its content can’t be read')
    await expect(compose('receipt', '{"at":')).rejects.toThrow(unreadable)
    for (const payload of ['null', '7', '"x"', '[]', '{}']) {
      const incomplete = new Unsendable('its content is not complete')
      await expect(compose('receipt', payload)).rejects.toThrow(incomplete)
    }
    for (const kind of ['greeting', 'constructor', '__proto__', '']) {
      const unknown = new Unsendable('its kind is not known')
      await expect(compose(kind, PAYLOADS.receipt)).rejects.toThrow(unknown)
    }
  })

  it('has a link to manage its subscription if it is about one, made for that one alone', async () => {
    const link = 'https://example.com/manage/sub1'
    for (const kind of ['receipt', 'payment_failed', 'trial_ends', 'canceled'] as const) {
      const { mail, asked } = await compose(kind, PAYLOADS[kind])
      expect(asked).toEqual(['sub1'])
      expect(mail.text.split('\n')).toContain(link)
      expect(mail.html).toContain(`href="${link}"`)
    }
    const once = { ...PAYLOADS.receipt, subscription: null, period: null }
    for (const [kind, payload] of [
      ['receipt', once],
      ['grant', PAYLOADS.grant],
      ['refunded', PAYLOADS.refunded],
    ] as const) {
      const { mail, asked } = await compose(kind, payload)
      expect(asked).toEqual([])
      expect(mail.text + mail.html).not.toContain('/manage/')
    }
  })

  it("waits for a later try when its link can't be made now", async () => {
    const composing = composeMail(
      rowOf('canceled', PAYLOADS.canceled),
      app,
      'post@example.com',
      AT,
      linksTo({
        manage: async () => {
          throw new Error('the database is away')
        },
      }),
    )
    await expect(composing).rejects.not.toBeInstanceOf(Unsendable)
  })

  it("uses an application's own template for a grant only", async () => {
    const own = { ...app, mail_template: 'Subject: Own\n\nOwn words' }
    const textOf = async (kind: MailKind) => {
      const link = linksTo({ manage: async () => 'https://example.com/manage/sub1' })
      return (await composeMail(rowOf(kind, PAYLOADS[kind]), own, 'post@example.com', AT, link))
        .text
    }
    expect(await textOf('grant')).toBe('Own words\n')
    for (const kind of KINDS.filter((one) => one !== 'grant')) {
      expect(await textOf(kind)).not.toContain('Own words')
    }
  })
})
