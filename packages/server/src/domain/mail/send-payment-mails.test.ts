import { text as readText } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import type { TestApplication } from '../../testing/service.ts'
import {
  changeAppSettings,
  FIXED_HEADERS,
  listOutbox,
  startTestMailWorker,
  waitUntilOutboxSettled,
} from '../../testing/smtp/outbox.ts'
import { startSmtp } from '../../testing/smtp/smtp.ts'
import { useService, useSmtp } from '../../testing/use-service.ts'
import type { BackgroundLoop } from '../../worker/loop.ts'
import { enqueueMails, type NewMail } from './outbox.ts'
import type { MailPayloads } from './payloads.ts'

/** Returns one payload of each kind, with `text` in every text field. */
function payloadsWith(text: string, at: number): Omit<MailPayloads, 'grant' | 'address_changed'> {
  const common = { at, resource: text, first_name: text, amount: 499, currency: 'EUR' }
  const seller = { name: text, address: `${text}\n${text}`, tax_line: text }
  const subscription = 'sub1'
  return {
    receipt: {
      ...common,
      ...{
        payment: text,
        url: text,
        ends: at + 1,
        subscription,
        period: text,
        price: 499,
        seller,
      },
    },
    payment_failed: { ...common, subscription, failure: text, retry: at + 1, ends: at + 2 },
    trial_ends: { ...common, subscription, period: text, ends: at + 1 },
    canceled: { ...common, subscription, ends: at + 1 },
    refunded: { ...common, payment: text, reason: text, seller },
  }
}

describe.each(databases)('mails about money on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database, () => ({
    env: { GATEHOUSE_SMTP_URL: smtp.url },
    // The mails are put into the outbox without the changes that cause them.
    checksInvariants: false,
  }))
  let app: TestApplication
  let worker: BackgroundLoop
  beforeAll(async () => {
    worker = startTestMailWorker(service, smtp.url)
  })
  beforeEach(async () => {
    app = await service.newApplication()
  })
  afterEach(() => {
    smtp.mails.length = 0
  })
  afterAll(async () => {
    await worker.stop()
  })

  async function enqueue(text: string): Promise<number> {
    const payloads = payloadsWith(text, service.clock.seconds)
    const mails = Object.entries(payloads).map(([kind, payload]) => ({
      ...{ key: `${app.aid}:${kind}:${text}`, aid: app.aid, uid: 'uid1' },
      ...{ kind, recipient: 'ann@example.com', linkNumber: 0, payload, delivery: 'queued' },
    })) as NewMail[]
    const clocks = { now: app.environment.clock(), realTime: service.clock.now }
    await app.environment.database.write((trx) => enqueueMails(trx, mails, clocks))
    return mails.length
  }

  it('keep their one recipient and their headers, whatever is in them', async () => {
    const spoilers = [
      'A\r\nBcc: eve@example.com',
      'A\nSubject: owned',
      'A\u2028Bcc: eve@example.com',
      'A\u0085X-Evil: 1',
      '=?utf-8?Q?A=0D=0ABcc:_eve@example.com?=',
      'Eve <eve@example.com>, Al; group: x@example.com;',
    ]
    let count = 0
    for (const text of spoilers) {
      app = await service.newApplication()
      await changeAppSettings(app, { name: text })
      count += await enqueue(text)
    }
    await waitUntilOutboxSettled(service)
    expect(smtp.mails).toHaveLength(count)
    for (const { recipients, mail } of smtp.mails) {
      expect(recipients).toEqual(['ann@example.com'])
      expect(mail.headers.map(({ key }) => key).sort()).toEqual(FIXED_HEADERS)
      expect(mail.to).toMatchObject([{ address: 'ann@example.com' }])
      expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}]/u)
    }
  })

  it('carry a link of their own, which is kept nowhere', async () => {
    const count = await enqueue('The news')
    await waitUntilOutboxSettled(service)
    const link = `${app.environment.address()}/manage/${app.aid}.sub1.`
    const texts = smtp.mails.map(({ mail }) => mail.text ?? '')
    expect(texts).toHaveLength(count)
    const linked = texts.filter((text) => text.includes(link))
    expect(linked).toHaveLength(4)
    expect(texts.filter((text) => !text.includes('/manage/'))).toEqual([
      expect.stringContaining('We have refunded'),
    ])
    expect(JSON.stringify(await listOutbox(service))).not.toContain('/manage/')
  })

  it('leave no link behind when a server quotes it in its refusal', async () => {
    const links: string[] = []
    const quoting = await startSmtp({
      async onData(stream, _session, callback) {
        const { text = '' } = await PostalMime.parse(await readText(stream))
        const [link = ''] = /http\S+\/manage\/\S+/.exec(text) ?? []
        links.push(link)
        const words = `we do not like <${link}>, ${link.replace(/^https?:\/\//, '')} at all`
        callback(Object.assign(new Error(words), { responseCode: 550 }))
      },
    })
    await worker.stop()
    const count = await enqueue('The news')
    const refused = startTestMailWorker(service, quoting.url)
    const rows = await waitUntilOutboxSettled(service)
    await refused.stop()
    await quoting.stop()
    worker = startTestMailWorker(service, smtp.url)
    expect(links.filter((link) => link.length > 60)).toHaveLength(4)
    const dead = rows.filter(({ aid }) => aid === app.aid)
    expect(dead).toHaveLength(count)
    for (const { status, last_error } of dead) {
      expect(status).toBe('dead')
      expect(last_error).toMatch(/550 we do not like/)
      expect(last_error).not.toContain('manage')
    }
  })
})
