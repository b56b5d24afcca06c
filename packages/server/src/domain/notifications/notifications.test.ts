import { beforeEach, describe, expect, it } from 'vitest'
import type { NotificationKind } from '../../db/tables.ts'
import { createLogger } from '../../logging/logger.ts'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import type { TestMember } from '../../testing/staff.ts'
import { DAY, HOUR } from '../../testing/time.ts'
import { useFreshShop, useService, useSmtp, useStaff } from '../../testing/use-service.ts'
import { addEndpoint } from '../../testing/webhooks/sending.ts'
import { sendNextStaffMail } from '../../worker/staff-mail-worker.ts'
import { discardQueuedMails } from '../hold/resume.ts'
import { recordNotice } from '../mail/notices.ts'
import { applyPaymentFinding } from '../payments/apply-payment.ts'
import { recordWebhookNotice } from '../webhooks/notices.ts'
import { bundleNotices } from './bundles.ts'
import { makeDigests } from './digest.ts'

describe.each(databases)('Notifications to staff on $name', (database) => {
  const smtp = useSmtp()
  const env = () => ({
    GATEHOUSE_SMTP_URL: smtp.url,
    GATEHOUSE_BASE_URL: 'https://access.example.com',
  })
  const service = useService(database, () => ({ env: env() }))
  const staff = useStaff(service)
  const shop = useFreshShop(service, 'news')

  beforeEach(async () => {
    await deliver()
    smtp.mails.length = 0
  })

  const sandbox = () => service.ctx.environments.sandbox
  const choose = async (who: TestMember, kind: NotificationKind, on = true, aid = shop.aid) =>
    expect((await who.call('PATCH', `/sandbox/${aid}/notifications`, { kind, on })).status).toBe(
      204,
    )
  const buy = (userRef: string, terms = {}) => shop.buy({ rid: 'news', userRef, terms })
  const waiting = () =>
    sandbox().database.read.selectFrom('notices').selectAll().where('aid', '=', shop.aid).execute()

  /** Puts into emails what is due, and sends it. */
  async function deliver(): Promise<void> {
    for (const one of Object.values(service.ctx.environments)) {
      await bundleNotices(service.ctx, one)
      await makeDigests(service.ctx, one)
    }
    const job = { log: createLogger('silent'), abandonSignal: new AbortController().signal }
    while ((await sendNextStaffMail({ ctx: service.ctx, ...job })) !== 'none');
  }
  const subjects = () => smtp.mails.map(({ mail }) => mail.subject)
  const recipients = () => smtp.mails.flatMap((one) => one.recipients).sort()

  it('a sale reaches who has chosen it, half a minute later and with no name of the reader', async () => {
    await choose(staff.reader, 'sale')
    await buy('rita')
    await deliver()
    expect(smtp.mails).toEqual([])
    service.clock.advance(30)
    await deliver()
    const [received] = smtp.mails
    expect(recipients()).toEqual([staff.reader.email])
    expect(subjects()).toEqual(['Sandbox · Test magazine: Sale of Resource news: €4.99'])
    expect(received?.raw).not.toMatch(/rita/i)
    const { text = '', html = '' } = received?.mail ?? {}
    expect(text).toMatch(
      new RegExp(`https://access.example.com/dashboard/sandbox/${shop.aid}/payments/\\w+`),
    )
    expect(html).toContain('https://access.example.com/dashboard/account/notifications')
    expect(await waiting()).toEqual([])
  })

  it('an endpoint that was switched off reaches developers, with a way to its page', async () => {
    await choose(staff.developer, 'webhook_failed')
    const off = { state: 'off', off_at: 1, off_reason: 'failing', missed_from: 1 } as const
    const id = await addEndpoint(service, shop, 'https://hooks.example.com/x', off)
    const endpoint = { aid: shop.aid, id, url: 'https://hooks.example.com/x' }
    const { clock, realTime } = sandbox()
    await sandbox().database.write((trx) =>
      recordWebhookNotice(trx, endpoint, 'webhook_off', { now: clock(), realTime: realTime() }),
    )
    service.clock.advance(30)
    await deliver()
    expect(recipients()).toEqual([staff.developer.email])
    expect(subjects()).toEqual([
      'Sandbox · Test magazine: Webhooks to hooks.example.com are switched off',
    ])
    expect(smtp.mails[0]?.mail.text).toContain('has not accepted any event for five days')
    expect(smtp.mails[0]?.mail.text).toContain(`/dashboard/sandbox/${shop.aid}/developers`)
    expect(await waiting()).toEqual([])
  })

  it('a burst of sales is one email, and the next comes ten minutes later', async () => {
    await choose(staff.owner, 'sale')
    await buy('first')
    const [notice] = await waiting()
    const copies = Array.from({ length: 1_999 }, (_, n) => ({ ...notice, id: `n${n}` }) as never)
    await sandbox().database.write((trx) => trx.insertInto('notices').values(copies).execute())
    service.clock.advance(30)
    await deliver()
    expect(subjects()).toEqual(['Sandbox · Test magazine: 2,000 sales'])
    expect(smtp.mails[0]?.mail.text).toContain('2,000 · €9,980.00')
    expect(smtp.mails[0]?.mail.text).toMatch(/More: +1,990\n/)
    await buy('late')
    service.clock.advance(9 * 60)
    await deliver()
    expect(smtp.mails).toHaveLength(1)
    service.clock.advance(60)
    await deliver()
    expect(subjects()[1]).toBe('Sandbox · Test magazine: Sale of Resource news: €4.99')
  })

  it('after a crash, a bundle is finished without a second email', async () => {
    await choose(staff.owner, 'sale')
    await buy('rita')
    const { database: own } = sandbox()
    const [notice] = await waiting()
    await own.write((trx) =>
      trx.updateTable('notices').set({ bundle: 'b1' }).where('aid', '=', shop.aid).execute(),
    )
    // The emails were queued, and the process died before the notices were removed.
    await deliver()
    await own.write((trx) =>
      trx
        .insertInto('notices')
        .values({ ...notice, bundle: 'b1' } as never)
        .execute(),
    )
    await Promise.all([deliver(), deliver(), deliver()])
    expect(subjects()).toEqual(['Sandbox · Test magazine: Sale of Resource news: €4.99'])
  })

  it('first payments are sales, also after a trial; a failed renewal is told at its start and its end', async () => {
    await buy('try', { ...MONTHLY, trial_days: 7 })
    await shop.buy({ rid: 'news', userRef: 'poor', terms: MONTHLY, card: 'declined_later' })
    await shop.advance(60 * DAY)
    const events = (await waiting()).map(({ kind, event }) => `${kind} ${event}`)
    expect(events.sort()).toEqual([
      ...['payment_failed ended', 'payment_failed past_due'],
      ...['sale subscription', 'sale trial_converted'],
    ])
    await choose(staff.support, 'payment_failed')
    service.clock.advance(30)
    await deliver()
    expect(subjects()).toEqual(['Sandbox · Test magazine: 2 failed renewals'])
  })

  it('a dispute is told when it is opened and when it is decided', async () => {
    await choose(staff.support, 'dispute')
    const { payment_id: id } = await buy('angry')
    const { database: own } = sandbox()
    const money = { amount: 499, currency: 'EUR' }
    const apply = (dispute: object) =>
      own.write((trx) =>
        applyPaymentFinding(trx, sandbox(), { aid: shop.aid, id }, {
          ...{ status: 'succeeded', ref: undefined, money, dispute },
        } as never),
      )
    const opened = { lost: 0, open: { amount: 499, isRefundable: false } }
    await apply(opened)
    await apply(opened)
    service.clock.advance(30)
    await deliver()
    await apply({ lost: 499 })
    service.clock.advance(10 * 60)
    await deliver()
    expect(subjects()).toEqual([
      'Sandbox · Test magazine: Dispute of €4.99',
      'Sandbox · Test magazine: Dispute of €4.99 lost',
    ])
  })

  it('in production, the defaults of the roles apply; nobody gets sales unasked', async () => {
    const app = await service.newApplication('production')
    await app.addResource('news')
    const about = { aid: app.aid, id: 'p1', rid: 'news', amount: 100, currency: 'EUR' }
    const clocks = { now: service.clock.seconds, realTime: service.clock.now }
    for (const [kind, event] of [
      ...[
        ['sale', 'purchase'],
        ['dispute', 'opened'],
        ['payment_failed', 'past_due'],
      ],
      ['refund_failed', 'refused'],
    ] as const) {
      await app.environment.database.write((trx) =>
        recordNotice(trx, kind as never, event as never, about, clocks),
      )
    }
    await service.ctx.control.write((trx) =>
      trx
        .updateTable('staff')
        .set({ disabled_at: 1 })
        .where('id', '=', staff.developer.id)
        .execute(),
    )
    service.clock.advance(30)
    await deliver()
    const { owner, support } = staff
    expect(recipients()).toEqual(
      [owner, owner, owner, support, support, support].map(({ email }) => email).sort(),
    )
    await service.ctx.control.write((trx) =>
      trx.updateTable('staff').set({ disabled_at: null }).execute(),
    )
  })

  it('a member who switches it off or is disabled in the meantime gets nothing', async () => {
    await choose(staff.owner, 'sale')
    await choose(staff.support, 'sale')
    await buy('rita')
    service.clock.advance(30)
    await bundleNotices(service.ctx, sandbox())
    await choose(staff.owner, 'sale', false)
    await service.ctx.control.write((trx) =>
      trx.updateTable('staff').set({ disabled_at: 1 }).where('id', '=', staff.support.id).execute(),
    )
    await deliver()
    expect(smtp.mails).toEqual([])
    await service.ctx.control.write((trx) =>
      trx.updateTable('staff').set({ disabled_at: null }).execute(),
    )
  })

  it('what waits is discarded with the emails to readers', async () => {
    await choose(staff.owner, 'sale')
    await buy('rita')
    await buy('ruth')
    service.clock.advance(30)
    await bundleNotices(service.ctx, sandbox())
    await buy('rosa')
    await discardQueuedMails(service.ctx.control, [sandbox()])
    service.clock.advance(HOUR)
    await deliver()
    expect(smtp.mails).toEqual([])
  })

  it('the digest comes at seven, once, and only if there is something to tell', async () => {
    await choose(staff.owner, 'digest')
    const now = () => new Date(sandbox().clock() * 1000)
    const untilSeven = () => (31 - now().getUTCHours()) * HOUR - now().getUTCMinutes() * 60
    await deliver()
    await shop.advance(untilSeven())
    await deliver()
    expect(smtp.mails, 'nothing happened yesterday').toEqual([])
    await buy('rita')
    await buy('sub', MONTHLY)
    await deliver()
    expect(smtp.mails).toEqual([])
    await shop.advance(untilSeven() - 60)
    await deliver()
    expect(smtp.mails).toEqual([])
    await shop.advance(60)
    await Promise.all([deliver(), deliver()])
    await deliver()
    expect(smtp.mails).toHaveLength(1)
    const { subject = '', text = '' } = smtp.mails[0]?.mail ?? {}
    const day = new Date(now().getTime() - DAY * 1000)
    expect(subject).toContain(String(day.getUTCFullYear()))
    expect(text).toContain('€9.98 from 2 payments')
    expect(text).toMatch(/New subscribers: +1\n/)
  })

  it('a mail program unsubscribes with one request, which does nothing else', async () => {
    await choose(staff.owner, 'sale')
    await choose(staff.owner, 'dispute')
    await buy('rita')
    service.clock.advance(30)
    await deliver()
    const headers = new Map(smtp.mails[0]?.mail.headers.map(({ key, value }) => [key, value]))
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const [, link = ''] = /^<(.*)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? []
    expect(link).toMatch(/^https:\/\/access\.example\.com\/dashboard\/unsubscribe\//)
    const { pathname } = new URL(link)
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const post = (path: string, body: string) =>
      send(service.url, path, { method: 'POST', headers: type, body })
    const chosen = async () => {
      const { applications } = (await staff.owner.call('GET', '/notifications')).json as never as {
        applications: { aid: string; choices: Record<string, boolean> }[]
      }
      return applications.find(({ aid }) => aid === shop.aid)?.choices
    }
    // Programs that open every link of an email change nothing.
    const opened = await send(service.url, pathname)
    expect(opened.status).toBe(302)
    expect(opened.headers.location).toMatch(/\/dashboard\/account\/notifications$/)
    expect((await post(pathname, 'something=else')).status).toBe(400)
    expect((await post(pathname, `List-Unsubscribe${' '.repeat(4_000)}x`)).status).toBe(400)
    expect(await chosen()).toMatchObject({ sale: true, dispute: true })
    expect(
      (await post(pathname.replace('.sale.', '.dispute.'), 'List-Unsubscribe=One-Click')).status,
    ).toBe(403)
    expect((await post(pathname, 'List-Unsubscribe=One-Click')).status).toBe(204)
    const part = 'content-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click'
    expect((await post(pathname, `--x\r\n${part}\r\n--x--\r\n`)).status).toBe(204)
    expect(await chosen()).toMatchObject({ sale: false, dispute: true })
  })
})
