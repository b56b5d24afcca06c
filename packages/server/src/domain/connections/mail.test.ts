import dns from 'node:dns/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCertificate, type TestCertificate } from '../../testing/certificate.ts'
import { spawnedCli } from '../../testing/cli.ts'
import { databases, entryPointDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/service.ts'
import { LOCAL_MAIL } from '../../testing/smtp/local-mail.ts'
import { startSmtp, type TestSmtp } from '../../testing/smtp/smtp.ts'
import { useService, useSmtp } from '../../testing/use-service.ts'
import { OPERATORS_MAIL_HOST, staffMailHost } from '../mail/mail-hosts.ts'
import { createMailer } from '../mail/mailer.ts'
import { connectMail } from './mail.ts'

const LETTER = {
  ...{ id: '1@example.com', from: { name: '', address: 'shop@example.com' } },
  ...{ to: 'ann@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' },
}

const server = (smtp: TestSmtp, more: object = {}) => ({
  ...{ host: 'localhost', port: smtp.port, security: 'none', user: '', password: undefined },
  ...{ sender: 'Shop <shop@example.com>', by: 'Petra', ...more },
})

describe('the address of a mail server', () => {
  it.each([
    '0.0.0.0',
    '169.254.169.254',
    '169.254.0.1',
    '::',
    'fe80::1',
    'febf::1%eth0',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fd00:ec2::254',
    '64:ff9b::169.254.169.254',
    '::169.254.169.254',
  ])("can't be %s", (address) => {
    expect(OPERATORS_MAIL_HOST.isAllowed(address)).toBe(false)
    expect(staffMailHost([]).isAllowed(address)).toBe(false)
  })

  it.each(['127.0.0.1', '::1', '10.0.0.1', 'fd00::1', '::ffff:10.0.0.1', '100.64.0.1'])(
    'can be %s if the operator sets it, or allows staff to',
    (address) => {
      expect(OPERATORS_MAIL_HOST.isAllowed(address)).toBe(true)
      expect(staffMailHost([]).isAllowed(address)).toBe(false)
      const allowed = staffMailHost(['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8', '100.64.0.0/10'])
      expect(allowed.isAllowed(address)).toBe(true)
    },
  )

  it.each(['169.253.1.1', '8.8.8.8', '2606:4700::1'])('can be %s', (address) => {
    expect(staffMailHost([]).isAllowed(address)).toBe(true)
  })
})

describe.each(entryPointDatabases)('a mail server that is connected on $name', (database) => {
  const service = useService(database)
  const smtp = useSmtp()
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    smtp.fault = () => undefined
  })

  const connect = (more: object = {}) =>
    connectMail(service.ctx.environments.production, server(smtp, more))
  const problemOf = async (work: Promise<void>) => {
    const failure = await work.then(() => undefined).catch((error: unknown) => error)
    const { code, parameter, problem } = failure as Record<string, unknown>
    return [code, parameter, problem]
  }

  it('is refused when its name leads to an address at which clouds hand out credentials', async () => {
    const found = [
      { address: '127.0.0.1', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ]
    vi.spyOn(dns, 'lookup').mockImplementation((async () => found) as never)
    expect(await problemOf(connect())).toEqual([
      ...[
        'connection_failed',
        'host',
        expect.stringMatching(/^no mail server can be reached there/),
      ],
    ])
    const mailer = createMailer(`smtp://localhost:${smtp.port}`)
    await expect(mailer.send(LETTER)).rejects.toMatchObject({ code: 'EFORBIDDENHOST' })
    await mailer.close()
    expect(smtp.connections).toBe(0)
  })

  it('is connected to at the address that was checked, though the name leads elsewhere a moment later', async () => {
    const answers = ['127.0.0.1', '169.254.169.254'].map((address) => [{ address, family: 4 }])
    const lookups = vi
      .spyOn(dns, 'lookup')
      .mockImplementation((async () => answers.shift()) as never)
    const mailer = createMailer(`smtp://mail.example.com:${smtp.port}`)
    await mailer.send(LETTER)
    await mailer.close()
    expect([lookups.mock.calls.length, smtp.mails.length]).toEqual([1, 1])
  })

  it('is given up on when it says nothing, in our words', async () => {
    smtp.fault = (step) => (step === 'connect' ? 'stall' : undefined)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let answer: unknown
    void problemOf(connect()).then((problem) => {
      answer = problem
    })
    // The sockets are real: they need turns of the event loop.
    while (smtp.open === 0) await new Promise((resolve) => setImmediate(resolve))
    while (answer === undefined) {
      await vi.advanceTimersByTimeAsync(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(answer).toEqual([
      ...[
        'connection_failed',
        'host',
        expect.stringMatching(/^no mail server can be reached there/),
      ],
    ])
  })

  it.each([
    ['tls', { secure: true }],
    ['starttls', { disabledCommands: [] }],
  ])('is refused with a wrong certificate, over %s', async (security, options) => {
    const wrong = await startSmtp(options)
    expect(await problemOf(connect({ port: wrong.port, security }))).toEqual([
      'connection_failed',
      'security',
      expect.stringMatching(/^no secure connection could be made/),
    ])
    expect(wrong.mails).toEqual([])
    await wrong.stop()
  })

  it('is left at once by a service that stops, even if it was replaced while it kept a mail waiting', async () => {
    const other = await startTestService(database)
    const { connections } = other.ctx.environments.production
    const stored = { ...server(smtp), security: 'none', user: null, password: null } as const
    await connections.save('mail', { ...stored, connected: 0 })
    smtp.fault = (step) => (step === 'data' ? 'stall' : undefined)
    let isSending = true
    connections.mailer?.send(LETTER).catch(() => {
      isSending = false
    })
    await vi.waitFor(() => expect(smtp.unanswered).toHaveLength(1), { timeout: 60_000 })
    await connections.save('mail', { ...stored, port: 9, connected: 0 })
    expect(smtp.open).toBe(1)
    await other.stop()
    // Without the stop, it would wait for 20 seconds.
    await vi.waitFor(() => expect([isSending, smtp.open]).toEqual([false, 0]), { timeout: 15_000 })
  })
})

describe('a mail server that is not public', () => {
  const service = useService(databases[0], { env: { GATEHOUSE_MAIL_ALLOW: '' } })
  const smtp = useSmtp()
  const env = () => service.ctx.environments.production
  afterEach(() => vi.restoreAllMocks())

  const refusalOf = async (more: object) => {
    const failure = await connectMail(env(), server(smtp, more)).catch((error: unknown) => error)
    const { parameter, problem } = failure as Record<string, unknown>
    return [parameter, problem]
  }

  it('is refused in the same words, whether or not something is there, and never connected to', async () => {
    const expected = [
      'host',
      expect.stringMatching(/^no mail server can be reached .*\(GATEHOUSE_MAIL_ALLOW\)$/),
    ]
    const closed = { port: 1 }
    for (const more of [{}, closed, { security: 'tls' }, { security: 'starttls', ...closed }]) {
      for (const host of ['localhost', '127.0.0.1', '::1'])
        expect(await refusalOf({ host, ...more })).toEqual(expected)
    }
    expect(await refusalOf({ host: 'no-such-host.invalid', security: 'tls' })).toEqual(expected)
    vi.spyOn(dns, 'lookup').mockImplementation((async () => [
      { address: '10.0.0.7', family: 4 },
    ]) as never)
    expect(await refusalOf({ host: 'db.internal.example', security: 'tls' })).toEqual(expected)
    expect(smtp.connections).toBe(0)
  })

  it('gets nothing either if it was stored before, or its name leads there later', async () => {
    const { connections } = env()
    const stored = { ...server(smtp), security: 'none', user: null, password: null } as const
    for (const host of ['127.0.0.1', 'localhost']) {
      await connections.save('mail', { ...stored, host, connected: 0 })
      for (const mailer of [
        connections.mailer,
        connections.tryMailer(connections.mail.smtpUrl ?? ''),
      ])
        await expect(mailer?.send(LETTER)).rejects.toMatchObject({ code: 'EFORBIDDENHOST' })
    }
    expect(smtp.connections).toBe(0)
    await connections.remove('mail')
  })

  it('is trusted if the operator has set it', async () => {
    const other = await startTestService(databases[0], {
      env: { GATEHOUSE_MAIL_ALLOW: '', GATEHOUSE_SMTP_URL: smtp.url },
    })
    await other.ctx.environments.production.connections.mailer?.send(LETTER)
    expect(smtp.mails).toHaveLength(1)
    await other.stop()
  })
})

describe('a mail server with a good certificate', () => {
  const service = useService(databases[0])
  let certificate: TestCertificate
  beforeAll(async () => {
    certificate = await createCertificate('localhost')
  })
  afterAll(() => certificate.remove())

  it.each([
    ['tls', { secure: true }],
    ['starttls', { disabledCommands: [] }],
  ])(
    'is refused while its authority is unknown, with the setting that names it: %s',
    async (security, options) => {
      const { key, cert } = certificate
      const smtp = await startSmtp({ key, cert, ...options })
      const connected = connectMail(service.ctx.environments.production, server(smtp, { security }))
      await expect(connected).rejects.toMatchObject({
        parameter: 'security',
        problem: expect.stringMatching(/NODE_EXTRA_CA_CERTS$/),
      })
      await smtp.stop()
    },
  )

  it('is connected and takes mails, over TLS and over STARTTLS', async () => {
    const { certFile, key, cert } = certificate
    // Node reads the certificates that it trusts when a process starts.
    const cli = spawnedCli({
      ...service.installation.env,
      ...LOCAL_MAIL,
      NODE_EXTRA_CA_CERTS: certFile,
    })
    const connectAndTry = async (env: string, security: string, options: object) => {
      const smtp = await startSmtp({ key, cert, ...options })
      const at = ['--host', 'localhost', '--port', String(smtp.port), '--security', security]
      await cli.json('mail', 'connect', '--env', env, ...at, '--sender', 'shop@example.com')
      await cli.json('mail', 'test', '--env', env, '--to', 'ann@example.com')
      expect(smtp.mails.map(({ secure }) => secure)).toEqual([true])
      await smtp.stop()
    }
    await Promise.all([
      connectAndTry('production', 'tls', { secure: true }),
      connectAndTry('sandbox', 'starttls', { disabledCommands: [] }),
    ])
  })
})
