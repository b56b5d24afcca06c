import { describe, expect, it, onTestFinished } from 'vitest'
import { connectMail, disconnectMail } from '../domain/connections/mail.ts'
import { connectPayments } from '../domain/connections/payments.ts'
import { databases } from '../testing/databases.ts'
import { getPage, visibleText } from '../testing/payments/page-client.ts'
import { goToPayment, openPageShop } from '../testing/payments/page-shop.ts'
import { startProcess } from '../testing/processes/process.ts'
import { openKeepAliveConnections } from '../testing/processes/workers.ts'
import { startTestService } from '../testing/service.ts'
import { listOutbox } from '../testing/smtp/outbox.ts'
import { startSmtp } from '../testing/smtp/smtp.ts'
import { startFakeStripe } from '../testing/stripe/fake-stripe.ts'

/** How soon every process must have noticed. */
const WITHIN = { timeout: 5_000, interval: 50 }

const ADA = 'ada@example.com'

describe.each(databases)('connecting while two workers serve, on $name', (database) => {
  /** Starts two workers, and a service in this process that stands for a third on the same data. */
  async function start() {
    const installation = await database.createMigrated()
    const [fake, smtp] = [await startFakeStripe(), await startSmtp()]
    const env = { GATEHOUSE_STRIPE_API: fake.url }
    const all = { ...installation.env, ...env, GATEHOUSE_WORKERS: '2' }
    const server = await startProcess({ env: all })
    const servedAt = await server.url
    const service = await startTestService(database, {
      ...{ installation, env, servedAt, useRealTime: true },
    })
    onTestFinished(async () => {
      await service.stop()
      await server.stop()
      await fake.stop()
      await smtp.stop()
      await installation.remove()
    })
    return { service, fake, smtp, shop: await openPageShop(service), url: servedAt }
  }

  it('is followed by both within 5 s: a purchase is paid, and its mails are sent', async () => {
    const { service, fake, smtp, shop, url } = await start()
    await shop.addResource('article')
    const price = await shop.addPrice('article')
    const { sandbox } = service.ctx.environments
    await shop.client.grantAccess({ rid: 'article', user_ref: 'early', email: 'early@example.com' })

    const lines = await openKeepAliveConnections(url, shop, 4)
    const statuses = () =>
      Promise.all(lines.map((line) => line.ask('POST', '/sandbox/events/stripe')))
    expect(await statuses()).toEqual([404, 404, 404, 404])
    await connectPayments(sandbox, {
      ...{ secretKey: fake.secretKey, isConfirmed: false, by: 'Petra' },
    })
    await expect.poll(statuses, WITHIN).toEqual([400, 400, 400, 400])
    for (const line of lines) line.close()

    await connectMail(sandbox, {
      ...{ host: '127.0.0.1', port: smtp.port, security: 'none', user: '', password: undefined },
      ...{ sender: 'Shop <shop@example.com>', by: 'Petra' },
    })
    await goToPayment(shop.pageOf('article'), { email: ADA, price })
    const [session] = [...fake.ledger.sessions.values()]
    fake.pay(session?.id as string)
    expect(visibleText((await getPage(session?.success_url as string)).text)).toContain('Thank you')
    let grants = 0
    /** Each reader gets one mail, which the process that writes it keeps until it has noticed the server. */
    const grant = () =>
      shop.client.grantAccess({ rid: 'article', email: `reader${++grants}@example.com` })
    await expect
      .poll(async () => {
        await grant()
        return smtp.mails.some(({ recipients }) => recipients[0]?.startsWith('reader'))
      }, WITHIN)
      .toBe(true)
    expect(smtp.mails[0]?.sender).toBe('shop@example.com')

    expect(smtp.mailsTo('early@example.com')).toEqual([])
    const early = async () =>
      (await listOutbox(service, 'sandbox')).find(({ recipient }) => recipient.startsWith('early'))
    expect((await early())?.status).toBe('kept')

    await disconnectMail(sandbox)
    const newest = async () => (await listOutbox(service, 'sandbox'))[0]?.status
    await expect
      .poll(async () => {
        await grant()
        return await newest()
      }, WITHIN)
      .toBe('kept')
  }, 120_000)
})
