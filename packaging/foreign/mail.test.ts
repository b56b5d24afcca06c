import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { sendTestMail } from '../../packages/server/src/domain/connections/mail.ts'
import { OPERATORS_MAIL_HOST } from '../../packages/server/src/domain/mail/mail-hosts.ts'
import {
  countConnections,
  describeShortage,
} from '../../packages/server/src/domain/mail/server-check.ts'
import { databases } from '../../packages/server/src/testing/databases.ts'
import { startTestService } from '../../packages/server/src/testing/service.ts'
import {
  startTestMailWorker,
  waitForOutbox,
  waitUntilOutboxSettled,
} from '../../packages/server/src/testing/smtp/outbox.ts'
import { describeForeign } from './installed.ts'
import {
  type ForeignMailServer,
  LATER,
  type MailServerOptions,
  REFUSED,
  startExim,
  startPostfix,
} from './mail-servers.ts'

const isAllSent = (rows: { status: string }[]) => rows.every(({ status }) => status === 'sent')

describeForeign('Postfix', ['postfix'], () => testMailServer(startPostfix))
describeForeign('Exim', ['exim4'], () => testMailServer(startExim))

function testMailServer(start: (options: MailServerOptions) => Promise<ForeignMailServer>): void {
  let end = async () => {}
  afterEach(() => end())

  /** A mail server, and a service that sends through it. */
  async function startBoth(options: MailServerOptions) {
    const server = await start(options)
    const service = await startTestService(databases[0], {
      env: { GATEHOUSE_SMTP_URL: server.url },
      useRealTime: true,
    })
    const app = await service.newApplication()
    await app.addResource('news')
    let worker: ReturnType<typeof startTestMailWorker> | undefined
    end = async () => {
      await worker?.stop()
      await service.stop()
      await server.stop()
    }
    return {
      ...{ server, service },
      startWorker() {
        worker = startTestMailWorker(service, server.url)
      },
      grant: (email: string) => app.client.grantAccess({ rid: 'news', email }),
    }
  }

  it.each([
    [300, { connections: 2 }],
    [300, { connections: 1 }],
    [100, { connections: 1, greetAfter: 3 }],
  ])(
    'takes %i mails over few connections (%j) within 20 s, at the first attempt',
    async (count, options) => {
      const { server, service, startWorker, grant } = await startBoth(options)
      await Promise.all(Array.from({ length: count }, (_, n) => grant(`reader${n}@example.com`)))
      const before = performance.now()
      startWorker()
      const rows = await waitForOutbox(service, isAllSent, 60_000)
      const seconds = (performance.now() - before) / 1_000
      console.info(`${count} mails, ${JSON.stringify(options)}: ${seconds.toFixed(1)} s`)
      expect(rows.filter(({ status, attempts }) => status !== 'sent' || attempts !== 1)).toEqual([])
      expect(server.accepted()).toBe(count)
      expect(seconds).toBeLessThan(20)
    },
  )

  it('takes as many connections as it is set to, which a count shows', async () => {
    const { server } = await startBoth({ connections: 3 })
    const at = { smtpUrl: server.url, check: OPERATORS_MAIL_HOST }
    const count = await countConnections(at, 20)
    expect(describeShortage(count)).toBe('takes 3 of 20 connections at once; Gatehouse uses 3')
  })

  it('refuses a recipient for good, or for now, and no other', async () => {
    const { service, startWorker, grant } = await startBoth({})
    for (const email of [REFUSED, LATER, 'üser@example.com', 'ann@exämple.com']) await grant(email)
    startWorker()
    const rows = await waitForOutbox(service, (all) =>
      all.every((row) => row.status !== 'sending' && (row.status !== 'queued' || row.last_error)),
    )
    const outcomes = rows.map(({ recipient, status, last_error }) => [
      ...[recipient, status, /\d{3}|can't send.*/.exec(last_error ?? '')?.[0]],
    ])
    expect(outcomes.sort()).toEqual([
      ['ann@exämple.com', 'sent', undefined],
      [LATER, 'queued', expect.stringMatching(/^45/)],
      [REFUSED, 'dead', '550'],
      ['üser@example.com', 'dead', "can't send to this address"],
    ])
  })

  it('may close idle connections: the next mail goes out at the first attempt', async () => {
    const { service, startWorker, grant } = await startBoth({ idleFor: 1 })
    startWorker()
    for (const n of [1, 2, 3]) {
      await grant(`idle${n}@example.com`)
      await waitUntilOutboxSettled(service)
      await sleep(2_000)
    }
    const rows = await waitUntilOutboxSettled(service)
    expect(rows.map(({ status, attempts }) => [status, attempts])).toEqual(
      Array(3).fill(['sent', 1]),
    )
  })

  it('may want a login, which a test says', async () => {
    const { service } = await startBoth({ wantsLogin: true })
    await expect(
      sendTestMail(service.ctx.environments.production, 'ann@example.com'),
    ).rejects.toMatchObject({
      parameter: 'user',
      problem: expect.stringMatching(/^the server does not accept the recipient without a login/),
    })
  })
}
