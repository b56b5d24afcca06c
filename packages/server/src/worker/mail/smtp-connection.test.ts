import { describe, expect, it, vi } from 'vitest'
import { createMailer, type OutgoingMail } from '../../domain/mail/mailer.ts'
import { startSmtp } from '../../testing/smtp/smtp.ts'

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
})
