import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { signInAs } from '../../testing/dashboard-api.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { getPage, submitForm, visibleText } from '../../testing/payments/page-client.ts'
import { createBackup, type TestBackup } from '../../testing/restores/on-hold.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import { listOutbox, startTestMailWorker, waitForOutbox } from '../../testing/smtp/outbox.ts'
import {
  buyWithStripe,
  payWithoutWebhook,
  RENEWING_TERMS,
  sandboxSettings,
} from '../../testing/stripe/stripe-shop.ts'
import { useFakeStripe, useSmtp } from '../../testing/use-service.ts'
import { runDuePayments } from '../payments/orders/payment-loop.ts'
import { takeDueSteps } from '../payments/renewals/renewals.ts'
import { createPrice } from '../resources/prices.ts'
import { OnHold } from './on-hold.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const ONCE = { amount: 250, currency: 'USD', recurring: 0, period: null, trial_days: 0 } as const

/** Members of a provider that only read and change nothing at the provider. */
const READS = /^(name|currencies|find|readEvent|ledger|check|accountProblem|readAllowance)$/

describe.each(databases)('an installation that was restored, on $name,', (database) => {
  const fake = useFakeStripe()
  const smtp = useSmtp()
  let env: Record<string, string>
  let original: TestService
  let backup: TestBackup
  let installation: TestInstallation
  /** The restored service. */
  let service: TestService
  let app: TestApplication
  let cli: Cli
  beforeAll(async () => {
    env = {
      ...sandboxSettings(fake),
      GATEHOUSE_SMTP_URL: smtp.url,
      GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64url'),
    }
    original = await startTestService(database, { env, useRealTime: true })
    app = await original.newApplication('sandbox')
    for (const rid of ['article', 'pass']) await app.addResource(rid)
    await app.environment.database.write((trx) =>
      createPrice(trx, { aid: app.aid, rid: 'article', ...ONCE }, app.environment.clock(), 'test'),
    )
    const buy = (rid: string, userRef: string, more = {}) =>
      buyWithStripe(app.environment, app.aid, fake, { rid, userRef, ...more })
    await buy('article', 'ann')
    await buy('pass', 'bob', { terms: RENEWING_TERMS })
    await payWithoutWebhook(app.environment, app.aid, fake, { rid: 'article', userRef: 'open' })
    const production = await original.newApplication()
    await production.addResource('news')
    await production.client.grantAccess({ rid: 'news', email: 'cal@example.com', user_ref: 'cal' })
    backup = await createBackup(original.installation, env)
  })
  afterAll(async () => {
    backup.remove()
    await original.stop()
  })

  beforeEach(async () => {
    installation = await backup.restore(database)
    service = await startTestService(database, { installation, env, useRealTime: true })
    cli = inProcessCli({ ...installation.env, ...env })
    smtp.mails.length = 0
    fake.calls.length = 0
  })
  afterEach(async () => {
    await service.requireInvariants()
    await service.stop()
    await installation.remove()
  })

  const sandbox = () => service.ctx.environments.sandbox
  const client = () => app.clientAt(service.url)
  const orders = () => fake.calls.filter(({ route }) => route.startsWith('POST'))

  it('answers checks, grants and revokes as before, and what they order waits', async () => {
    expect(await client().getAccess({ rid: 'article', user_ref: 'ann' })).toMatchObject({
      amount: 4.99,
    })
    await client().grantAccess({ rid: 'pass', email: 'new@example.com', user_ref: 'new' })
    const started = performance.now()
    const revoked = await client().revokeAccess({ rid: 'article', user_ref: 'ann', refund: true })
    // The request must not wait for an outcome that can't arrive while on hold.
    expect(performance.now() - started).toBeLessThan(4_000)
    expect(revoked.refund).toMatchObject({ status: 'pending' })
    await runDuePayments(sandbox())
    expect(orders()).toEqual([])
    expect((await send(service.url, '/readyz')).status).toBe(200)
  })

  it('charges no renewal, though access stays open while it waits', async () => {
    const { database } = sandbox()
    const due = Math.floor(Date.now() / 1000) - 10
    await database.write((trx) => trx.updateTable('subscriptions').set({ next_due: due }).execute())
    await runDuePayments(sandbox())
    expect(await takeDueSteps(sandbox())).toEqual([])
    const waiting = await database.read
      .selectFrom('payments')
      .select(['status', 'attempts'])
      .where('status', '=', 'pending')
      .execute()
    expect(waiting).toEqual([{ status: 'pending', attempts: 0 }])
    expect(orders()).toEqual([])
    expect(await client().getAccess({ rid: 'pass', user_ref: 'bob' })).toMatchObject({
      user_ref: 'bob',
    })
  })

  it('sends no mail, whatever asks for it', async () => {
    const worker = startTestMailWorker(service, smtp.url)
    const before = await listOutbox(service)
    expect(before).toMatchObject([{ recipient: 'cal@example.com', status: 'queued' }])
    await cli.run('mail', 'retry', before[0]?.id as string)
    // The worker repeatedly checks whether it may send.
    const looks = vi.spyOn(service.ctx.environments.production, 'isOnHold')
    await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(2), 60_000)
    await worker.stop()
    expect(smtp.connections).toBe(0)
    expect(await listOutbox(service)).toMatchObject([{ status: 'queued', attempts: 0 }])
  })

  it('lets nobody begin to pay, and says so in plain words', async () => {
    const page = `${service.url}/sandbox/checkout/${app.aid}/article`
    const shown = await getPage(page)
    expect(shown.status).toBe(503)
    expect(visibleText(shown.text)).toContain('Buying is paused')
    const sent = await submitForm(page, { price: 'any', email: 'dan@example.com' })
    expect(sent.status).toBe(503)
    const program = await send(service.url, `/sandbox/checkout/${app.aid}/article`)
    expect(JSON.parse(program.text).error.code).toBe('on_hold')
    const { url } = await client().getManageLink({ rid: 'pass', user_ref: 'bob' })
    const card = await submitForm(url, { action: 'card' })
    expect(card.status).toBe(503)
    expect(orders()).toEqual([])
  })

  it('leaves the events of the provider for later, and does not look after checkouts', async () => {
    const event = fake.signEvent(fake.events.at(-1) as object, Date.now())
    const response = await send(service.url, '/sandbox/events/stripe', { method: 'POST', ...event })
    expect([response.status, JSON.parse(response.text).error.code]).toEqual([503, 'on_hold'])
    expect(response.headers['retry-after']).toBe('60')
    await runDuePayments(sandbox())
    expect(fake.calls).toEqual([])
  })

  it("does not move the sandbox's clock, by command or from the dashboard", async () => {
    expect((await cli.run('clock', 'advance', '40d')).stderr).toContain('on hold')
    const staff = await signInAs(service, 'owner')
    const { status, body } = await staff.request('POST', '/sandbox/clock', { by: 60 })
    expect([status, (body as { error: { code: string } }).error.code]).toEqual([503, 'on_hold'])
  })

  it('refuses every call by which a provider would do something, and each mail', async () => {
    const provider = sandbox().provider as unknown as Record<string, () => Promise<unknown>>
    const sending = Object.keys(provider).filter((name) => !READS.test(name))
    expect(sending.sort()).toEqual(['charge', 'expireCheckout', 'refund', 'startCheckout'])
    for (const name of sending) await expect(provider[name]?.()).rejects.toBeInstanceOf(OnHold)
    const { mailer } = service.ctx.environments.production
    await expect(mailer?.send({} as never)).rejects.toBeInstanceOf(OnHold)
    expect(orders()).toEqual([])
  })

  it('says so in the dashboard, to doctor and to metrics', async () => {
    for (const role of ['owner', 'reader'] as const) {
      const staff = await signInAs(service, role)
      const { body } = await staff.request<{ hold: { why: string } }>('GET', '/me')
      expect(body.hold.why).toMatch(/It was restored from a backup.*The backup is of 20/)
    }
    expect((await cli.run('doctor')).stdout).toMatch(
      /warning +hold +on hold since .*gatehouse resume/s,
    )
    expect((await send(service.url, '/metrics')).text).toContain('\ngatehouse_on_hold 1\n')
  })

  it('sends all of it once it is resumed, also from processes that run already', async () => {
    const worker = startTestMailWorker(service, smtp.url)
    await client().revokeAccess({ rid: 'article', user_ref: 'ann', refund: true })
    const resumed = await cli.json('resume')
    expect(resumed).toMatchObject({ resumed: true, cause: 'restored', mails: 1 })
    await waitForOutbox(service, (rows) => rows.every(({ status }) => status === 'sent'))
    await worker.stop()
    expect(smtp.mailsTo('cal@example.com')).toHaveLength(1)
    while ((await runDuePayments(sandbox())) > 0);
    expect(orders().filter(({ route }) => route.includes('refunds'))).toHaveLength(1)
    expect((await send(service.url, '/metrics')).text).toContain('\ngatehouse_on_hold 0\n')
    expect(await cli.json('resume')).toEqual({ resumed: false })
    const audit = await service.ctx.control.read.selectFrom('audit').select('action').execute()
    expect(audit).toContainEqual({ action: 'installation.resume' })
  })

  it('keeps the mails that waited where that is wanted', async () => {
    expect(await cli.json('resume', '--discard-mails')).toMatchObject({
      mails: 1,
      mails_discarded: true,
    })
    expect(await listOutbox(service)).toMatchObject([{ status: 'kept' }])
  })

  it('asks before it serves another address than the original did', async () => {
    const moved = inProcessCli({
      ...installation.env,
      ...env,
      GATEHOUSE_BASE_URL: 'https://new.example.com',
    })
    await service.ctx.control.write((trx) =>
      trx
        .insertInto('meta')
        .values({ name: 'served_address', value: 'https://old.example.com' })
        .execute(),
    )
    const refused = await moved.run('resume')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('https://new.example.com (before: https://old.example.com)')
    expect(refused.stderr).toContain('pass --yes')
    expect((await service.ctx.gate.state()).hold).toBeDefined()
    expect(await moved.json('resume', '--yes')).toMatchObject({ resumed: true })
  })

  it('becomes a copy that can never charge, refund or mail once it is detached', async () => {
    const before = await installationsOf(service)
    await client().revokeAccess({ rid: 'article', user_ref: 'ann', refund: true })
    expect((await cli.run('resume', '--detach')).stderr).toContain('pass --yes')
    expect(await cli.json('resume', '--detach', '--yes')).toMatchObject({
      detached: true,
      refunds: 1,
      checkouts: 1,
      mails: 1,
    })
    // A process that was already running still has the provider but can't use it.
    await expect(sandbox().provider?.charge({} as never)).rejects.toBeInstanceOf(OnHold)
    await service.requireInvariants()
    await service.stop()
    service = await startTestService(database, { installation, env, useRealTime: true })
    const { production } = service.ctx.environments
    expect([production.provider, production.mailer, production.delivery]).toEqual([
      undefined,
      undefined,
      'kept',
    ])
    expect(sandbox().provider?.name).toBe('test')
    expect(await installationsOf(service)).not.toEqual(before)
    await runDuePayments(sandbox())
    expect(orders()).toEqual([])
    expect((await cli.run('doctor')).stdout).toContain('This is a detached copy')
    expect((await cli.run('resume')).stdout).toContain('not on hold')
  })
})

async function installationsOf({ ctx }: TestService): Promise<string[]> {
  const found: string[] = []
  for (const { database } of Object.values(ctx.environments)) {
    const { value } = await database.read
      .selectFrom('meta')
      .select('value')
      .where('name', '=', 'installation')
      .executeTakeFirstOrThrow()
    found.push(value)
  }
  return found
}

describe('what sends something out', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/\.test\.ts$|^testing/.test(path),
  )

  it('is made in one place, where it is wrapped', () => {
    const makes = /\b(createMailer|createStripe|createTestCards|openSession)\(/
    const makers = sources.filter((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n')
      return lines.some((line) => makes.test(line) && !/^export (async )?function/.test(line))
    })
    // A check of a mail server sends nothing.
    expect(makers.sort()).toEqual([
      ...['domain/mail/mailer.ts', 'domain/mail/server-check.ts', 'environment.ts'],
    ])
  })
})
