import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { archiveApplication } from '../../domain/apps/applications.ts'
import { databases } from '../../testing/databases.ts'
import { startTestService, type TestApplication } from '../../testing/service.ts'
import {
  changeAppSettings,
  FIXED_HEADERS,
  listOutbox,
  startTestMailWorker,
  waitUntilOutboxSettled,
} from '../../testing/smtp/outbox.ts'
import { startSmtp } from '../../testing/smtp/smtp.ts'
import { useFreshApplication, useService, useSmtp } from '../../testing/use-service.ts'
import type { BackgroundLoop } from '../loop.ts'

const headersOf = (mail: { headers: { key: string }[] }) =>
  mail.headers.map(({ key }) => key).sort()

describe.each(databases)('the mail of a grant on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database, () => ({
    env: {
      GATEHOUSE_SMTP_URL: smtp.url,
      GATEHOUSE_MAIL_FROM: 'Example Magazine, Ltd. <access@example.com>',
    },
  }))
  let worker: BackgroundLoop
  beforeAll(async () => {
    worker = startTestMailWorker(service, smtp.url)
  })
  const app = useFreshApplication(service)
  beforeEach(async () => {
    await app.addResource('news', { name: 'The news', url: 'https://example.com/news' })
  })
  afterEach(() => {
    smtp.mails.length = 0
  })
  afterAll(async () => {
    await worker.stop()
  })

  it('goes to the address of the grant, with text, HTML and a link', async () => {
    await app.client.grantAccess({
      rid: 'news',
      email: 'Ann@Example.com',
      first_name: 'Ann',
      message: 'Enjoy <b>it</b>\nfor long',
      expiration: service.clock.seconds + 3600,
    })
    const [row] = await waitUntilOutboxSettled(service)
    expect(row).toMatchObject({ status: 'sent', attempts: 1, sent: service.clock.now })
    const [received, ...others] = smtp.mails
    expect(others).toEqual([])
    expect(received?.sender).toBe('access@example.com')
    expect(received?.recipients).toEqual(['Ann@example.com'])
    const mail = received?.mail
    expect(mail?.from).toMatchObject({
      name: 'Example Magazine, Ltd.',
      address: 'access@example.com',
    })
    expect(mail?.to).toMatchObject([{ address: 'Ann@example.com' }])
    expect(mail?.subject).toBe('Test magazine: your access to The news')
    expect(mail?.messageId).toBe(`<${row?.id}.${app.aid}@example.com>`)
    expect(mail?.text).toContain('Enjoy <b>it</b>\nfor long')
    expect(mail?.text).toContain('https://example.com/news')
    expect(mail?.text).toContain('ends on 3 March 2027 at 10:00 UTC')
    expect(mail?.html).toContain('Enjoy &lt;b&gt;it&lt;/b&gt;<br>for long')
    expect(mail?.html).toContain('href="https://example.com/news"')
    expect(mail && headersOf(mail)).toEqual(FIXED_HEADERS)
  })

  it('is not written when it is suppressed, nor for an identical repeat', async () => {
    const grant = { rid: 'news', email: 'bob@example.com', user_ref: 'bob' }
    await app.client.grantAccess({ ...grant, suppress_email: true })
    expect(await waitUntilOutboxSettled(service).then((rows) => ofApp(rows, app))).toEqual([])
    await app.client.grantAccess({ ...grant, message: 'Hi' })
    await app.client.grantAccess({ ...grant, message: 'Hi' })
    expect(ofApp(await waitUntilOutboxSettled(service), app)).toHaveLength(1)
    expect(smtp.mails).toHaveLength(1)
  })

  it('is sent once more when the end or the message changes', async () => {
    const grant = { rid: 'news', email: 'cid@example.com' }
    const end = service.clock.seconds + 86_400
    await app.client.grantAccess(grant)
    await app.client.grantAccess({ ...grant, expiration: end })
    await app.client.grantAccess({ ...grant, expiration: end, message: 'News' })
    await app.client.grantAccess({ ...grant, expiration: end, message: 'News' })
    await app.client.grantAccess({ ...grant, expiration: service.clock.seconds - 60 })
    await waitUntilOutboxSettled(service)
    const texts = smtp.mails.map(({ mail }) => mail.text ?? '')
    expect(texts).toHaveLength(4)
    expect(texts.filter((one) => !/ends|ended/.test(one))).toHaveLength(1)
    expect(texts.filter((one) => one.includes('ends on 4 March 2027'))).toHaveLength(2)
    expect(texts.filter((one) => one.includes('ended on 3 March 2027 at 08:59'))).toHaveLength(1)
    expect(new Set(smtp.mails.map(({ mail }) => mail.messageId)).size).toBe(4)
  })

  it('comes from the application and in its own words, where it has them', async () => {
    await changeAppSettings(app, {
      name: 'Café Zeitung',
      mail_from: 'Zeitung <post@zeitung.example>',
      mail_template:
        'Subject: Für {{first_name}} von {{application}}\n\nLies {{resource}}: {{link}}',
    })
    await app.client.grantAccess({ rid: 'news', email: 'dörte@exämple.com', first_name: 'Dörte' })
    await waitUntilOutboxSettled(service)
    const [received] = smtp.mails
    expect(received?.sender).toBe('post@zeitung.example')
    expect(received?.recipients).toHaveLength(1)
    expect(received?.mail.from).toMatchObject({ name: 'Zeitung', address: 'post@zeitung.example' })
    expect(received?.mail.subject).toBe('Für Dörte von Café Zeitung')
    expect(received?.mail.text?.trim()).toBe('Lies The news: https://example.com/news')
  })

  const SPOILERS = [
    'A\r\nBcc: eve@example.com',
    'A\nSubject: owned',
    'A\u2028Bcc: eve@example.com',
    'A\u0085X-Evil: 1',
    '=?utf-8?Q?A=0D=0ABcc:_eve@example.com?=',
    'Eve <eve@example.com>, Al; group: x@example.com;',
    '"A" <eve@example.com>',
  ]

  it('keeps its one recipient and its headers, whatever a name or the message holds', async () => {
    for (const text of SPOILERS) {
      const one = await service.newApplication()
      await one.addResource('news', { name: text })
      await changeAppSettings(one, { name: text })
      const message = text.replaceAll('\u0085', '')
      const names = /\p{Cc}/u.test(text) ? {} : { first_name: text, last_name: text }
      await one.client.grantAccess({ rid: 'news', email: 'fay@example.com', message, ...names })
    }
    await waitUntilOutboxSettled(service)
    expect(smtp.mails).toHaveLength(SPOILERS.length)
    for (const { recipients, mail } of smtp.mails) {
      expect(recipients).toEqual(['fay@example.com'])
      expect(headersOf(mail)).toEqual(FIXED_HEADERS)
      expect(mail.to).toMatchObject([{ address: 'fay@example.com' }])
      expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}]/u)
      expect(mail.from?.address).toBe('access@example.com')
    }
  })

  it('has one sender, whatever its name holds', async () => {
    for (const text of SPOILERS) {
      const one = await service.newApplication()
      await one.addResource('news')
      await changeAppSettings(one, {
        mail_from: `${text.replace(/[<>]/g, '')} <post@zeitung.example>`,
      })
      await one.client.grantAccess({ rid: 'news', email: 'gus@example.com' })
    }
    await waitUntilOutboxSettled(service)
    expect(smtp.mails).toHaveLength(SPOILERS.length)
    for (const { sender, mail } of smtp.mails) {
      expect(sender).toBe('post@zeitung.example')
      expect(headersOf(mail)).toEqual(FIXED_HEADERS)
      expect(mail.from?.address).toBe('post@zeitung.example')
      expect(mail.from?.name).not.toMatch(/[\p{Cc}\p{Zl}]/u)
    }
  })

  it('is parked, and holds up no other, when it can never be sent', async () => {
    const { database, clock } = app.environment
    const spoil = async (email: string, row: object) => {
      await app.client.grantAccess({ rid: 'news', email })
      await database.write((trx) =>
        trx.updateTable('outbox').set(row).where('recipient', '=', email).execute(),
      )
    }
    await worker.stop()
    await spoil('a@example.com', { payload: '{"rid":' })
    await spoil('b@example.com', { payload: '{}' })
    await spoil('c@example.com', { payload: 'null' })
    await spoil('d@example.com', { recipient: '' })
    await spoil('e@example.com', { recipient: 'e@example.com>\r\nRCPT TO:<eve@example.com' })
    await spoil('f@example.com', { recipient: 'f@example.com,eve@example.com' })
    const badSender = await service.newApplication()
    await badSender.addResource('news')
    await changeAppSettings(badSender, { mail_from: 'post@zeitung.example>, <eve@example.com' })
    await badSender.client.grantAccess({ rid: 'news', email: 'g@example.com' })
    const archived = await service.newApplication()
    await archived.addResource('news')
    await archived.client.grantAccess({ rid: 'news', email: 'h@example.com' })
    await database.write((trx) => archiveApplication(trx, archived.aid, clock(), 'test'))
    await app.client.grantAccess({ rid: 'news', email: 'last@example.com' })
    worker = startTestMailWorker(service, smtp.url)
    const rows = await waitUntilOutboxSettled(service)
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['last@example.com']])
    const parked = [app, badSender, archived].flatMap((one) => ofApp(rows, one))
    const reasons = parked.filter((row) => row.status === 'dead').map((row) => row.last_error)
    expect(reasons.sort()).toEqual([
      'it has no address to go to',
      'it has no address to go to',
      'it has no address to go to',
      'its application is archived',
      'its content can’t be read',
      'its content is not complete',
      'its content is not complete',
      'its sender is not an e-mail address',
    ])
    expect(parked.every((row) => row.attempts === 1)).toBe(true)
  })
})

