import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../../testing/databases.ts'
import {
  startTestMailWorker,
  waitForOutbox,
  waitUntilOutboxSettled,
} from '../../testing/smtp/outbox.ts'
import { useFreshApplication, useService, useSmtp } from '../../testing/use-service.ts'
import type { BackgroundLoop } from '../loop.ts'

const ANY_PAUSE = 2 * 3600

describe.each(databases)('a mail server in trouble, on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database, () => ({ env: { GATEHOUSE_SMTP_URL: smtp.url } }))
  let worker: BackgroundLoop
  beforeAll(async () => {
    worker = startTestMailWorker(service, smtp.url)
  })
  const app = useFreshApplication(service, { resources: ['news'] })
  afterEach(() => {
    smtp.fault = () => undefined
    smtp.mails.length = 0
    smtp.unanswered.length = 0
  })
  afterAll(async () => {
    await worker.stop()
  })

  const grant = (email: string) => app.client.grantAccess({ rid: 'news', email })
  const whenTried = (email: string, attempts: number) =>
    waitForOutbox(service, (rows) =>
      rows.some(
        (row) =>
          row.recipient === email && row.attempts === attempts && !/sending/.test(row.status),
      ),
    ).then((rows) => rows.find((row) => row.recipient === email))

  it('is tried again with growing pauses when it refuses connections', async () => {
    await smtp.refuse()
    await grant('refused@example.com')
    for (const [attempt, pause] of [30, 60].entries()) {
      const row = await whenTried('refused@example.com', attempt + 1)
      expect(row).toMatchObject({
        status: 'queued',
        last_error: expect.stringMatching(/ECONNREFUSED/),
      })
      const wait = ((row?.due ?? 0) - service.clock.now) / 1000
      expect(wait).toBeGreaterThanOrEqual(pause * 0.8)
      expect(wait).toBeLessThanOrEqual(pause * 1.2)
      service.clock.advance(wait)
    }
    await smtp.accept()
    service.clock.advance(ANY_PAUSE)
    await waitUntilOutboxSettled(service)
    expect(smtp.mailsTo('refused@example.com')).toHaveLength(1)
  })

  it('is tried again after a passing refusal, at whatever step', async () => {
    const refusals = [
      ['recipient', 421],
      ['recipient', 451],
      ['data', 451],
    ] as const
    const addressOf = (step: string, status: number) => `${step}${status}@example.com`
    smtp.fault = (at, whom) =>
      refusals.find(([step, status]) => at === step && whom === addressOf(step, status))?.[1]
    for (const [step, status] of refusals) await grant(addressOf(step, status))
    for (const [step, status] of refusals) {
      const row = await whenTried(addressOf(step, status), 1)
      expect(row).toMatchObject({
        status: 'queued',
        last_error: expect.stringMatching(`${status}`),
      })
      expect(row?.last_error).not.toContain('@')
    }
    smtp.fault = () => undefined
    service.clock.advance(ANY_PAUSE)
    await waitUntilOutboxSettled(service)
    expect(smtp.mails.map(({ recipients }) => recipients.join()).sort()).toEqual([
      'data451@example.com',
      'recipient421@example.com',
      'recipient451@example.com',
    ])
  })

  it('parks at once what is refused for good, and goes on with the others', async () => {
    smtp.fault = (at, whom) => (whom === `bad-${at}@example.com` ? 550 : undefined)
    const bad = ['bad-recipient@example.com', 'bad-data@example.com']
    for (const email of bad) await grant(email)
    for (const n of [1, 2, 3]) await grant(`good${n}@example.com`)
    const rows = await waitUntilOutboxSettled(service)
    for (const email of bad) {
      const row = rows.find(({ recipient }) => recipient === email)
      expect(row).toMatchObject({ status: 'dead', attempts: 1, sent: null })
      expect(row?.last_error).toMatch(/550/)
    }
    expect(smtp.mails).toHaveLength(3)
  })

  it('sends again, with the same Message-ID, what was dropped before its 250', async () => {
    let drops = 0
    smtp.fault = (step) => (step === 'data' && drops++ === 0 ? 'drop' : undefined)
    await grant('dropped@example.com')
    expect(await whenTried('dropped@example.com', 1)).toMatchObject({ status: 'queued' })
    expect(smtp.mails).toEqual([])
    service.clock.advance(ANY_PAUSE)
    await waitUntilOutboxSettled(service)
    const ids = [...smtp.unanswered, ...smtp.mails].map(({ mail }) => mail.messageId)
    expect(ids).toEqual([ids[0], ids[0]])
  })

  it('does not send again what was dropped after its 250', async () => {
    smtp.fault = (step) => (step === 'taken' ? 'drop' : undefined)
    for (const n of [1, 2, 3]) await grant(`taken${n}@example.com`)
    const rows = await waitUntilOutboxSettled(service)
    expect(rows.filter(({ recipient }) => recipient.startsWith('taken'))).toMatchObject(
      Array(3).fill({ status: 'sent', attempts: 1 }),
    )
    service.clock.advance(ANY_PAUSE)
    await grant('after@example.com')
    await waitUntilOutboxSettled(service)
    expect(smtp.mails).toHaveLength(4)
  })

  it('holds up no grant while it stalls, and catches up afterwards', async () => {
    smtp.fault = (step) => (step === 'connect' ? 'stall' : undefined)
    const before = smtp.connections
    await smtp.dropConnections()
    await grant('stalled0@example.com')
    await vi.waitFor(() => expect(smtp.connections).toBeGreaterThan(before), { timeout: 60_000 })
    const start = performance.now()
    for (let n = 1; n < 20; n++) await grant(`stalled${n}@example.com`)
    // A single grant that waited for the server's greeting would take ten seconds.
    expect(performance.now() - start).toBeLessThan(10_000)
    await smtp.refuse()
    smtp.fault = () => undefined
    await smtp.accept()
    await waitForOutbox(service, (rows) => {
      // Advance the clock only while no mail is being sent: a jump would end its lease.
      const waiting = rows.filter(({ status }) => status === 'queued' || status === 'sending')
      const next = Math.min(...waiting.map((row) => row.lease_until ?? row.due))
      if (waiting.every((row) => row.status === 'queued') && next > service.clock.now) {
        service.clock.now = Math.min(next, service.clock.now + 3600_000)
      }
      return waiting.length === 0
    })
    expect(smtp.mails).toHaveLength(20)
  })

  it('gives a mail up when its tries are used up, also those of senders that died', async () => {
    smtp.fault = (step) => (step === 'connect' ? undefined : 451)
    await worker.stop()
    await grant('tired@example.com')
    await grant('deadly@example.com')
    const { database: db } = app.environment
    const spoil = (email: string, row: object) =>
      db.write((trx) => trx.updateTable('outbox').set(row).where('recipient', '=', email).execute())
    await spoil('tired@example.com', { attempts: 49 })
    const lease = { lease_token: 'died', lease_until: service.clock.now }
    await spoil('deadly@example.com', { attempts: 50, status: 'sending', ...lease })
    const { connections } = smtp
    worker = startTestMailWorker(service, smtp.url)
    const rows = await waitUntilOutboxSettled(service)
    const find = (email: string) => rows.find(({ recipient }) => recipient === email)
    expect(find('tired@example.com')).toMatchObject({ status: 'dead', attempts: 50 })
    expect(find('deadly@example.com')).toMatchObject({
      status: 'dead',
      attempts: 51,
      last_error: 'its tries are used up',
    })
    expect(smtp.connections - connections).toBe(1)
  })

  it('gets a waiting queue within the rate that is set', async () => {
    const PER_SECOND = 10
    await worker.stop()
    await Promise.all(Array.from({ length: 25 }, (_, n) => grant(`queue${n}@example.com`)))
    worker = startTestMailWorker(service, smtp.url, { perSecond: PER_SECOND, connections: 1 })
    await waitUntilOutboxSettled(service)
    const at = smtp.mails.map((one) => one.at).sort((a, b) => a - b)
    expect(at).toHaveLength(25)
    expect(new Set(smtp.mails.map((one) => one.recipients[0])).size).toBe(25)
    // Delivery takes time: some mails sent in one second may arrive in the next.
    for (const start of at) {
      const within = at.filter((one) => one >= start && one < start + 1_000)
      expect(within.length).toBeLessThanOrEqual(PER_SECOND * 1.25)
    }
  })
})
