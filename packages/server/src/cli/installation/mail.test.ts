import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, inProcessCli, spawnedCli } from '../../testing/cli.ts'
import type { Checkup } from '../../testing/commands/checkup.ts'
import { PASSWORD, withPasswords } from '../../testing/commands/passwords.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import type { TestApplication } from '../../testing/service.ts'
import { startTestMailWorker, waitForOutbox } from '../../testing/smtp/outbox.ts'
import { useService, useSmtp } from '../../testing/use-service.ts'

describe.each(entryPointDatabases)('mail by command line on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database, () => ({
    useRealTime: true,
    env: { GATEHOUSE_SMTP_URL: smtp.url },
  }))
  let app: TestApplication
  let cli: Cli
  let real: Cli
  let kept: Cli
  beforeAll(async () => {
    const smtpUrl = smtp.url.replace('//', `//user:${PASSWORD}@`)
    const env = withPasswords(service.installation)
    cli = inProcessCli({ ...env, GATEHOUSE_SMTP_URL: smtpUrl })
    real = spawnedCli({ ...env, GATEHOUSE_SMTP_URL: smtpUrl })
    kept = inProcessCli(env)
    app = await service.newApplication()
    await app.addResource('news', { name: 'The <News>', url: 'https://example.com/news' })
  })
  afterAll(async () => {
    expect(cli.printed + real.printed + kept.printed).not.toContain(PASSWORD)
  })

  interface Mail {
    id: string
    status: string
    to: string
  }

  it('lists, shows and sends again what was given up', async () => {
    smtp.fault = (step) => (step === 'recipient' ? 550 : undefined)
    const worker = startTestMailWorker(service, smtp.url)
    for (const who of ['ann', 'bob', 'cid']) {
      const email = `${who}@example.com`
      await app.client.grantAccess({ rid: 'news', email, user_ref: who, message: 'Hello <you>' })
    }
    await waitForOutbox(service, (rows) => rows.every((row) => row.status === 'dead'))
    const [mails, none, sandbox, limited] = await Promise.all([
      cli.json<Mail[]>('mail', 'list', '--status', 'dead'),
      cli.json<Mail[]>('mail', 'list', '--status', 'sent'),
      cli.json<Mail[]>('mail', 'list', '--env', 'sandbox'),
      cli.json<Mail[]>('mail', 'list', '--aid', app.aid, '--limit', '2'),
    ])
    expect(mails.map((mail) => mail.to).sort()).toEqual(
      ['ann', 'bob', 'cid'].map((who) => `${who}@example.com`),
    )
    expect([none, sandbox]).toEqual([[], []])
    expect(limited).toHaveLength(2)

    const { checks } = await cli.json<Checkup>('doctor')
    expect(checks).toContainEqual(
      expect.objectContaining({
        message: '3 emails failed',
        todo: expect.stringMatching(/gatehouse mail retry --all-dead --env production$/),
      }),
    )

    smtp.fault = () => undefined
    const ann = mails.find((mail) => mail.to === 'ann@example.com')?.id as string
    expect(await real.json('mail', 'retry', ann)).toMatchObject({ id: ann, status: 'queued' })
    await waitForOutbox(service, (rows) => rows.find((row) => row.id === ann)?.status === 'sent')
    expect(await cli.json('mail', 'retry', '--all-dead', '--env', 'production')).toEqual({
      queued: 2,
    })
    await waitForOutbox(service, (rows) => rows.every((row) => row.status === 'sent'))
    await worker.stop()
    expect(smtp.mails).toHaveLength(3)

    const [shown, html, again] = await Promise.all([
      cli.json('mail', 'show', ann),
      cli.run('mail', 'show', ann, '--html'),
      cli.run('mail', 'retry', ann),
    ])
    const received = smtp.mailsTo('ann@example.com')[0]?.mail
    expect(shown).toMatchObject({ id: ann, status: 'sent', to: 'ann@example.com' })
    expect(shown.subject).toBe(received?.subject)
    expect(String(shown.text).trim()).toBe(received?.text?.trim())
    expect(html.stdout.trim()).toBe(received?.html?.trim())
    expect(html.stdout).toContain('Hello &lt;you&gt;')
    expect(again).toMatchObject({
      code: 1,
      stderr: `gatehouse: the email ${ann} was already sent\n`,
    })
  })

  it('queues nothing where no server would send it', async () => {
    const sandbox = await service.newApplication('sandbox')
    await sandbox.addResource('news')
    await sandbox.client.grantAccess({ rid: 'news', email: 'dan@example.com', user_ref: 'dan' })
    const [mail] = await kept.json<Mail[]>('mail', 'list', '--env', 'sandbox')
    expect(mail).toMatchObject({ to: 'dan@example.com', status: 'kept' })
    expect(await kept.run('mail', 'retry', mail?.id as string)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no mail server .* gatehouse mail connect --env sandbox/),
    })
    expect(await kept.json<Mail[]>('mail', 'list', '--env', 'sandbox')).toEqual([mail])
  })

  it('is looked at by doctor, which tells what it can’t reach and never how it signs in', async () => {
    const good = await cli.json<Checkup>('doctor')
    expect(good.checks).toContainEqual({
      check: 'mail production',
      status: 'ok',
      message: `127.0.0.1:${smtp.port} answers, on 20 connections`,
    })
    await smtp.refuse()
    const { code, stdout } = await real.run('doctor')
    await smtp.accept()
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +mail production .*ECONNREFUSED/m)
    expect(stdout).toMatch(/-> .*GATEHOUSE_SMTP_URL/)
  })
})
