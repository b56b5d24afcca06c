import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { mailClientName } from './config/public-origins.ts'
import type { ChangeWatcher } from './db/changes.ts'
import type { ControlDatabase, EnvironmentDatabase } from './db/database.ts'
import type { Millis, Seconds } from './db/tables.ts'
import { createGrantBatcher, type GrantBatcher } from './domain/access/grants/grant-batcher.ts'
import { type CallLog, createCallLog } from './domain/apps/call-log.ts'
import { createKeyring, type Keyring } from './domain/apps/keyring.ts'
import type { MasterKey } from './domain/apps/master-key.ts'
import { createReaderLinks, type ReaderLinks } from './domain/apps/reader-links.ts'
import {
  type Connections,
  createConnections,
  type StripeKeys,
} from './domain/connections/connections.ts'
import type { UploadRules } from './domain/downloads/intake/rules.ts'
import { openStores } from './domain/downloads/open-stores.ts'
import type { Store, Stores } from './domain/downloads/storage/storage.ts'
import type { EventTally } from './domain/events/tally.ts'
import type { Gate } from './domain/hold/gate.ts'
import { gateMailer, gateProvider, gateWebhookClient } from './domain/hold/gated-calls.ts'
import { staffMailHost } from './domain/mail/mail-hosts.ts'
import { createMailer, type Mailer } from './domain/mail/mailer.ts'
import type { Delivery } from './domain/mail/outbox.ts'
import { type ApiUsageCounter, createApiUsageCounter } from './domain/payments/api-usage.ts'
import type { PaymentProvider } from './domain/payments/provider.ts'
import { measureProvider, ProviderCalls } from './domain/payments/provider-calls.ts'
import { createTestCards } from './domain/payments/test-cards/test-cards.ts'
import { createRefusedCheckLog, type RefusedCheckLog } from './domain/refusals/refused-check-log.ts'
import { createBusinessClock } from './domain/sandbox/business-clock.ts'
import { createWebhookClient, type WebhookClient } from './domain/webhooks/calls/http-client.ts'
import { type CallTally, createCallTally } from './domain/webhooks/calls/tally.ts'
import { type TraceContext, traceHeaders } from './tracing/trace-context.ts'
import { traceMailer, traceProvider, traceWebhookClient } from './tracing/traced-calls.ts'
import type { Tracer } from './tracing/tracer.ts'

export type EnvironmentName = 'production' | 'sandbox'
export const ENVIRONMENTS: readonly EnvironmentName[] = ['production', 'sandbox']

/** An isolated environment with its own database, keys, mail and clock. */
export interface Environment extends ReaderLinks {
  name: EnvironmentName
  database: EnvironmentDatabase
  /** Tells when a database may have changed. Both environments share it. */
  changes: ChangeWatcher
  keyring: Keyring
  /** Records which keys are used and which requests are refused. */
  calls: CallLog
  /** Records which access checks are refused. */
  refusals: RefusedCheckLog
  /** Writes grants that arrive together in one transaction. */
  grants: GrantBatcher
  /** The settings of payments and mail, and how to change them. */
  connections: Connections
  /* The next four follow the settings while the process runs. */
  /** Undefined if no mail server is set: mails are then kept, not sent. */
  readonly mailer: Mailer | undefined
  readonly delivery: Delivery
  /** The sender of applications that have none of their own. */
  readonly mailFrom: string
  /** The payment provider; undefined if none is set. */
  readonly provider: PaymentProvider | undefined
  /** The calls of this process to that provider. */
  providerCalls: ProviderCalls
  /** Counts the requests of all processes to that provider. */
  apiUsage: ApiUsageCounter
  /** Sends webhooks; undefined in a detached copy, which sends none. */
  webhookClient: WebhookClient | undefined
  /** Counts the webhooks that this process has sent. */
  webhookCalls: CallTally
  /** Counts what this process has done: events by type, and steps of checkouts. */
  eventTally: EventTally
  /** Whether charges, refunds and mails must wait because the installation is on hold. */
  isOnHold(): Promise<boolean>
  /** Business time: in the sandbox it can be ahead of real time. */
  clock(): Seconds
  /** How far `clock` is ahead of real time, as last read by this process; 0 in production. */
  clockOffset(): Seconds
  /** Whether `clock` is known to be right, because nothing was committed since its offset was read. */
  isClockCurrent(): boolean
  /** Reads the sandbox clock's offset again if need be: any process can move that clock. */
  refreshClock(): Promise<void>
  /** Real time. */
  realTime(): Millis
  /** The public base URL, without a trailing slash. */
  address(): string
  /** The same for files and images, which can have a host of their own. */
  fileAddress(): string
  /** Storage for the files that readers download. */
  stores: Stores
  /** The current store, for files that somebody uploads: they are scanned if a scanner is set. */
  uploadStore: Store
  /** The longest lifetime that a new download link may have; undefined if the operator has set no limit. */
  maxLinkLifetime: Seconds | undefined
  /** What may be uploaded for sale over the network. */
  uploadRules: UploadRules
}

/** The parts that an environment is built from. The environments share everything but the name and the database. */
export interface EnvironmentParts {
  name: EnvironmentName
  database: EnvironmentDatabase
  eventTally: EventTally
  /** Undefined if no traces are wanted. */
  tracer: Tracer | undefined
  config: Config
  control: ControlDatabase
  masterKey: MasterKey
  gate: Gate
  changes: ChangeWatcher
  realTime(): Millis
  /** The public base URL, without a trailing slash. */
  address(): string
  /** The same for files and images, which can have a host of their own. */
  fileAddress(): string
  /** Whether this is a detached copy, which uses no stored connection. */
  isDetached: boolean
  /** The default depends on whether a mail server is set. */
  delivery: Delivery | undefined
  /** The maximum number of grants in one transaction. */
  grantsTogether: number | undefined
  /** How long refused access checks are collected before they are stored. */
  refusalPauseMs: Millis | undefined
  /** Called with each thing that was opened for the environment and must be closed with it. */
  onOpened(opened: Closable): void
}

