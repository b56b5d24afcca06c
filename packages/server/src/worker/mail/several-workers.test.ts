import { describe, expect, it } from 'vitest'
import { claimMails, recordSendOutcomes } from '../../domain/mail/claims.ts'
import { createMailer, type Mailer } from '../../domain/mail/mailer.ts'
import type { MailRow } from '../../domain/mail/outbox.ts'
import { createLogger } from '../../logging/logger.ts'
import { databases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import {
  startTestMailWorker,
  waitForOutbox,
  waitUntilOutboxSettled,
} from '../../testing/smtp/outbox.ts'
import { startSmtp } from '../../testing/smtp/smtp.ts'
import { startMailWorker } from './mail-worker.ts'

const LEASE_SECONDS = 90
const MAILS = 40
const CONNECTIONS = 4

/** Sends the mail but never returns after the first few, like a process that dies after the server's 250. */
function mailerThatDies(smtpUrl: string, after: number) {
  const mailer = createMailer(smtpUrl)
  let sent = 0
  let wake = () => {}
  const asleep = new Promise<void>((resolve) => {
    wake = resolve
  })
  const dying: Mailer = {
    async send(mail) {
      await mailer.send(mail)
      if (++sent > after) await asleep
    },
    capacity: () => mailer.capacity(),
    retire: () => mailer.retire(),
    close: () => mailer.close(),
  }
  return { mailer: dying, wake, dead: () => Math.max(0, sent - after) }
}

const sendingIn = (rows: MailRow[]) =>
  rows.filter(({ status }) => status === 'sending').map(({ id }) => id)

async function fill(service: TestService, count: number): Promise<void> {
  const app = await service.newApplication()
  await app.addResource('news')
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      app.client.grantAccess({ rid: 'news', email: `reader${n}@mail${n % 10}.example` }),
    ),
  )
}

describe.each(databases)('several workers on one outbox, on $name', (database) => {
  it('send each mail once, and once more only what a dead one had in hand', async () => {
    const smtp = await startSmtp()
    const installation = await database.createMigrated()
    const env = { GATEHOUSE_SMTP_URL: smtp.url }
    const services = await Promise.all(
      Array.from({ length: 4 }, () => startTestService(database, { installation, env })),
    )
    const [service, ...others] = services as [TestService, ...TestService[]]
    await fill(service, MAILS)
    const dying = mailerThatDies(smtp.url, 3)
    const options = {
      ...{ perSecond: 10_000, connections: CONNECTIONS },
      log: createLogger('silent'),
    }
    const server = { mailer: dying.mailer, mailFrom: service.ctx.config.mailFrom }
    const victim = startMailWorker(service.ctx.environments.production, () => server, options)
    // Besides the mails that it has in flight, it holds half as many that it has not begun to send.
    const claimed = await waitForOutbox(
      service,
      (rows) => dying.dead() === CONNECTIONS && sendingIn(rows).length === CONNECTIONS * 1.5,
      60_000,
    )
    const held = sendingIn(claimed)
    const workers = others.map((one) => startTestMailWorker(one, smtp.url))
    const isRestSent = (rows: MailRow[]) =>
      rows.filter(({ status }) => status === 'sent').length === MAILS - held.length
    await waitForOutbox(service, isRestSent, 60_000)

    for (const one of services) one.clock.advance(LEASE_SECONDS)
    const rows = await waitUntilOutboxSettled(service)
    expect(rows).toHaveLength(MAILS)
    expect(rows.every(({ status }) => status === 'sent')).toBe(true)
    const ids = smtp.mails.map(({ mail }) => mail.messageId)
    expect(new Set(ids).size).toBe(MAILS)
    expect(ids).toHaveLength(MAILS + CONNECTIONS)

    // The result of a worker that comes back after its lease has ended is ignored.
    dying.wake()
    await victim.stop()
    for (const row of await waitUntilOutboxSettled(service)) {
      expect(row.attempts).toBe(held.includes(row.id) ? 2 : 1)
    }
    await Promise.all(workers.map((worker) => worker.stop()))
    await dying.mailer.close()
    await service.requireInvariants()
    for (const one of services) await one.stop()
    await installation.remove()
    await smtp.stop()
  })

  it("can't settle a mail whose lease has run out, or is another’s", async () => {
    const service = await startTestService(database, {
      env: { GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:9' },
    })
    await fill(service, 2)
    const { database: db } = service.ctx.environments.production
    const take = (token: string, realTime: number) =>
      claimMails(db, { token, until: realTime + 90_000 }, 5, realTime)
    const settle = (
      mail: Awaited<ReturnType<typeof take>>[number],
      token: string,
      realTime: number,
    ) =>
      db.write(async (trx) => {
        const outcome = { status: 'sent', sent: realTime } as const
        const sent = [{ mail, lease: { token, until: 0 }, outcome }]
        return (await recordSendOutcomes(trx, sent, realTime)).has(mail.id)
      })
    const { now } = service.clock
    const [one, two] = await take('mine', now)
    if (!one || !two) throw new Error('there were two to take')
    expect(await take('hers', now + 89_999)).toEqual([])
    expect(await settle(one, 'hers', now)).toBe(false)
    expect(await settle(one, 'mine', now + 90_000)).toBe(false)
    expect(await settle(one, 'mine', now + 89_999)).toBe(true)
    expect(await settle(one, 'mine', now + 89_999)).toBe(false)
    expect((await take('hers', now + 90_000)).map(({ id }) => id)).toEqual([two.id])
    expect(await settle(two, 'mine', now + 90_001)).toBe(false)
    expect(await settle(two, 'hers', now + 90_001)).toBe(true)
    await service.requireInvariants()
    await service.stop()
  })
})
