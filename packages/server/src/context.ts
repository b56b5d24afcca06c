import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addressesOf, listeningAt } from './config/addresses.ts'
import type { Config } from './config/config.ts'
import type { ControlDatabase, EnvironmentDatabase } from './db/database.ts'
import { controlMigrations, environmentMigrations } from './db/migrations.ts'
import { requireMoveOver } from './db/moved.ts'
import { type DatabaseLocation, openDatabase } from './db/open.ts'
import type { ControlTables, Millis, Seconds, Tables } from './db/tables.ts'
import { createGrantBatcher, type GrantBatcher } from './domain/access/grants/grant-batcher.ts'
import { type CallLog, createCallLog } from './domain/apps/call-log.ts'
import { createKeyring, type Keyring } from './domain/apps/keyring.ts'
import { createKeyFile, type MasterKey } from './domain/apps/master-key.ts'
import { openMasterKey } from './domain/apps/open-master-key.ts'
import { openSecret } from './domain/apps/secrets.ts'
import { createDiskStore } from './domain/downloads/disk.ts'
import { type Stores, StoreUnavailable } from './domain/downloads/storage.ts'
import { createGate, type Gate } from './domain/hold/gate.ts'
import { holdMailer, holdProvider } from './domain/hold/held-calls.ts'
import { readHoldState } from './domain/installation/hold.ts'
import { machineMark } from './domain/installation/machine.ts'
import { requireFilesOf, requireKnownFiles } from './domain/installation/missing.ts'
import { createMailer, type Mailer } from './domain/mail/mailer.ts'
import type { Delivery } from './domain/mail/outbox.ts'
import type { PaymentProvider } from './domain/payments/provider.ts'
import { createTestCards, type TestCardOptions } from './domain/payments/test-cards/test-cards.ts'
import { readClockOffset } from './domain/sandbox/clock.ts'
import { OperatorError } from './errors.ts'
import { createOutageLogger, type OutageLog } from './outage-logger.ts'
import {
  checkDownloadToken,
  type DownloadLink,
  type DownloadTokenCheck,
  downloadToken,
} from './signing/download-links.ts'
import { manageToken } from './signing/links.ts'

export type EnvironmentName = 'production' | 'sandbox'
export const ENVIRONMENTS: readonly EnvironmentName[] = ['production', 'sandbox']

/** An isolated environment with its own database, keys, mail and clock. */
export interface Environment {
  name: EnvironmentName
  database: EnvironmentDatabase
  keyring: Keyring
  /** Records which keys are used and which requests are refused. */
  calls: CallLog
  /** Writes grants that arrive together in one transaction. */
  grants: GrantBatcher
  /** Undefined if no mail server is configured: mails are then kept, not sent. */
  mailer: Mailer | undefined
  delivery: Delivery
  /** The payment provider; undefined if none is configured. */
  provider: PaymentProvider | undefined
  /** Whether charges, refunds and mails must wait because the installation is on hold. */
  isOnHold(): Promise<boolean>
  /** Business time: in the sandbox it can be ahead of real time. */
  clock(): Seconds
  /** How far `clock` is ahead of real time, as last read by this process; 0 in production. */
  clockOffset(): Seconds
  /** Reads the sandbox clock's offset again: any process can move that clock. */
  refreshClock(): Promise<void>
  /** Real time. */
  realTime(): Millis
  /** The public base URL, without a trailing slash. */
  address(): string
  /** The key that signs links. It belongs to the environment and outlives the keys of applications. */
  linkKey(): Promise<Buffer>
  /** Storage for the files that readers download. */
  stores: Stores
  /** The maximum lifetime of a download link, if the operator has set one. */
  maxLinkLifetime: Seconds | undefined
  /** Returns the URL at which a reader downloads a file. */
  downloadLink(link: DownloadLink): Promise<string>
  /** Decodes the token of a download link and checks its signature and expiry. */
  readDownloadToken(token: string): Promise<DownloadTokenCheck>
  /** Returns the URL of the page where a reader manages a subscription. */
  manageLink(subscriptionId: string, now: Seconds, life?: Seconds): Promise<string>
}

/** Everything that the entry points need. */
export interface Context {
  config: Config
  /** Sets the URL we listen at, once it is known. It is the public URL if none is configured. */
  setListenUrl(url: string): void
  control: ControlDatabase
  masterKey: MasterKey
  /** Every outgoing charge, refund and mail must pass it. */
  gate: Gate
  environments: Record<EnvironmentName, Environment>
  /** The secret that signs device cookies and passkey challenges. */
  staffSecret(): Promise<Buffer>
  close(): Promise<void>
}

