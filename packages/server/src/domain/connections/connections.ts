import type { EnvironmentDatabase } from '../../db/database.ts'
import { toOutageFailure } from '../../db/outage.ts'
import type { MasterKey } from '../apps/master-key.ts'
import { type MailHostCheck, OPERATORS_MAIL_HOST } from '../mail/mail-hosts.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import { smtpUrlOf } from './smtp-url.ts'
import {
  type ConnectionKind,
  type MailConnection,
  type PaymentsConnection,
  readConnections,
  readConnectionsVersion,
  readOffersLink,
  removeConnection,
  type StoredConnections,
  saveConnection,
  setOffersLink,
} from './stored.ts'

/** The keys of the Stripe account. Without a webhook secret, events from Stripe are refused. */
export interface StripeKeys {
  secretKey: string
  webhookSecret: string | undefined
  /** Where the key is set, for error messages. */
  keySetting?: string
  offersLink?: boolean
}

/** Where the settings in use come from: the operator's variables, which win, or what staff have stored. */
export type Source = 'operator' | 'staff' | 'none'

interface PaymentSettings {
  source: Source
  keys: StripeKeys | undefined
  stored: PaymentsConnection | undefined
  /** Whether readers may pay through Link. */
  offersLink: boolean
}

interface MailSettings {
  source: Source
  smtpUrl: string | undefined
  /** Which addresses the server may have. */
  hostCheck: MailHostCheck
  /** The sender of applications that have none of their own. */
  from: string
  stored: MailConnection | undefined
}

/** The payment provider and the mail server of one environment, as they are set now. They may change at any time:
 * read them when they are needed, and don't keep them. */
export interface Connections {
  readonly provider: PaymentProvider | undefined
  readonly mailer: Mailer | undefined
  readonly payments: PaymentSettings
  readonly mail: MailSettings
  /** Replaces Stripe's own URL. Only the operator can set it. */
  readonly stripeApi: string | undefined
  /** Whether this is a detached copy, in which nothing can be connected. */
  readonly isDetached: boolean
  /** Notices what other processes have changed. A mailer that is replaced still finishes what it is sending. */
  refresh(): Promise<void>
  save<K extends ConnectionKind>(
    kind: K,
    connection: NonNullable<StoredConnections[K]>,
  ): Promise<void>
  remove(kind: ConnectionKind): Promise<void>
  setOffersLink(isOffered: boolean): Promise<void>
  /** Opens another provider or mail server, to try it out. During a hold, it is blocked like the ones in use. */
  tryProvider(secretKey: string): Promise<PaymentProvider>
  tryMailer(smtpUrl: string): Mailer
  /** Which addresses a mail server may have that staff enter. */
  readonly staffMailHost: MailHostCheck
  /** What Gatehouse calls itself to mail servers. */
  readonly clientName: string | undefined
  /** The maximum number of connections to a mail server. */
  readonly mailConnections: number
  close(): Promise<void>
}

export interface ConnectionOptions {
  database: EnvironmentDatabase
  masterKey: MasterKey
  /** The operator's settings. */
  stripe: StripeKeys | undefined
  stripeApi: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  /** Which addresses a mail server may have that staff enter. */
  staffMailHost: MailHostCheck
  clientName: string | undefined
  mailConnections: number
  /** Whether stored connections are ignored, because this is a detached copy. */
  isDetached: boolean
  openProvider(keys: StripeKeys | undefined): Promise<PaymentProvider | undefined>
  openMailer(smtpUrl: string, check: MailHostCheck): Mailer
  /** Called when another provider or mail server came into use. */
  onChanged(): void
}

/** What is stored about connections. */
interface Settings extends StoredConnections {
  offersLink: boolean
}

interface InUse {
  stored: Settings
  provider: PaymentProvider | undefined
  mailer: Mailer | undefined
}