const ofApp = <T extends { aid: string }>(rows: T[], app: TestApplication): T[] =>
  rows.filter((row) => row.aid === app.aid)

describe.each(databases)('mails without a server on $name', (database) => {
  it('are kept, and never sent later by surprise; the sandbox keeps its own', async () => {
    const smtp = await startSmtp()
    const installation = await database.createMigrated()
    const quiet = await startTestService(database, { installation })
    const app = await quiet.newApplication()
    await app.addResource('news')
    await app.client.grantAccess({ rid: 'news', email: 'old@example.com' })
    expect(await listOutbox(quiet)).toMatchObject([
      { status: 'kept', recipient: 'old@example.com' },
    ])
    await quiet.stop()

    const service = await startTestService(database, {
      installation,
      env: { GATEHOUSE_SMTP_URL: smtp.url },
    })
    const worker = startTestMailWorker(service, smtp.url)
    const next = await service.newApplication()
    await next.addResource('news')
    await next.client.grantAccess({ rid: 'news', email: 'new@example.com' })
    const sandbox = await service.newApplication('sandbox')
    await sandbox.addResource('news')
    await sandbox.client.grantAccess({ rid: 'news', email: 'sand@example.com' })
    // A week that passes while a mail is being sent would end its lease, and it would be sent again.
    await waitUntilOutboxSettled(service)
    service.clock.advance(7 * 86_400)
    await next.client.grantAccess({ rid: 'news', email: 'later@example.com' })
    await waitUntilOutboxSettled(service)
    await worker.stop()
    expect(smtp.mails.flatMap(({ recipients }) => recipients)).toEqual([
      'new@example.com',
      'later@example.com',
    ])
    const statuses = (await listOutbox(service)).map((row) => row.status)
    expect(statuses.sort()).toEqual(['kept', 'sent', 'sent'])
    expect(await listOutbox(service, 'sandbox')).toMatchObject([{ status: 'kept' }])
    await service.requireInvariants()
    await service.stop()
    await installation.remove()
    await smtp.stop()
  })
})