const QUIET: OutageLog = { error() {}, info() {} }

/** Replacements for defaults, used by tests, benchmarks and commands. */
export interface Overrides {
  realTime?: () => Millis
  /** The maximum number of grants in one transaction. */
  grantsTogether?: number
  /** Receives errors that don't stop the process. By default they are dropped. */
  log?: OutageLog
  /** Set by commands: they can't know whether the service has a mail server, so they queue mails and let it decide. */
  delivery?: Delivery
  /** Set by a restore: the data folder may refer to databases that no longer exist. */
  mayReplace?: boolean
}

function locate(config: Config, log: OutageLog): DatabaseLocation {
  if (config.databaseUrl === undefined) return { engine: 'sqlite', folder: config.dataFolder }
  const { databaseUrl: url, databaseConnections: connections, databaseReplicaUrl } = config
  if (databaseReplicaUrl === undefined) return { engine: 'postgres', url, connections }
  const outages = createOutageLogger(log, 'reading from GATEHOUSE_DATABASE_REPLICA_URL')
  return { engine: 'postgres', url, connections, replica: { url: databaseReplicaUrl, outages } }
}

/** Created for its owner only: the data folder holds people's email addresses and the master key. */
function requireDataFolder(folder: string): void {
  if (!existsSync(folder)) inFolder(folder, "can't be made", () => makeFolder(folder))
  inFolder(folder, "can't be used", () => {
    readdirSync(folder)
    accessSync(folder, constants.W_OK)
  })
}

/** Creates parent folders too. The `recursive` option of `mkdirSync` never returns in places like /proc. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process that is starting at the same time has created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function inFolder<R>(folder: string, failure: string, work: () => R): R {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOTDIR' ? 'a file is in its place' : message
    throw new OperatorError(`GATEHOUSE_DATA: the folder ${folder} ${failure}: ${why}`)
  }
}

/** Closes all of them even if some fail, then throws the first failure. */
async function closeAll(opened: readonly { close(): Promise<void> }[]): Promise<void> {
  const results = await Promise.allSettled(opened.map((one) => one.close()))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

/** The manage link in a mail may be used months later, when the next charge is near. */
const MAILED_LINK_LIFE: Seconds = 400 * 86_400

/** Real time in production; in the sandbox, real time plus the offset by which the clock was moved. */
function createClock(name: EnvironmentName, database: EnvironmentDatabase, realTime: () => Millis) {
  let offset: Seconds = 0
  let asked = 0
  let answered = 0
  return {
    now: () => Math.floor(realTime() / 1000) + offset,
    offset: () => offset,
    async refresh() {
      if (name !== 'sandbox') return
      const turn = ++asked
      const found = await readClockOffset(database.read)
      // Reads may finish out of order; the most recently started one wins.
      if (turn > answered) [answered, offset] = [turn, found]
    },
  }
}

async function providerFor(
  config: Config,
  name: EnvironmentName,
  premises: TestCardOptions,
): Promise<PaymentProvider | undefined> {
  const keys = config.stripe[name]
  if (!keys) return name === 'sandbox' ? createTestCards(premises) : undefined
  // Imported only if it is used: it takes longer to load than everything else that a command needs.
  const { createStripe } = await import('./domain/payments/stripe/stripe.ts')
  return createStripe({ ...keys, api: config.stripeApi })
}

/** Removes the settings that reach the outside world, for a detached copy of an installation. */
const detachedFrom = (config: Config): Config => ({
  ...config,
  smtpUrl: { production: undefined, sandbox: undefined },
  stripe: { production: undefined, sandbox: undefined },
})

/** Whether the databases are on this machine, judging by their URL. */
function isLocal({ databaseUrl }: Config): boolean {
  if (databaseUrl === undefined) return true
  const { hostname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? hostname
  return host === '' || host.startsWith('/') || /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)
}

/** New files go where the settings say; older files stay where they are. */
async function openStores(
  config: Config,
  name: EnvironmentName,
): Promise<Stores & { close(): Promise<void> }> {
  const disk = createDiskStore(join(config.dataFolder, 'files', name), {
    groupReads: config.downloads.accelPath !== undefined,
  })
  const s3 =
    config.s3 && (await import('./domain/downloads/s3/store.ts')).createS3Store(config.s3, name)
  return {
    current: s3 ?? disk,
    of(store) {
      const found = store === 'disk' ? disk : s3
      if (!found)
        throw new StoreUnavailable('a file is in S3, and no bucket is set (GATEHOUSE_S3_BUCKET)')
      return found
    },
    close: () => closeAll(s3 ? [disk, s3] : [disk]),
  }
}

/** Caches the first successful result. After a failure, the next call tries again. */
function cacheSuccess<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= ask().catch((error) => {
      answer = undefined
      throw error
    })
    return answer
  }
}

