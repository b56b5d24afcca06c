import { describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { mailClientName } from '../../config/public-origins.ts'
import { OPERATORS_MAIL_HOST } from '../../domain/mail/mail-hosts.ts'
import { createMailer, type OutgoingMail } from '../../domain/mail/mailer.ts'
import { checkMailServer, countConnections } from '../../domain/mail/server-check.ts'
import { isPermanentRefusal } from '../../domain/mail/smtp-errors.ts'
import { databases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/service.ts'
import { type Fault, startSmtp } from '../../testing/smtp/smtp.ts'

const letter: OutgoingMail = {
  id: 'letter@example.com',
  from: { name: '', address: 'access@example.com' },
  to: 'ann@example.com',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

describe('the line to a mail server', () => {
  it("is closed when a sending is given up, so that it can't deliver later", async () => {
    const smtp = await startSmtp()
    const mailer = createMailer(smtp.url)
    let asked = () => {}
    const reached = new Promise<void>((resolve) => {
      asked = resolve
    })
    // Stalls before it accepts the text of the mail.
    smtp.fault = (step) => {
      if (step !== 'recipient') return undefined
      asked()
      return 'stall'
    }
    const stopping = new AbortController()
    const sending = mailer.send(letter, stopping.signal)
    await reached
    stopping.abort()
    await expect(sending).rejects.toThrow(/stopped/)
    await vi.waitFor(() => expect(smtp.open).toBe(0), { timeout: 60_000 })
    smtp.fault = () => undefined
    await mailer.send(letter)
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.unanswered).toEqual([])
    await mailer.close()
    await smtp.stop()
  })

  it('logs in with the name and password of the address, over STARTTLS where it is offered', async () => {
    const smtp = await startSmtp({ disabledCommands: [], allowInsecureAuth: false })
    const url = `smtp://us%40er:pass%2Fword@127.0.0.1:${smtp.port}`
    const trusting = createMailer(`${url}?tls.rejectUnauthorized=false`)
    await trusting.send(letter)
    expect(smtp.logins).toEqual([{ user: 'us@er', password: 'pass/word', secure: true }])
    expect(smtp.mails).toHaveLength(1)
    await trusting.close()
    await smtp.stop()
  })

  it.each([
    ['smtps', { secure: true }],
    ['STARTTLS', { disabledCommands: [] }],
  ])('tells nothing to a server with a wrong certificate: %s', async (_, options) => {
    const smtp = await startSmtp(options)
    const mailer = createMailer(smtp.url.replace('://', '://user:password@'))
    await expect(mailer.send(letter)).rejects.toThrow(/self-signed|certificate/)
    expect(smtp.logins).toEqual([])
    expect(smtp.mails).toEqual([])
    await mailer.close()
    await smtp.stop()
  })

  it('carries no mail to an address that the server can’t take, and goes on with the next', async () => {
    const smtp = await startSmtp({ hideSMTPUTF8: true })
    const mailer = createMailer(smtp.url)
    const failure = await mailer
      .send({ ...letter, to: 'üser@example.com' })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: "the mail server can't send to this address" })
    expect(isPermanentRefusal(failure)).toBe(true)
    await mailer.send({ ...letter, to: 'ann@exämple.com' })
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['ann@exämple.com']])
    expect(smtp.connections).toBe(1)
    await mailer.close()
    await smtp.stop()
  })

  it('carries it to a server that takes such addresses', async () => {
    const smtp = await startSmtp()
    const mailer = createMailer(smtp.url)
    await mailer.send({ ...letter, to: 'üser@example.com' })
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['üser@example.com']])
    await mailer.close()
    await smtp.stop()
  })

  it('is kept after a refusal of one mail, and closed after any other failure', async () => {
    const smtp = await startSmtp()
    const mailer = createMailer(smtp.url)
    const attempt = (fault: Fault) => {
      smtp.fault = (step) => (step === 'data' ? fault : undefined)
      return mailer.send(letter).catch(() => {})
    }
    await attempt(550)
    await attempt(451)
    expect(smtp.connections).toBe(1)
    await attempt(421)
    await attempt('drop')
    smtp.fault = () => undefined
    await mailer.send(letter)
    expect(smtp.connections).toBe(3)
    await mailer.close()
    await smtp.stop()
  })

  it('is made by the name of the base URL', async () => {
    const smtp = await startSmtp()
    const service = await startTestService(databases[0], {
      env: {
        GATEHOUSE_SMTP_URL: smtp.url,
        GATEHOUSE_BASE_URL: 'https://access.example.com/paid',
      },
    })
    await service.ctx.environments.production.mailer?.send(letter)
    expect(smtp.mails.map(({ client }) => client)).toEqual(['access.example.com'])
    await service.stop()
    await smtp.stop()
  })
})

describe('the check of a mail server', () => {
  it('says that a silent port speaks TLS from the start', async () => {
    const smtp = await startSmtp({ secure: true })
    const check = checkMailServer({
      ...{ smtpUrl: `smtp://127.0.0.1:${smtp.port}`, check: OPERATORS_MAIL_HOST },
    })
    await expect(check).rejects.toThrow('this port speaks TLS from the start; use smtps://')
    await smtp.stop()
  })

  it('counts the connections that the server takes, and leaves none open', async () => {
    const smtp = await startSmtp()
    smtp.limit = 3
    const server = { smtpUrl: smtp.url, check: OPERATORS_MAIL_HOST }
    expect(await countConnections(server, 8)).toEqual({ wanted: 8, taken: 3 })
    await vi.waitFor(() => expect(smtp.open).toBe(0), { timeout: 60_000 })
    expect(await countConnections(server, 3)).toEqual({ wanted: 3, taken: 3 })
    await smtp.stop()
  })

  it.each([
    ['https://access.example.com/x', 'access.example.com'],
    ['https://exämple.com', 'xn--exmple-cua.com'],
    ['http://localhost:8080', undefined],
    ['https://192.0.2.7', undefined],
    ['https://[2001:db8::7]', undefined],
  ])('is made by a full name only: %s', (baseUrl, name) => {
    expect(mailClientName(readConfig({ GATEHOUSE_BASE_URL: baseUrl }))).toBe(name)
  })
})
