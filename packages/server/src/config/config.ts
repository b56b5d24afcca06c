import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OperatorError } from '../errors.ts'
import { isReadableByOthers } from '../permissions.ts'
import { findSameHosts } from './addresses.ts'
import { readEnvFile } from './env-file.ts'
import { type ExposureSettings, readExposure } from './exposure.ts'
import { type LimitSettings, readLimits } from './limits.ts'
import {
  MAX_WORKERS,
  matching,
  oneOf,
  parseAccelPath,
  parseBaseUrl,
  parseFolder,
  parseHost,
  parseHostName,
  parseMailFrom,
  parseMasterKeys,
  parseNetworks,
  parseWorkers,
} from './parse.ts'
import { readS3, readStripe, type S3Settings, type StripeKeys } from './providers.ts'
import { type Env, Reader } from './reader.ts'
import { withSecretFiles } from './secret-files.ts'
import { readTracing, type TracingSettings } from './tracing.ts'
import { readUploads, type UploadSettings } from './uploads.ts'

export interface Config {
  host: string
  port: number
  /** The number of processes that serve on this machine. */
  workers: number
  dataFolder: string
  /** Identifies this machine instead of /etc/machine-id. */
  machineId: string | undefined
  /** The public URL, without a trailing slash; undefined means the address we listen at. */
  baseUrl: string | undefined
  /** Whether browsers are told to use only https, and with which hosts. It needs an https `baseUrl`. */
  hsts: Hsts
  /** Host names that are reserved for one environment. */
  hostNames: {
    production: string | undefined
    sandbox: string | undefined
    /** Serves nothing but files and images. */
    files: string | undefined
  }
  databaseUrl: string | undefined
  /** A standby of that server, used for large reads. */
  databaseReplicaUrl: string | undefined
  databaseConnections: number
  /** How long a start waits for PostgreSQL, in seconds. */
  databaseWait: number
  /** The database that `gatehouse move` moves everything to. */
  moveTo: string | undefined
  smtpUrl: { production: string | undefined; sandbox: string | undefined }
  mailFrom: string
  mailPerSecond: number
  /** The maximum number of connections to a mail server. */
  mailConnections: number
  /** The keys of a Stripe account. Without them the sandbox has test cards, and production no payments. */
  stripe: { production: StripeKeys | undefined; sandbox: StripeKeys | undefined }
  /** Replaces Stripe's own URL, for tests against a server that behaves like it. */
  stripeApi: string | undefined
  /** The first key encrypts, all of them decrypt; undefined means the key file in the data folder. */
  masterKeys: readonly Buffer[] | undefined
  /** The storage for files; undefined means the data folder. */
  s3: S3Settings | undefined
  downloads: {
    /** A path that is internal to nginx, without a trailing slash. If set, nginx delivers the files on disk. */
    accelPath: string | undefined
    /** The maximum lifetime of a link, in seconds. */
    maxLinkLifetime: number | undefined
  }
  uploads: UploadSettings
  exposure: ExposureSettings
  /** How many days events are kept. */
  eventDays: number
  logLevel: LogLevel
  trustedProxies: readonly string[]
  /** Networks whose programs may call the signed API over plain http, although `baseUrl` is https. */
  plainHttpAllow: readonly string[]
  /** Networks that webhooks may be sent to although they are not public, even over plain http. */
  webhookAllow: readonly string[]
  /** Networks in which a mail server may be that staff connect, although they are not public. */
  mailAllow: readonly string[]
  metricsToken: string | undefined
  /** Traces for OpenTelemetry; undefined if no variable asks for them. */
  tracing: TracingSettings | undefined
  fastPath: {
    /** Whether access checks may use the fast path. */
    isOn: boolean
    /** One in this many fast-path responses is compared with the route's; 0 for none. */
    sample: number
  }
  limits: LimitSettings
}

const HSTS = ['subdomains', 'host', 'off'] as const
type Hsts = (typeof HSTS)[number]

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

const SMTP_PROTOCOLS = ['smtp:', 'smtps:']
const SMTP_URL = 'a URL like smtp://user:password@host:587'
const POSTGRES_PROTOCOLS = ['postgres:', 'postgresql:']
const POSTGRES_URL = 'a URL like postgres://user:password@host/name'

const NETWORKS = 'IP addresses or networks, separated by commas'

function readMachine(r: Reader) {
  const workers = `a whole number from 1 to ${MAX_WORKERS}, or auto`
  return {
    host: r.read('HOST', '127.0.0.1', 'an IP address or a host name', parseHost),
    port: r.whole('PORT', 8080, 0, 65_535),
    workers: r.read('WORKERS', 1, workers, parseWorkers),
    dataFolder: resolve(r.read('DATA', './data', 'a folder path that does not use ~', parseFolder)),
    machineId: r.read(
      'MACHINE_ID',
      undefined,
      '1 to 100 characters without white space',
      matching(/^\S{1,100}$/),
    ),
    baseUrl: r.read('BASE_URL', undefined, 'a URL like https://access.example.com', parseBaseUrl),
    hsts: r.read('HSTS', 'subdomains', 'subdomains, host or off', oneOf(HSTS)),
    hostNames: {
      production: r.read('PRODUCTION_HOST', undefined, 'a host name', parseHostName),
      sandbox: r.read('SANDBOX_HOST', undefined, 'a host name', parseHostName),
      files: r.read('FILES_HOST', undefined, 'a host name', parseHostName),
    },
  }
}

