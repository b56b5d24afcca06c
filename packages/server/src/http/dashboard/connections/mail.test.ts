import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { MAIL_PROBLEM_TEXTS } from '../../../domain/connections/texts.ts'
import type { Refusal } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import { useService, useSignedIn, useSmtp } from '../../../testing/use-service.ts'
import type { ConnectionsView, MailTested } from './schemas.ts'

describe.each(databases)('Settings, Mail on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database)
  const owner = useSignedIn(service, 'owner')

  const server = () => ({
    ...{ host: '127.0.0.1', port: smtp.port, security: 'none' },
    ...{ user: 'post@example.com', password: 'p:a/s s@%', sender: 'Shop <shop@example.com>' },
  })
  const path = '/connections/production/mail'
  const connect = (more: object = {}) =>
    owner.request<ConnectionsView & Refusal>('PUT', path, { ...server(), ...more })
  const refusal = async (more: object) => {
    const { status, body } = await connect(more)
    return [status, body.error.parameter, body.error.problem]
  }
  afterEach(() => {
    smtp.fault = () => undefined
  })

  it.each([
    ['host', 'smtp://mail.example.com', /^enter only the name/],
    ['host', 'post@example.com', /not an email address/],
    ['host', 'a b', /^must be a host name/],
    ['host', '2130706433', /^must be a host name/],
    ['host', '169.254.169.254', /^no mail server can be reached there/],
    ['host', '10.0.0.1', /allowed by the operator \(GATEHOUSE_MAIL_ALLOW\)$/],
    ['port', 0, /^must be 1 or more/],
    ['security', 'ssl', /^must be tls or starttls or none/],
    ['sender', 'nobody', /^must be an address like/],
    ['sender', 'a@b.example\r\nBcc: c@d.example', /^must be an address like/],
    ['user', '', /^enter the user name that belongs to the password/],
  ])('refuses %s %j before it asks anybody', async (field, value, problem) => {
    expect(await refusal({ [field]: value })).toEqual([400, field, expect.stringMatching(problem)])
    expect(smtp.connections).toBe(0)
  })

  it('sends nothing in the open, except to this machine', async () => {
    const found = await refusal({ host: 'mail.example.com' })
    expect(found).toEqual([400, 'security', expect.stringMatching(/needs TLS or STARTTLS/)])
  })

  it('tells what a server answers from a list, and stores nothing', async () => {
    expect(await refusal({ security: 'starttls' })).toEqual([
      ...[402, 'security', expect.stringMatching(/^the server does not offer STARTTLS/)],
    ])
    expect(service.ctx.environments.production.delivery).toBe('kept')
  })

  it('says the same of all that can’t be reached, so that no network can be searched', async () => {
    const same = [402, 'host', expect.stringMatching(/^no mail server can be reached there/)]
    expect(await refusal({ host: 'no-such-host.invalid', security: 'tls' })).toEqual(same)
    // A port where something answers that is no mail server, or speaks no TLS.
    expect(await refusal({ security: 'tls' })).toEqual(same)
    smtp.fault = (step) => (step === 'connect' ? 554 : undefined)
    expect(await refusal({})).toEqual(same)
    const web = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await once(web.listen(0, '127.0.0.1'), 'listening')
    const { port } = web.address() as AddressInfo
    expect(await refusal({ port })).toEqual(same)
    await once(web.close(), 'close')
    expect(await refusal({ port })).toEqual(same)
    await smtp.refuse()
    expect(await refusal({})).toEqual(same)
    await smtp.accept()
    const texts = (
      ['refused', 'unreachable', 'timeout', 'host_not_found', 'forbidden'] as const
    ).map((problem) => MAIL_PROBLEM_TEXTS[problem])
    expect(new Set(texts).size).toBe(1)
  })

  it('connects, and shows everything but the password', async () => {
    const { status, body, text } = await connect()
    expect(status).toBe(200)
    expect(body.mail).toMatchObject({
      ...{ source: 'staff', host: '127.0.0.1', port: smtp.port, security: 'none' },
      ...{ user: 'post@example.com', sender: 'Shop <shop@example.com>' },
      ...{ sender_domain: 'example.com', connected_by: 'Test' },
    })
    expect(text).not.toContain('p:a/s')
    expect(smtp.logins.at(-1)).toMatchObject({ user: 'post@example.com', password: 'p:a/s s@%' })
    const audit = await service.ctx.control.read.selectFrom('audit').selectAll().execute()
    expect(audit.at(-1)).toMatchObject({ action: 'mail.connect', outcome: 'done' })
    expect(JSON.stringify(audit)).not.toContain('p:a/s')
  })

  it('sends a test email to whoever asks for it', async () => {
    const { body } = await owner.request<{ sent_to: string }>('POST', `${path}/test`)
    expect(body.sent_to).toBe(owner.member.email)
    const [mail] = smtp.mailsTo(owner.member.email)
    expect([mail?.sender, mail?.mail.subject]).toEqual([
      ...['shop@example.com', 'Test email from Gatehouse'],
    ])
  })

  it.each([
    ['sender', 550, 'sender', /^the server does not accept this sender/],
    ['sender', 530, 'user', /^the server requires a user name/],
    ['recipient', 550, 'to', /address of the recipient \(550\)$/],
    ['recipient', 450, 'to', /^the server does not accept the email now. Try again later \(450\)$/],
    ['connect', 421, 'host', /^the server takes no more connections at the moment/],
    ['data', 554, 'sender', /^the server does not accept the message/],
  ] as const)('says in our words that a test was refused at %s with %i', async (...row) => {
    const [step, code, field, problem] = row
    smtp.fault = (now) => (now === step ? code : undefined)
    const { status, body, text } = await owner.request<Refusal>('POST', `${path}/test`)
    expect([status, body.error.parameter, body.error.problem]).toEqual([
      ...[402, field, expect.stringMatching(problem)],
    ])
    expect(text).not.toContain('not with us')
  })

  it('says that a server may want a login when none is set, and how many connections it takes', async () => {
    const open = { user: '', password: '' }
    expect((await connect(open)).status).toBe(200)
    smtp.fault = (step) => (step === 'recipient' ? 554 : undefined)
    const { body: refused } = await owner.request<Refusal>('POST', `${path}/test`)
    expect([refused.error.parameter, refused.error.problem]).toEqual([
      ...['user', expect.stringMatching(/without a login, it seems.*\(554\)$/)],
    ])
    smtp.fault = () => undefined
    smtp.limit = 2
    await smtp.dropConnections()
    const { body } = await owner.request<MailTested>('POST', `${path}/test`)
    expect(body.connections).toEqual({ wanted: 20, taken: 2 })
    smtp.limit = Number.POSITIVE_INFINITY
    await connect()
  })

  it('keeps the password while the server and the user stay the same, and only then', async () => {
    const { password: _, ...rest } = server()
    const change = (more: object) =>
      owner.request<ConnectionsView & Refusal>('PUT', path, { ...rest, ...more })
    const renamed = await change({ sender: 'News <news@example.com>' })
    expect(renamed.body.mail.sender).toBe('News <news@example.com>')
    expect(smtp.logins.at(-1)?.password).toBe('p:a/s s@%')
    for (const more of [{ host: 'localhost' }, { port: 1 }, { user: 'other' }]) {
      const { status, body } = await change(more)
      expect([status, body.error.parameter]).toEqual([400, 'password'])
    }
  })

  it('is disconnected, and mails are kept again', async () => {
    const { body } = await owner.request<ConnectionsView>('POST', `${path}/disconnect`)
    expect(body.mail).toMatchObject({ source: 'none', host: null, user: null })
    expect(service.ctx.environments.production.delivery).toBe('kept')
    const test = await owner.request<Refusal>('POST', `${path}/test`)
    expect(test.body.error.code).toBe('not_connected')
  })
})
