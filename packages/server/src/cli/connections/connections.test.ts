import { describe, expect, it, vi } from 'vitest'
import { inProcessCli, withInput } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { useFixture } from '../../testing/fixtures.ts'
import { LOCAL_MAIL } from '../../testing/smtp/local-mail.ts'
import { useApplication, useFakeStripe, useService, useSmtp } from '../../testing/use-service.ts'

const KEY = 'sk_test_fake0123456789'

describe.each(entryPointDatabases)('connecting by command on $name', (database) => {
  const fake = useFakeStripe()
  const smtp = useSmtp()
  const service = useService(database, () => ({ env: { GATEHOUSE_STRIPE_API: fake.url } }))
  useApplication(service, { environment: 'sandbox' })
  const cli = useFixture(async () =>
    inProcessCli({
      ...{ ...service.installation.env, ...LOCAL_MAIL },
      GATEHOUSE_STRIPE_API: fake.url,
    }),
  )
  const sandbox = () => service.ctx.environments.sandbox
  const connect = (input: string, ...more: string[]) =>
    withInput(input, () => cli.run('payments', 'connect', '--env', 'sandbox', ...more))
  const audits = async () =>
    (await service.ctx.control.read.selectFrom('audit').selectAll().execute()).map(
      ({ action, outcome, environment, email }) => [action, outcome, environment, email],
    )

  it('takes no secret as an argument, and says in one line what is wrong with it', async () => {
    const given = await cli.run('payments', 'connect', '--env', 'sandbox', KEY)
    expect(given.code).toBe(1)
    expect(given.stderr).toContain('too many arguments')
    const wrong = await connect('pk_test_0123456789\n')
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toMatch(/^gatehouse: secret_key: this is a publishable key.*\n$/)
    expect(await audits()).toEqual([
      ['payments.connect', 'invalid_parameter', 'sandbox', 'command line'],
    ])
  })

  it('connects Stripe, which a running service follows, and prints no secret', async () => {
    const { code, stdout, stderr } = await connect(`${KEY}\n`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Fake Magazine (acct_fake1)')
    expect(stdout).toContain("Stripe can't reach this address")
    await sandbox().connections.refresh()
    expect(sandbox().provider?.name).toBe('stripe')
    const { code: again, stdout: json } = await connect(`${KEY}\nwhsec_0123456789\n`, '--json')
    expect(again).toBe(0)
    expect(JSON.parse(json)).toMatchObject({
      ...{ environment: 'sandbox', source: 'staff', key_ending: '6789', webhook_problem: null },
      webhook: { state: 'manual' },
    })
    expect(cli.printed).not.toContain(KEY)
    expect(cli.printed).not.toContain('whsec_0')
  })

  it('shows both environments, and tests the keys in use', async () => {
    expect(await cli.json('payments', 'show')).toMatchObject([
      { environment: 'production', source: 'none', provider: 'none' },
      { environment: 'sandbox', source: 'staff', provider: 'stripe', connected_by: 'command line' },
    ])
    const shown = await cli.run('payments', 'show', '--env', 'sandbox')
    expect(shown.stdout).toContain('…6789 (test mode)')
    expect(await cli.json('payments', 'test', '--env', 'sandbox')).toMatchObject({ ok: true })
    const none = await cli.run('payments', 'test', '--env', 'production')
    expect([none.code, none.stderr]).toEqual([1, 'gatehouse: Nothing is connected here yet.\n'])
  })

  it('is used by doctor and by a rehearsal', async () => {
    const doctor = await cli.run('doctor')
    expect(doctor.stdout).toMatch(/^payments_sandbox +Stripe, with test keys$/m)
    expect(doctor.stdout).toMatch(/^ok +payments sandbox +stripe responds$/m)
    expect((await cli.run('payment', 'rehearse')).stdout).toMatch(
      /^ok +key: Stripe takes the key$/m,
    )
    fake.fault = () => 'key_refused'
    const refused = await cli.run('doctor')
    fake.fault = () => undefined
    expect(refused.stdout).toContain("the key in the dashboard's settings is refused (401)")
  })

  const server = () => ['--host', '127.0.0.1', '--port', String(smtp.port), '--security', 'none']

  it('connects a mail server, and sends a test', async () => {
    const options = ['--env', 'sandbox', ...server(), '--sender', 'Shop <shop@example.com>']
    const { code, stdout, stderr } = await withInput('pass word\n', () =>
      cli.run('mail', 'connect', ...options, '--user', 'ann'),
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^sender +Shop <shop@example.com>$/m)
    expect(smtp.logins.at(-1)).toMatchObject({ user: 'ann', password: 'pass word' })
    expect(cli.printed).not.toContain('pass word')
    await sandbox().connections.refresh()
    expect([sandbox().delivery, sandbox().mailFrom]).toEqual([
      ...['queued', 'Shop <shop@example.com>'],
    ])
    const to = 'petra@example.com'
    expect(await cli.json('mail', 'test', '--env', 'sandbox', '--to', to)).toEqual({
      ...{ environment: 'sandbox', sent_to: to, connections: { wanted: 20, taken: 20 } },
    })
    expect(smtp.mailsTo(to)).toHaveLength(1)
    smtp.limit = 2
    const { stdout: tested } = await cli.run('mail', 'test', '--env', 'sandbox', '--to', to)
    expect(tested).toBe(
      `Sent to ${to}.\nThe server takes 2 of 20 connections at once; Gatehouse uses 2; set GATEHOUSE_MAIL_CONNECTIONS=2.\n`,
    )
    const { stdout: found, code: good } = await cli.run('doctor')
    expect(found).toMatch(
      /^warning +mail sandbox +127.0.0.1:\d+ takes 2 of 20 connections at once; Gatehouse uses 2\n +-> set GATEHOUSE_MAIL_CONNECTIONS=2/m,
    )
    expect(good).toBe(0)
    await vi.waitFor(() => expect(smtp.open).toBe(0), { timeout: 20_000 })
    smtp.limit = 0
    expect((await cli.run('doctor')).stdout).toMatch(
      /^warning +mail sandbox +127.0.0.1:\d+ takes no more connections now: .*421/m,
    )
    smtp.limit = Number.POSITIVE_INFINITY
    expect((await cli.run('doctor')).stdout).toMatch(/^mail_sandbox +smtp:\/\/127.0.0.1:\d+$/m)
  })

  it('says what a mail server has against a test, in our words', async () => {
    smtp.fault = (step) => (step === 'sender' ? 553 : undefined)
    const { code, stderr } = await cli.run(
      'mail',
      'test',
      '--env',
      'sandbox',
      '--to',
      'a@b.example',
    )
    smtp.fault = () => undefined
    expect([code, stderr]).toEqual([
      ...[1, 'gatehouse: sender: the server does not accept this sender for your login (553)\n'],
    ])
    expect((await audits()).at(-1)).toEqual([
      ...['mail.test', 'connection_failed', 'sandbox', 'command line'],
    ])
  })
})