export async function createContext(given: Config, overrides: Overrides = {}): Promise<Context> {
  let config = given
  const realTime = overrides.realTime ?? Date.now
  let addresses = addressesOf(config, listeningAt(config.host, config.port))
  requireDataFolder(config.dataFolder)
  const log = overrides.log ?? QUIET
  const location = locate(config, log)
  if (!overrides.mayReplace) requireKnownFiles(config.dataFolder, location.engine)
  const opened: { close(): Promise<void> }[] = []
  let gate: Gate | undefined
  const close = async () => {
    await gate?.close()
    await closeAll(opened.splice(0))
  }
  async function open<T>(name: string, migrations: typeof environmentMigrations) {
    const database = await openDatabase<T>(location, name, migrations)
    opened.push(database)
    return database
  }
  try {
    const control = await open<ControlTables>('control', controlMigrations)
    await requireMoveOver(control)
    if (!overrides.mayReplace) await requireFilesOf(control, config.dataFolder)
    const production = await open<Tables>('production', environmentMigrations)
    const sandbox = await open<Tables>('sandbox', environmentMigrations)
    const masterKey = await openMasterKey(config, control, [production, sandbox], () =>
      inFolder(config.dataFolder, "can't take the master key", () =>
        createKeyFile(config.dataFolder),
      ),
    )
    const { detached } = await readHoldState(control.read)
    if (detached !== undefined) config = detachedFrom(given)
    const { dataFolder: folder, machineId } = config
    const machine = machineMark(machineId)
    const premises = { control, production, sandbox, folder, machine, isLocal: isLocal(config) }
    const ownGate = createGate({
      premises,
      realTime,
      isDetached: detached !== undefined,
      onTrouble: (err) =>
        log.error({ err, trouble: 'failed' }, 'the installation can’t be counted'),
    })
    gate = ownGate
    const environment = async (
      name: EnvironmentName,
      database: EnvironmentDatabase,
    ): Promise<Environment> => {
      const smtpUrl = config.smtpUrl[name]
      const mailer = smtpUrl === undefined ? undefined : holdMailer(createMailer(smtpUrl), ownGate)
      if (mailer) opened.push(mailer)
      const address = () => addresses[name]
      const clock = createClock(name, database, realTime)
      const linkKey = cacheSuccess(() => openSecret(database, masterKey, 'links'))
      const downloadKey = cacheSuccess(() => openSecret(database, masterKey, 'downloads'))
      const stores = await openStores(config, name)
      opened.push(stores)
      const provider = await providerFor(config, name, { database, realTime, address })
      return {
        name,
        database,
        keyring: createKeyring(database.read, masterKey, realTime),
        calls: createCallLog(control, name, realTime),
        grants: createGrantBatcher(
          database,
          () => ({ now: clock.now(), realTime: realTime() }),
          overrides.grantsTogether,
        ),
        mailer,
        delivery: overrides.delivery ?? (mailer ? 'queued' : 'kept'),
        provider: provider && holdProvider(provider, ownGate),
        isOnHold: ownGate.isOnHold,
        clock: clock.now,
        clockOffset: clock.offset,
        refreshClock: clock.refresh,
        realTime,
        address,
        linkKey,
        stores,
        maxLinkLifetime: config.downloads.maxLinkLifetime,
        async downloadLink(link) {
          return `${address()}/d/${downloadToken(await downloadKey(), name, link)}`
        },
        async readDownloadToken(token) {
          return checkDownloadToken(await downloadKey(), name, token, clock.now())
        },
        async manageLink(subscriptionId, now, life = MAILED_LINK_LIFE) {
          const token = manageToken(await linkKey(), subscriptionId, now + life)
          return `${address()}/manage/${token}`
        },
      }
    }
    const environments = {
      production: await environment('production', production),
      sandbox: await environment('sandbox', sandbox),
    }
    await environments.sandbox.refreshClock()
    return {
      config,
      setListenUrl(url) {
        addresses = addressesOf(config, url)
      },
      control,
      masterKey,
      gate: ownGate,
      environments,
      // Stored with production's secrets: staff are in `control`, which has no table for encrypted secrets.
      staffSecret: cacheSuccess(() => openSecret(production, masterKey, 'staff')),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
