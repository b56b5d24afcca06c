import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listMails } from '../../domain/mail/outbox.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { type Credentials, createApplicationIn, withContext } from '../../testing/installations.ts'
import { type ServerProcess, startProcess } from '../../testing/processes/process.ts'
import { startSmtp, type TestSmtp } from '../../testing/smtp/smtp.ts'

/** Each look opens the databases anew. */
const PATIENT = { interval: 300 }

describe.each(databases)('a mail that the command line writes on $name', ({ createMigrated }) => {
  let installation: TestInstallation
  let app: Credentials
  let smtp: TestSmtp
  let server: ServerProcess | undefined

  beforeEach(async () => {
    installation = await createMigrated()
    app = await createApplicationIn(installation)
    smtp = await startSmtp()
  })
  afterEach(async () => {
    await server?.kill()
    await smtp.stop()
    await installation.remove()
  })

  /** Grants access by a command that has none of the service's mail settings. */
  async function grant(email: string): Promise<void> {
    const { aid, rid } = app
    const options = ['--aid', aid, '--rid', rid, '--email', email]
    expect(await inProcessCli(installation.env).run('access', 'grant', ...options)).toMatchObject({
      code: 0,
      stderr: '',
    })
  }

  async function start(more: Record<string, string>): Promise<void> {
    server = await startProcess({ env: { ...installation.env, ...more } })
    await server.url
  }

  const statuses = () =>
    withContext(installation, async ({ environments }) => {
      const rows = await listMails(environments.production.database.read, {})
      return rows.map(({ status }) => status)
    })

  it('is sent by the service, running or started later, that has a mail server', async () => {
    await grant('early@example.com')
    await start({ GATEHOUSE_SMTP_URL: smtp.url })
    await grant('late@example.com')
    await expect.poll(() => smtp.mails.length).toBe(2)
    await expect.poll(statuses, PATIENT).toEqual(['sent', 'sent'])
  })

  it('is kept at once by a service without one, and never sent later by surprise', async () => {
    await grant('early@example.com')
    await start({})
    await grant('late@example.com')
    await expect.poll(statuses, PATIENT).toEqual(['kept', 'kept'])
    await server?.stop()
    await start({ GATEHOUSE_SMTP_URL: smtp.url })
    await grant('new@example.com')
    await expect.poll(() => smtp.mails.length).toBe(1)
    expect(smtp.mailsTo('new@example.com')).toHaveLength(1)
  })
})
