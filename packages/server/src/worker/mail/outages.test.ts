import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, inject, it, vi } from 'vitest'
import { createMailer } from '../../domain/mail/mailer.ts'
import { databases, type TestDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/service.ts'
import {
  startTestMailWorker,
  waitForOutbox,
  waitUntilOutboxSettled,
} from '../../testing/smtp/outbox.ts'
import { startSmtp } from '../../testing/smtp/smtp.ts'
import { startMailWorker } from './mail-worker.ts'

/** Starts a service with a mail server of its own. */
async function startWithSmtp(database: TestDatabase) {
  const smtp = await startSmtp()
  const env = { GATEHOUSE_SMTP_URL: smtp.url }
  const service = await startTestService(database, { env })
  const app = await service.newApplication()
  await app.addResource('news')
  const stop = async () => {
    await service.requireInvariants()
    await service.stop()
    await smtp.stop()
  }
  return { smtp, service, app, stop }
}

describe('a stop of the service', () => {
  it('waits for a stalled mail server for some seconds only, and leaves its mail for later', async () => {
    const { smtp, service, app, stop } = await startWithSmtp(databases[0])
    smtp.fault = (step) => (step === 'data' ? 'stall' : undefined)
    const worker = startTestMailWorker(service, smtp.url)
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com' })
    await vi.waitFor(() => expect(smtp.unanswered).toHaveLength(1), { timeout: 60_000 })
    const start = performance.now()
    await worker.stop()
    expect(performance.now() - start).toBeLessThan(15_000)
    const [row] = await waitForOutbox(service, () => true)
    expect(row).toMatchObject({ status: 'queued', attempts: 1 })
    expect(row?.due).toBeGreaterThan(service.clock.now)
    await stop()
  })
})

describe('a database that goes away', () => {
  it('does not make a mail go twice that was taken meanwhile', async () => {
    const { smtp, service, app, stop } = await startWithSmtp(databases[1])
    const name = new URL(service.installation.env.GATEHOUSE_DATABASE_URL as string).pathname.slice(
      1,
    )
    const admin = new pg.Client({ connectionString: inject('postgresUrl') })
    await admin.connect()
    let gone: Promise<void> | undefined
    const goAway = async () => {
      await admin.query(`alter database ${name} allow_connections false`)
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`,
        [name],
      )
    }
    // The database is unavailable from before the server's 250 until after it.
    smtp.beforeAccepting = async () => {
      gone ??= goAway()
      await gone
    }
    const worker = startTestMailWorker(service, smtp.url)
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com' })
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), { timeout: 60_000 })
    await admin.query(`alter database ${name} allow_connections true`)
    const [row] = await vi.waitFor(() => waitUntilOutboxSettled(service), { timeout: 60_000 })
    expect(row).toMatchObject({ status: 'sent', attempts: 1 })
    await worker.stop()
    expect(smtp.mails).toHaveLength(1)
    await admin.end()
    await stop()
  })

  it('is told of once, for what it is, and again when it is back', async () => {
    const service = await startTestService(databases[0])
    const { production } = service.ctx.environments
    const lines: { level: number; trouble?: string }[] = []
    const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
    let trouble: object | undefined
    let asked = 0
    const realTime = () => {
      asked++
      if (trouble) throw Object.assign(new Error('trouble'), trouble)
      return service.clock.now
    }
    const mailer = createMailer('smtp://127.0.0.1:9')
    trouble = { code: 'ECONNREFUSED' }
    const server = { mailer, mailFrom: 'access@example.com' }
    const options = { perSecond: 100, connections: 20, log }
    const worker = startMailWorker({ ...production, realTime }, () => server, options)
    await vi.waitFor(() => expect(asked).toBe(2), { timeout: 60_000 })
    trouble = {}
    await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 60_000 })
    trouble = undefined
    await vi.waitFor(() => expect(lines).toHaveLength(3), { timeout: 60_000 })
    await worker.stop()
    expect(lines.map((line) => [line.level, line.trouble])).toEqual([
      [50, 'database_unavailable'],
      [50, 'failed'],
      [30, 'failed'],
    ])
    await mailer.close()
    await service.stop()
  })
})
