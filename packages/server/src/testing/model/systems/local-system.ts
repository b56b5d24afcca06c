import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { reportEndedAccess } from '../../../domain/events/ended.ts'
import { continueResync } from '../../../domain/events/resync.ts'
import { runDuePayments } from '../../../domain/payments/orders/payment-loop.ts'
import { type Cli, inProcessCli } from '../../cli.ts'
import type { TestDatabase, TestInstallation } from '../../databases.ts'
import { startTestService, type TestService } from '../../service.ts'
import { type FakeStripe, startFakeStripe } from '../../stripe/fake-stripe.ts'
import { startReceiver, type TestReceiver } from '../../webhooks/receiver.ts'
import { createTestSender } from '../../webhooks/sending.ts'
import type { World } from '../world.ts'
import { type HttpClient, openHttpClient } from './http-client.ts'
import type { TestSystem } from './test-system.ts'

const START = Date.UTC(2027, 2, 3, 9)
type Settings = Record<string, string>

/** Lets webhooks be sent to the receiver. */
export const WEBHOOK_SETTINGS: Readonly<Settings> = { GATEHOUSE_WEBHOOK_ALLOW: '127.0.0.1/32' }

export const LIVE_KEY = 'sk_live_fake0123456789'

/** A service in this process with everything around it: the provider, whose ledger outlives the database, the command
 * line, and one clock for all of them. */
export class LocalSystem implements TestSystem {
  readonly database: TestDatabase
  readonly fake: FakeStripe
  readonly receiver: TestReceiver
  readonly #http: HttpClient
  readonly isConcurrent = false
  readonly #settings: Settings
  #home: TestInstallation
  #service: TestService
  readonly #scratch = mkdtempSync(join(tmpdir(), 'gatehouse-model-'))
  #files = 0

  protected constructor(
    database: TestDatabase,
    installation: TestInstallation,
    parts: Pick<LocalSystem, 'fake' | 'service' | 'receiver'> & { settings: Settings },
  ) {
    this.database = database
    this.#home = installation
    this.#service = parts.service
    this.fake = parts.fake
    this.receiver = parts.receiver
    this.#settings = parts.settings
    this.#http = openHttpClient()
  }

  static async open<T extends LocalSystem = LocalSystem>(
    database: TestDatabase,
    more: Settings = {},
  ): Promise<T> {
    // Commands create their own clock; only a shared `Date` gives all parts the same time.
    vi.useFakeTimers({ toFake: ['Date'], now: START })
    const fake = await startFakeStripe({ secretKey: LIVE_KEY })
    const installation = await database.createMigrated()
    const settings = { ...WEBHOOK_SETTINGS, ...more }
    const service = await serve(database, installation, { fake, settings })
    const receiver = await startReceiver()
    return new this(database, installation, { fake, service, receiver, settings }) as T
  }

  get service(): TestService {
    return this.#service
  }

  get http(): HttpClient {
    return this.#http
  }

  get url(): string {
    return this.#service.url
  }

  get env() {
    return this.#service.ctx.environments.production
  }

  get now(): number {
    return Math.floor(Date.now() / 1000)
  }

  /** Moves the clock, and runs nothing that falls due. */
  moveClock(seconds: number): void {
    vi.setSystemTime(Date.now() + seconds * 1000)
  }

  get commands(): Cli {
    return inProcessCli({ ...stripeSettings(this.#home, this.fake), ...this.#settings })
  }

  /** A new path for a file that a command writes; it outlives the installation. */
  newFile(kind: string): string {
    return join(this.#scratch, `${++this.#files}.${kind}`)
  }

  /** There is no other server that could answer. */
  async elsewhere(): Promise<undefined> {}

  /** Runs everything that is due now and in the next half hour. */
  async settle(world: World): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await world.deliverEvents()
      await world.advance(700)
    }
  }

  /** The event worker may run before the payment worker, and tell of ends that renewals are about to move. */
  async work(): Promise<void> {
    while ((await continueResync(this.env.database, this.now)) > 0);
    while ((await reportEndedAccess(this.env.database, this.now)) > 0);
    while ((await runDuePayments(this.env)) > 0);
    while ((await reportEndedAccess(this.env.database, this.now)) > 0);
  }

  async sendWebhooks(): Promise<void> {
    const sender = createTestSender(this.#service, this.env)
    await sender.sendAllDue()
    sender.close()
  }

  keepMasterKey(backup: string): void {
    cpSync(join(this.#home.env.GATEHOUSE_DATA as string, 'master.key'), `${backup}.key`)
  }

  /** Restores a backup into a new installation, which serves from now on. */
  async restore(backup: string): Promise<void> {
    const next = await this.database.createMigrated()
    const [from, to] = [this.#home, next].map(({ env }) => env.GATEHOUSE_DATA as string)
    cpSync(`${backup}.key`, join(to as string, 'master.key'))
    const files = join(from as string, 'files')
    if (existsSync(files)) cpSync(files, join(to as string, 'files'), { recursive: true })
    await this.#service.stop()
    await this.#home.remove()
    this.#home = next
    const { code, stderr } = await this.commands.run('restore', backup)
    // If the answer of a restore was lost, a repeat says that it was completed.
    const isRestored = code === 0 || stderr.includes('was completely restored here before')
    if (!isRestored) throw new Error(`the restore failed: ${stderr}`)
    this.#service = await serve(this.database, next, {
      fake: this.fake,
      settings: this.#settings,
    })
  }

  async close(): Promise<void> {
    this.#http.close()
    await this.#service.stop()
    await this.#home.remove()
    await this.fake.stop()
    await this.receiver.close()
    rmSync(this.#scratch, { recursive: true, force: true })
    vi.useRealTimers()
  }
}

export const stripeSettings = (
  installation: TestInstallation,
  fake: FakeStripe,
): Record<string, string> => ({
  ...installation.env,
  GATEHOUSE_STRIPE_SECRET_KEY: fake.secretKey,
  GATEHOUSE_STRIPE_WEBHOOK_SECRET: fake.webhookSecret,
  GATEHOUSE_STRIPE_API: fake.url,
})

const serve = (
  database: TestDatabase,
  installation: TestInstallation,
  { fake, settings }: { fake: FakeStripe; settings: Record<string, string> },
) =>
  startTestService(database, {
    installation,
    env: { ...stripeSettings(installation, fake), ...settings },
    useRealTime: true,
  })