export async function createConnections(options: ConnectionOptions): Promise<Connections> {
  const { database, masterKey, isDetached } = options
  let version: string | undefined
  let inUse = await use(options, { offersLink: false }, undefined)
  let running: Promise<void> | undefined
  const retired = createRetiredMailers()

  async function load(): Promise<void> {
    if (isDetached) return
    const found = await readConnectionsVersion(database.read)
    if (found === version) return
    const stored = await readReadable(database, masterKey)
    const before = inUse
    inUse = await use(options, stored, before)
    version = found
    options.onChanged()
    if (before.mailer && before.mailer !== inUse.mailer) retired.add(before.mailer)
  }

  async function refresh(): Promise<void> {
    // A load that is already running may have started before the change.
    if (running) await running
    running ??= load().finally(() => {
      running = undefined
    })
    await running
  }

  async function change(write: Parameters<typeof database.write<void>>[0]): Promise<void> {
    await database.write(write)
    await refresh()
  }

  const connections: Connections = {
    get provider() {
      return inUse.provider
    },
    get mailer() {
      return inUse.mailer
    },
    get payments() {
      return paymentSettings(options, inUse.stored)
    },
    get mail() {
      return mailSettings(options, inUse.stored.mail)
    },
    stripeApi: options.stripeApi,
    isDetached,
    refresh,
    save: (kind, connection) => change((trx) => saveConnection(trx, masterKey, kind, connection)),
    remove: (kind) => change((trx) => removeConnection(trx, kind)),
    setOffersLink: (isOffered) => change((trx) => setOffersLink(trx, isOffered)),
    tryProvider: (secretKey) => tryProvider(options, secretKey),
    tryMailer: (smtpUrl) =>
      options.openMailer(smtpUrl, mailSettings(options, inUse.stored.mail).hostCheck),
    staffMailHost: options.staffMailHost,
    clientName: options.clientName,
    mailConnections: options.mailConnections,
    async close() {
      await Promise.all([inUse.mailer?.close(), retired.close()])
    },
  }
  await refresh()
  return connections
}

async function tryProvider(
  { openProvider }: ConnectionOptions,
  secretKey: string,
): Promise<PaymentProvider> {
  const keys = { secretKey, webhookSecret: undefined, keySetting: KEY_SETTING }
  return (await openProvider(keys)) as PaymentProvider
}

/** Mailers that were replaced and may still be sending something. */
function createRetiredMailers() {
  const sending = new Set<Mailer>()
  return {
    add(mailer: Mailer): void {
      sending.add(mailer)
      void mailer.retire().then(() => sending.delete(mailer))
    },
    async close(): Promise<void> {
      await Promise.all([...sending].map((mailer) => mailer.close()))
    },
  }
}

/** A connection that the master key can't decrypt counts as none: `serve` does not start with such a key, and
 * `doctor` reports it. */
async function readReadable(
  database: EnvironmentDatabase,
  masterKey: MasterKey,
): Promise<Settings> {
  const offersLink = await readOffersLink(database.read)
  try {
    return { ...(await readConnections(database.read, masterKey)), offersLink }
  } catch (error) {
    if (toOutageFailure(error)) throw error
    return { offersLink }
  }
}

/** Keeps what has not changed, since a mailer holds open connections. */
async function use(
  options: ConnectionOptions,
  stored: Settings,
  before: InUse | undefined,
): Promise<InUse> {
  const { keys } = paymentSettings(options, stored)
  const { smtpUrl, hostCheck } = mailSettings(options, stored.mail)
  const was = before && {
    keys: paymentSettings(options, before.stored).keys,
    smtpUrl: mailSettings(options, before.stored.mail).smtpUrl,
  }
  const hasSameKeys = was && JSON.stringify(was.keys) === JSON.stringify(keys)
  return {
    stored,
    provider: hasSameKeys ? before?.provider : await options.openProvider(keys),
    mailer:
      was && was.smtpUrl === smtpUrl
        ? before?.mailer
        : smtpUrl === undefined
          ? undefined
          : options.openMailer(smtpUrl, hostCheck),
  }
}

/** How error messages name the place of a key that staff have entered. */
export const KEY_SETTING = "the dashboard's settings"

function paymentSettings(
  { stripe }: ConnectionOptions,
  { payments: stored, offersLink }: Settings,
): PaymentSettings {
  if (stripe) return { source: 'operator', keys: { ...stripe, offersLink }, stored, offersLink }
  if (!stored) return { source: 'none', keys: undefined, stored, offersLink }
  const { secretKey, webhook } = stored
  const keys = { secretKey, webhookSecret: webhook?.secret, keySetting: KEY_SETTING, offersLink }
  return { source: 'staff', keys, stored, offersLink }
}

function mailSettings(
  { smtpUrl, mailFrom, staffMailHost: hostCheck }: ConnectionOptions,
  stored: MailConnection | undefined,
): MailSettings {
  if (smtpUrl !== undefined) {
    const operators = { hostCheck: OPERATORS_MAIL_HOST, from: mailFrom }
    return { source: 'operator', smtpUrl, ...operators, stored }
  }
  if (!stored) return { source: 'none', smtpUrl, hostCheck, from: mailFrom, stored }
  return { source: 'staff', smtpUrl: smtpUrlOf(stored), hostCheck, from: stored.sender, stored }
}