export async function createEnvironment(parts: EnvironmentParts): Promise<Environment> {
  const { name, database, config, control, masterKey, gate, realTime, address, fileAddress } = parts
  const providerCalls = new ProviderCalls()
  const apiUsage = createApiUsageCounter(database, realTime)
  const connections = await openConnections(parts, providerCalls, apiUsage)
  parts.onOpened(connections)
  const clock = createBusinessClock(name, database, realTime)
  const stores = await openStores(
    {
      folder: join(config.dataFolder, 'files', name),
      groupReads: config.downloads.accelPath !== undefined,
      s3: config.s3,
      scan: config.uploads.scan,
    },
    name,
  )
  parts.onOpened(stores)
  const webhookClient = openWebhookClient(parts)
  const clocks = () => ({ now: clock.now(), realTime: realTime() })
  return {
    name,
    database,
    changes: parts.changes,
    keyring: createKeyring(database.read, masterKey, realTime),
    calls: createCallLog(control, name, realTime),
    refusals: createRefusedCheckLog(database, clock.now, parts.refusalPauseMs),
    grants: createGrantBatcher(database, clocks, {
      maxBatchSize: parts.grantsTogether,
      tracer: parts.tracer,
    }),
    connections,
    get mailer() {
      return connections.mailer
    },
    get delivery() {
      return parts.delivery ?? (connections.mailer ? 'queued' : 'kept')
    },
    get mailFrom() {
      return connections.mail.from
    },
    get provider() {
      return connections.provider
    },
    providerCalls,
    apiUsage,
    webhookClient,
    webhookCalls: createCallTally(),
    eventTally: parts.eventTally,
    isOnHold: gate.isOnHold,
    clock: clock.now,
    clockOffset: clock.offset,
    isClockCurrent: clock.isCurrent,
    refreshClock: clock.refresh,
    realTime,
    address,
    fileAddress,
    stores,
    uploadStore: stores.forUploads,
    maxLinkLifetime: config.downloads.maxLinkLifetime,
    uploadRules: uploadRulesOf(config),
    ...createReaderLinks(parts, clock.now),
  }
}

/** Every provider and mailer that the settings lead to passes the gate. Only calls that pass it are counted. */
function openConnections(
  parts: EnvironmentParts,
  calls: ProviderCalls,
  usage: ApiUsageCounter,
): Promise<Connections> {
  const { name, database, config, masterKey, gate, isDetached, tracer } = parts
  const clientName = mailClientName(config)
  return createConnections({
    ...{ database, masterKey, isDetached, clientName },
    mailConnections: config.mailConnections,
    stripe: config.stripe[name],
    stripeApi: config.stripeApi,
    smtpUrl: config.smtpUrl[name],
    mailFrom: config.mailFrom,
    async openProvider(keys) {
      const provider = await createProvider(parts, keys, usage)
      const traced = provider && tracer ? traceProvider(provider, tracer) : provider
      return traced && gateProvider(measureProvider(traced, calls), gate)
    },
    staffMailHost: staffMailHost(config.mailAllow),
    openMailer(smtpUrl, check) {
      const mailer = createMailer(smtpUrl, { check, clientName })
      return gateMailer(tracer ? traceMailer(mailer, tracer) : mailer, gate)
    },
    onChanged: parts.changes.notify,
  })
}

function openWebhookClient(parts: EnvironmentParts): WebhookClient | undefined {
  if (parts.isDetached) return undefined
  const client = createWebhookClient({ allow: parts.config.webhookAllow })
  parts.onOpened({ close: async () => client.close() })
  const { tracer, gate } = parts
  return gateWebhookClient(tracer ? traceWebhookClient(client, tracer) : client, gate)
}

async function createProvider(
  { name, config, database, realTime, address, tracer }: EnvironmentParts,
  keys: StripeKeys | undefined,
  usage: ApiUsageCounter,
): Promise<PaymentProvider | undefined> {
  if (!keys)
    return name === 'sandbox' ? createTestCards({ database, realTime, address }) : undefined
  // Imported only if it is used: it takes longer to load than everything else that a command needs.
  const { createStripe } = await import('./domain/payments/stripe/stripe.ts')
  return createStripe({
    ...{ ...keys, api: config.stripeApi },
    onRequest: usage.count,
    traceHeaders: tracer && (() => headersOf(tracer.current())),
  })
}

const headersOf = (context: TraceContext | undefined) => (context ? traceHeaders(context) : {})

/** A file for S3 is on the disk only while it is scanned. */
const uploadRulesOf = ({ uploads, s3, dataFolder }: Config): UploadRules => ({
  maxBytes: uploads.maxBytes,
  freeBytes: uploads.freeBytes,
  // The folder of the files may be on a disk of its own.
  folders: s3 === undefined || uploads.scan ? [dataFolder, join(dataFolder, 'files')] : [],
})

export interface Closable {
  close(): Promise<void>
}

/** Closes all of them even if some fail, then throws the first failure. */
export async function closeAll(opened: readonly Closable[]): Promise<void> {
  const results = await Promise.allSettled(opened.map((one) => one.close()))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}