const readDatabases = (r: Reader) => ({
  databaseUrl: r.url('DATABASE_URL', POSTGRES_URL, POSTGRES_PROTOCOLS),
  databaseReplicaUrl: r.url('DATABASE_REPLICA_URL', POSTGRES_URL, POSTGRES_PROTOCOLS),
  databaseConnections: r.whole('DATABASE_CONNECTIONS', 10, 1, 1_000),
  databaseWait: r.whole('DATABASE_WAIT', 60, 0, 3_600),
  moveTo: r.url('MOVE_TO', POSTGRES_URL, POSTGRES_PROTOCOLS),
})

const readMail = (r: Reader) => ({
  smtpUrl: {
    production: r.url('SMTP_URL', SMTP_URL, SMTP_PROTOCOLS),
    sandbox: r.url('SANDBOX_SMTP_URL', SMTP_URL, SMTP_PROTOCOLS),
  },
  mailFrom: r.read(
    'MAIL_FROM',
    'Gatehouse <gatehouse@localhost>',
    'an email address like Example Magazine <access@example.com>',
    parseMailFrom,
  ),
  mailPerSecond: r.whole('MAIL_PER_SECOND', 300, 1, 10_000),
  mailConnections: r.whole('MAIL_CONNECTIONS', 20, 1, 500),
})

const readProviders = (r: Reader) => ({
  stripe: {
    production: readStripe(r, '', 'live'),
    sandbox: readStripe(r, 'SANDBOX_', 'test'),
  },
  stripeApi: r.url('STRIPE_API', 'a URL like http://127.0.0.1:12111', ['http:', 'https:']),
  masterKeys: r.read(
    'MASTER_KEY',
    undefined,
    '32 bytes in URL-safe Base64 (43 characters), or several of them separated by commas, the newest first',
    parseMasterKeys,
  ),
  s3: readS3(r),
  downloads: {
    accelPath: r.read('DOWNLOAD_ACCEL', undefined, 'a path like /gatehouse-files', parseAccelPath),
    maxLinkLifetime: r.whole('DOWNLOAD_LONGEST_LIFE', undefined, 1, 1e10),
  },
})

const readOperations = (r: Reader) => ({
  eventDays: r.whole('EVENT_DAYS', 30, 1, 3_650),
  logLevel: r.read('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, oneOf(LOG_LEVELS)),
  trustedProxies: r.read('TRUSTED_PROXIES', [], NETWORKS, parseNetworks),
  plainHttpAllow: r.read('PLAIN_HTTP_ALLOW', [], NETWORKS, parseNetworks),
  webhookAllow: r.read('WEBHOOK_ALLOW', [], NETWORKS, parseNetworks),
  mailAllow: r.read('MAIL_ALLOW', [], NETWORKS, parseNetworks),
  metricsToken: r.read(
    'METRICS_TOKEN',
    undefined,
    '16 or more characters without white space',
    matching(/^\S{16,}$/),
  ),
  fastPath: {
    isOn: r.read('FAST_PATH', 'on', 'on or off', oneOf(['on', 'off'])) === 'on',
    sample: r.whole('FAST_PATH_SAMPLE', 1_000, 0, 1e9),
  },
})

/** Reads the settings; throws one error that names every wrong variable. */
export function readConfig(env: Env): Config {
  const r = new Reader(env)
  // The file has been read before; this only makes its name known.
  r.read('ENV_FILE', undefined, 'the path of a file', parseFolder)
  // For `gatehouse mcp`, which reads it by itself. Other commands may run in the same shell.
  r.read('TOKEN', undefined, 'a management token', matching(/^\S+$/))
  const config: Config = {
    ...readMachine(r),
    ...readDatabases(r),
    ...readMail(r),
    ...readProviders(r),
    ...readOperations(r),
    uploads: readUploads(r),
    exposure: readExposure(r),
    tracing: readTracing(env),
    limits: readLimits(r),
  }
  r.requireIfAnySet('DATABASE_URL', ['DATABASE_REPLICA_URL'])
  r.problems.push(...findSameHosts(config))
  // The cookie of a session belongs to the host of the dashboard.
  if (config.exposure.sandbox === 'members' && config.hostNames.sandbox !== undefined) {
    r.problems.push("GATEHOUSE_SANDBOX=members can't be used with GATEHOUSE_SANDBOX_HOST")
  }
  r.finish()
  return Object.freeze(config)
}

/** The variables of this process, which override those of a file: the one that GATEHOUSE_ENV_FILE names, or `.env` in the
 * folder. */
export function environmentVariables(folder: string, own: Env = process.env): Env {
  const path = envFileOf(folder, own)
  if (own.GATEHOUSE_ENV_FILE?.trim() && !existsSync(path)) {
    throw new OperatorError(`GATEHOUSE_ENV_FILE: there is no file ${path}`)
  }
  const { values, problems } = readEnvFile(path)
  const env = withSecretFiles({ ...values, ...own }, problems)
  if (problems.length > 0) throw new OperatorError([...problems, ...problemsOf(env)].join('; '))
  return env
}

const envFileOf = (folder: string, own: Env) =>
  own.GATEHOUSE_ENV_FILE?.trim() || join(folder, '.env')

/** Returns what is wrong with the permissions of the file of settings: it has passwords, and others can read it. */
export function findOpenEnvFile(folder: string, own: Env = process.env): string | undefined {
  const path = envFileOf(folder, own)
  return isReadableByOthers(path)
    ? `${path} can be read by every user of this machine; fix it with: chmod o-rwx ${path}`
    : undefined
}

/** Lets an error about a broken `.env` file also name every wrong variable. */
function problemsOf(env: Env): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}
