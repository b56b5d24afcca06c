import { describe, expect, it } from 'vitest'
import { inProcessCli, withInput } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { createBackup } from '../../testing/restores/on-hold.ts'
import { backUp, restoreInstallation } from '../../testing/restores/restore.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { useService } from '../../testing/use-service.ts'
import { rotateKeyFile } from '../apps/rotate-master.ts'
import { findSealProblems } from '../apps/sealed.ts'
import type { MailConnection, PaymentsConnection } from './stored.ts'

const PAYMENTS: PaymentsConnection = {
  secretKey: 'sk_live_0123456789secret',
  account: { id: 'acct_1', name: 'Magazine' },
  webhook: { id: 'we_1', url: 'https://example.com/events/stripe', secret: 'whsec_0123456789' },
  connected: 1_800_000_000_000,
  by: 'Petra',
}

const MAIL: MailConnection = {
  ...{ host: 'smtp.example.com', port: 465, security: 'tls', user: 'post', password: 'p:a/s s@' },
  ...{ sender: 'Magazine <post@example.com>', connected: 1_800_000_000_000, by: 'Petra' },
}

const connectionsOf = ({ ctx }: TestService) => ctx.environments.production.connections

async function connect(service: TestService): Promise<void> {
  await connectionsOf(service).save('payments', PAYMENTS)
  await connectionsOf(service).save('mail', MAIL)
}

function expectConnected(service: TestService): void {
  expect(connectionsOf(service).payments.stored).toEqual(PAYMENTS)
  expect(connectionsOf(service).mail.stored).toEqual(MAIL)
  const { provider, delivery, mailFrom } = service.ctx.environments.production
  expect([provider?.name, delivery, mailFrom]).toEqual(['stripe', 'queued', MAIL.sender])
}

describe.each(databases)('stored connections on $name', (database) => {
  const service = useService(database)

  it('are in no row as they were typed', async () => {
    await connect(service)
    const { read } = service.ctx.environments.production.database
    const rows = [
      ...(await read.selectFrom('secrets').selectAll().execute()),
      ...(await read.selectFrom('meta').selectAll().execute()),
    ]
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['connection/payments', 'connection/mail']),
    )
    const text = JSON.stringify(rows)
    for (const typed of ['sk_live_', 'whsec_', 'p:a/s s@', 'smtp.example.com']) {
      expect(text).not.toContain(typed)
    }
  })

  it('are followed by another process, both when they come and when they go', async () => {
    const { installation } = service
    const other = await startTestService(database, { installation })
    expectConnected(other)
    await connectionsOf(service).remove('mail')
    expectConnected(other)
    await connectionsOf(other).refresh()
    const { mailer, delivery, provider } = other.ctx.environments.production
    expect([mailer, delivery, provider?.name]).toEqual([undefined, 'kept', 'stripe'])
    await connectionsOf(other).save('mail', MAIL)
    await connectionsOf(service).refresh()
    expectConnected(service)
    await other.stop()
  })

  it('keep the mailer that is in use while only payments change', async () => {
    const { mailer } = connectionsOf(service)
    await connectionsOf(service).save('payments', { ...PAYMENTS, secretKey: 'sk_live_9876543210' })
    expect(connectionsOf(service).mailer).toBe(mailer)
    await connectionsOf(service).save('payments', PAYMENTS)
  })

  it('belong to one environment', () => {
    const { sandbox } = service.ctx.environments
    expect([sandbox.connections.payments.source, sandbox.provider?.name]).toEqual(['none', 'test'])
    expect(sandbox.delivery).toBe('kept')
  })

  it("yield to the operator's settings, and are there again without them", async () => {
    const { installation } = service
    const env = {
      GATEHOUSE_STRIPE_SECRET_KEY: 'sk_live_operator1',
      GATEHOUSE_STRIPE_WEBHOOK_SECRET: 'whsec_operator1',
      GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:9',
      GATEHOUSE_MAIL_FROM: 'operator@example.com',
    }
    const other = await startTestService(database, { installation, env })
    const { payments, mail } = connectionsOf(other)
    expect([payments.source, payments.keys?.secretKey]).toEqual(['operator', 'sk_live_operator1'])
    expect([mail.source, mail.smtpUrl]).toEqual(['operator', 'smtp://127.0.0.1:9'])
    expect(other.ctx.environments.production.mailFrom).toBe('operator@example.com')
    await other.stop()
    expectConnected(service)
  })

  it('are sealed again by a rotation of the master key', async () => {
    const { control, config, masterKey, environments } = service.ctx
    const all = [environments.production.database, environments.sandbox.database]
    const sealed = () => all[0]?.read.selectFrom('secrets').selectAll().execute()
    const before = await sealed()
    await rotateKeyFile(control, all, config.dataFolder)
    expect(await sealed()).not.toEqual(before)
    const fresh = await startTestService(database, { installation: service.installation })
    expectConnected(fresh)
    expect(await findSealProblems(environments.production.database.read, masterKey)).toMatchObject({
      unreadable: [],
    })
    await fresh.stop()
  })

  it('are in a backup, sealed, and work after a restore', async () => {
    const file = await backUp(service.ctx)
    const installation = await restoreInstallation(database, service.installation, file)
    const restored = await startTestService(database, { installation })
    expectConnected(restored)
    await restored.stop()
    await installation.remove()
  })

  it('are gone from a copy that is detached, which also takes no new ones', async () => {
    const backup = await createBackup(service.installation, {})
    const installation = await backup.restore(database)
    backup.remove()
    const copy = await startTestService(database, { installation, useRealTime: true })
    expect(await copy.ctx.environments.production.isOnHold()).toBe(true)
    await inProcessCli(installation.env).json('resume', '--detach', '--yes')
    const { read } = copy.ctx.environments.production.database
    const left = await read.selectFrom('secrets').select('name').execute()
    expect(left.filter(({ name }) => name.startsWith('connection/'))).toEqual([])
    await copy.stop()
    const detached = await startTestService(database, { installation })
    expect(connectionsOf(detached).isDetached).toBe(true)
    expect(connectionsOf(detached).payments.source).toBe('none')
    await detached.stop()
    const cli = inProcessCli(installation.env)
    for (const command of ['payments', 'mail']) {
      const shared = ['connect', '--env', 'production']
      const server = ['--host', '127.0.0.1', '--security', 'none', '--sender', 'a@b.example']
      const more = command === 'mail' ? server : []
      const { code, stderr } = await withInput(`${PAYMENTS.secretKey}\n\n`, () =>
        cli.run(command, ...shared, ...more),
      )
      expect([code, stderr]).toEqual([1, expect.stringContaining('This is a detached copy')])
    }
    await installation.remove()
  })
})
