import { afterEach, describe, expect, it, vi } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import {
  startTestMailWorker,
  waitForOutbox,
  waitUntilOutboxSettled,
} from '../../testing/smtp/outbox.ts'
import { useFreshApplication, useService, useSmtp } from '../../testing/use-service.ts'
import type { BackgroundLoop } from '../loop.ts'

const MAILS = 60

describe.each(databases)('a mail server that takes few connections, on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database, () => ({ env: { GATEHOUSE_SMTP_URL: smtp.url } }))
  const app = useFreshApplication(service, { resources: ['news'] })
  const workers: BackgroundLoop[] = []
  const start = (own: TestService = service) => workers.push(startTestMailWorker(own, smtp.url))
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    smtp.fault = () => undefined
    Object.assign(smtp, { limit: Number.POSITIVE_INFINITY, greetAfterMs: 0, refused: 0 })
    smtp.mails.length = 0
    await smtp.dropConnections()
  })

  const grantAll = (count = MAILS) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        app.client.grantAccess({ rid: 'news', email: `reader${n}@mail${n % 7}.example` }),
      ),
    )
  const requireSentAtOnce = async () => {
    const rows = (await waitUntilOutboxSettled(service)).filter(({ aid }) => aid === app.aid)
    const wrong = rows.filter(({ status, attempts }) => status !== 'sent' || attempts !== 1)
    expect(wrong).toEqual([])
    expect(rows).toHaveLength(smtp.mails.length)
  }

  it('gets all mails at the first attempt, over the connections that it takes', async () => {
    smtp.limit = 2
    await grantAll()
    start()
    await requireSentAtOnce()
    expect(smtp.mails).toHaveLength(MAILS)
    // Those that were tried at the beginning, and no further one with each mail.
    expect(smtp.refused).toBeLessThan(20)
  })

  it('gets all mails at the first attempt also over one connection that is greeted late', async () => {
    Object.assign(smtp, { limit: 1, greetAfterMs: 1_000 })
    await grantAll()
    start()
    await requireSentAtOnce()
  })

  it('gets more mails than go over one connection, and is asked for the next one after the last has ended', async () => {
    smtp.limit = 1
    await grantAll(250)
    start()
    await requireSentAtOnce()
    expect(smtp.mails).toHaveLength(250)
    expect(smtp.refused).toBeLessThan(20)
  })

  it('gets all mails of two processes, and no attempt counts', async () => {
    smtp.limit = 2
    const other = await startTestService(database, {
      installation: service.installation,
      env: { GATEHOUSE_SMTP_URL: smtp.url },
    })
    await grantAll()
    start()
    start(other)
    const timer = setInterval(() => {
      for (const one of [service, other]) one.clock.advance(1)
    }, 200)
    await requireSentAtOnce()
    clearInterval(timer)
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    await other.stop()
  })

  it('costs a mail no attempt for two hours when it takes none at all, and then counts', async () => {
    smtp.limit = 0
    await grantAll(1)
    start()
    const mail = async (attempts: number, tried: number) =>
      await waitForOutbox(
        service,
        (rows) =>
          smtp.refused >= tried &&
          rows.some(
            (row) =>
              row.aid === app.aid &&
              row.attempts === attempts &&
              row.status === 'queued' &&
              row.due > service.clock.now,
          ),
      ).then((rows) => rows.find(({ aid }) => aid === app.aid))
    for (const tried of [1, 2]) {
      const row = await mail(0, tried)
      expect(row?.last_error).toMatch(/421/)
      expect(row?.due).toBe(service.clock.now + 5_000)
      service.clock.advance(5)
    }
    await mail(0, 3)
    service.clock.advance(7_201)
    const row = await mail(1, 4)
    expect((row?.due ?? 0) - service.clock.now).toBeGreaterThanOrEqual(24_000)
    smtp.limit = 1
    service.clock.advance(3_600)
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), { timeout: 30_000 })
    await waitUntilOutboxSettled(service)
  })
})
