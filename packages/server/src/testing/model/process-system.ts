import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasPendingOrders } from '../../domain/payments/orders/orders.ts'
import { type Cli, inProcessCli } from '../cli.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import { ServerGroup } from '../processes/server-group.ts'
import { startTestService, type TestService } from '../service.ts'
import { startSmtp, type TestSmtp } from '../smtp/smtp.ts'
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts'
import { type HttpClient, openHttpClient } from './http-client.ts'
import { LIVE_KEY, stripeSettings } from './local-system.ts'
import type { TestSystem } from './test-system.ts'
import type { World } from './world.ts'

const MAX_SETTLE_MS = 90_000
const POLL_MS = 250

interface Parts {
  installation: TestInstallation
  fake: FakeStripe
  smtp: TestSmtp
  service: TestService
  servers: ServerGroup
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
    return new ProcessSystem(database, { installation, fake, smtp, service, servers })
  }

  get fake(): FakeStripe {
    return this.#parts.fake
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
    return inProcessCli(stripeSettings(this.#parts.installation, this.fake))
  }

  get smtp(): TestSmtp {
    return this.#parts.smtp
  }

  moveClock(): void {
    throw new Error('the time of real processes does not move')
  }

  async work(): Promise<void> {}

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
    const { servers, service, installation, fake, smtp } = this.#parts
    await servers.end()
    this.http.close()
    await service.stop()
    await installation.remove()
    await fake.stop()
    await smtp.stop()
    rmSync(this.#scratch, { recursive: true, force: true })
  }
}
