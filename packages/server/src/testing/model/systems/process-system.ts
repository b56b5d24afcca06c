import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { hasPendingOrders } from '../../../domain/payments/orders/orders.ts'
import { type Cli, inProcessCli } from '../../cli.ts'
import type { TestDatabase, TestInstallation } from '../../databases.ts'
import { ServerGroup } from '../../processes/server-group.ts'
import { startTestService, type TestService } from '../../service.ts'
import { startSmtp, type TestSmtp } from '../../smtp/smtp.ts'
import { type FakeStripe, startFakeStripe } from '../../stripe/fake-stripe.ts'
import { startReceiver, type TestReceiver } from '../../webhooks/receiver.ts'
import type { World } from '../world.ts'
import { type HttpClient, openHttpClient } from './http-client.ts'
import { LIVE_KEY, stripeSettings, WEBHOOK_SETTINGS } from './local-system.ts'
import type { TestSystem } from './test-system.ts'

const MAX_SETTLE_MS = 90_000
const POLL_MS = 250

interface Parts {
  installation: TestInstallation
  fake: FakeStripe
  smtp: TestSmtp
  service: TestService
  servers: ServerGroup
  receiver: TestReceiver
}

/** Real servers in their own processes, which are killed again and again; the clock is that of the machine. */
export class ProcessSystem implements TestSystem {
  readonly database: TestDatabase
  readonly servers: ServerGroup
  readonly http: HttpClient
  readonly isConcurrent = true
  readonly #parts: Parts
  readonly #scratch = mkdtempSync(join(tmpdir(), 'gatehouse-model-'))
  #files = 0

  private constructor(database: TestDatabase, parts: Parts) {
    this.database = database
    this.#parts = parts
    this.servers = parts.servers
    this.http = openHttpClient()
  }

  /** Prepares two servers on PostgreSQL, or one with two workers on SQLite. None of them runs yet. */
  static async open(database: TestDatabase): Promise<ProcessSystem> {
    const installation = await database.createMigrated()
    const [fake, smtp] = [await startFakeStripe({ secretKey: LIVE_KEY }), await startSmtp()]
    const isShared = database.engine === 'postgres'
    const env = {
      ...stripeSettings(installation, fake),
      ...WEBHOOK_SETTINGS,
      GATEHOUSE_SMTP_URL: smtp.url,
      ...(isShared ? {} : { GATEHOUSE_WORKERS: '2' }),
    }
    const servedAt = 'http://127.0.0.1:1'
    const service = await startTestService(database, {
      installation,
      env,
      useRealTime: true,
      servedAt,
    })
    const servers = new ServerGroup(env, { count: isShared ? 2 : 1 })
    const receiver = await startReceiver()
    return new ProcessSystem(database, { installation, fake, smtp, service, servers, receiver })
  }

  get fake(): FakeStripe {
    return this.#parts.fake
  }

  get receiver(): TestReceiver {
    return this.#parts.receiver
  }

  get service(): TestService {
    return this.#parts.service
  }

  get env() {
    return this.service.ctx.environments.production
  }

  get url(): string {
    return this.servers.next() ?? this.#parts.service.url
  }

  get now(): number {
    return Math.floor(Date.now() / 1000)
  }

  get commands(): Cli {
    const { installation } = this.#parts
    return inProcessCli({ ...stripeSettings(installation, this.fake), ...WEBHOOK_SETTINGS })
  }

  get smtp(): TestSmtp {
    return this.#parts.smtp
  }

  moveClock(): void {
    throw new Error('the time of real processes does not move')
  }

  async work(): Promise<void> {}

  async sendWebhooks(): Promise<void> {
    const until = performance.now() + MAX_SETTLE_MS
    const { read } = this.env.database
    for (;;) {
      const waiting = await sql`select 1 from webhook_endpoints e where e.state in ('on', 'failing')
        and (exists (select 1 from webhook_deliveries d where d.aid = e.aid and d.endpoint = e.id
            and d.state in ('pending', 'sending'))
          or exists (select 1 from events v where v.aid = e.aid
            and (v.position is null or v.position > e.position)))`.execute(read)
      if (waiting.rows.length === 0) return
      if (performance.now() > until) throw new Error('webhooks stay pending')
      await sleep(POLL_MS)
    }
  }

  async elsewhere(address: string): Promise<string> {
    const { origin } = new URL(address)
    return (await this.servers.url()) + address.slice(origin.length)
  }

  /** Lets every payer return and every event arrive, and waits until no order is pending. */
  async settle(world: World): Promise<void> {
    const until = performance.now() + MAX_SETTLE_MS
    await world.deliverEvents()
    for (const { id } of world.checkouts.values()) {
      await world.send('GET /checkout/done/:id', `${this.url}/checkout/done/${id}`)
    }
    while (await hasPendingOrders(this.env)) {
      if (performance.now() > until) throw new Error('orders stay pending')
      await sleep(POLL_MS)
    }
    await world.work()
  }

  newFile(kind: string): string {
    return join(this.#scratch, `${++this.#files}.${kind}`)
  }

  keepMasterKey(): void {}

  async restore(): Promise<void> {
    throw new Error('a restore needs an installation that nobody serves')
  }

  async close(): Promise<void> {
    const { servers, service, installation, fake, smtp, receiver } = this.#parts
    await servers.end()
    this.http.close()
    await service.stop()
    await installation.remove()
    await fake.stop()
    await smtp.stop()
    await receiver.close()
    rmSync(this.#scratch, { recursive: true, force: true })
  }
}
