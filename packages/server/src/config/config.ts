import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { OperatorError } from '../errors.ts'
import { sender } from '../fields.ts'
import { readEnvFile } from './env-file.ts'
import { type Env, Reader } from './reader.ts'

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
  /** Host names that are reserved for one environment. */
  hostNames: { production: string | undefined; sandbox: string | undefined }
  databaseUrl: string | undefined
  /** A standby of that server, used for large reads. */
  databaseReplicaUrl: string | undefined
  databaseConnections: number
  /** The database that `gatehouse move` moves everything to. */
  moveTo: string | undefined
  smtpUrl: { production: string | undefined; sandbox: string | undefined }
  mailFrom: string
  mailPerSecond: number
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
  logLevel: LogLevel
  trustedProxies: readonly string[]
  metricsToken: string | undefined
  fastPath: {
    /** Whether access checks may use the fast path. */
    isOn: boolean
    /** One in this many fast-path responses is compared with the route's; 0 for none. */
    sample: number
  }
  limits: {
    /** Requests per minute, 0 for no limit. */
    perApplication: number
    perAddress: number
    connections: number
    connectionsPerAddress: number
    /** The maximum size of incomplete requests, over all connections. */
    unfinishedBytes: number
    inFlight: number
    /** Concurrent file downloads. They don't count as requests in flight. */
    downloads: number
    /** Concurrent downloads per address; 0 for no limit. */
    downloadsPerAddress: number
  }
}

export interface StripeKeys {
  secretKey: string
  webhookSecret: string
}

export interface S3Settings {
  bucket: string
  region: string
  /** The URL of an S3-compatible server other than Amazon's. */
  endpoint: string | undefined
  /** Undefined means the default credential chain of the AWS SDK. */
  keys: { accessKeyId: string; secretAccessKey: string } | undefined
  /** The prefix of our object keys, without a trailing slash. */
  folder: string
  /** Whether readers download from the bucket directly or through us. */
  delivery: S3Delivery
}

const S3_DELIVERIES = ['proxy', 'redirect'] as const
type S3Delivery = (typeof S3_DELIVERIES)[number]

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

function parseBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search || url.hash || url.username || url.password) return undefined
  // The path becomes part of every route, so it must not contain characters that are special there.
  const path = url.pathname.replace(/\/+$/, '')
  return /^(?:\/[A-Za-z0-9._~-]+)*$/.test(path) ? url.origin + path : undefined
}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/
const parseHostName = (text: string) => (HOST_NAME.test(text) ? text.toLowerCase() : undefined)

function parseHost(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) > 0) return address
  return HOST_NAME.test(text) ? text : undefined
}

const MIB = 2 ** 20

const MAX_WORKERS = 256

function parseWorkers(text: string): number | undefined {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_WORKERS)
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= MAX_WORKERS ? count : undefined
}

/** `~` is not expanded here: it would create a folder of that name, which is dangerous to remove. */
const parseFolder = (text: string) => (text.startsWith('~') ? undefined : text)

function parseMasterKeys(text: string): Buffer[] | undefined {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64url'))
  const exact = text.split(',').every((part) => /^[A-Za-z0-9_-]{43}$/.test(part.trim()))
  return exact && keys.every((key) => key.length === 32) ? keys : undefined
}

function parseProxies(text: string): string[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const good = parts.every((part) => {
    const [address, bits, ...rest] = part.split('/')
    const version = isIP(address ?? '')
    if (version === 0 || rest.length > 0) return false
    return (
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
    )
  })
  return good ? parts : undefined
}

function parseMailFrom(text: string): string | undefined {
  const result = sender.read(text)
  return typeof result === 'string' ? undefined : result.value
}

/** Both settings or neither. A test key takes no real money, and a live key must not be used in the sandbox. */
function readStripe(r: Reader, prefix: '' | 'SANDBOX_', mode: 'live' | 'test') {
  const keyName = `${prefix}STRIPE_SECRET_KEY`
  const secretName = `${prefix}STRIPE_WEBHOOK_SECRET`
  const ofMode = new RegExp(`^(sk|rk)_${mode}_[A-Za-z0-9_]{8,}$`)
  const secretKey = r.read(keyName, undefined, `a Stripe key like sk_${mode}_…`, (text) =>
    ofMode.test(text) ? text : undefined,
  )
  const webhookSecret = r.read(secretName, undefined, 'a secret like whsec_…', (text) =>
    /^whsec_[A-Za-z0-9+/=_-]{8,}$/.test(text) ? text : undefined,
  )
  if (secretKey !== undefined && webhookSecret !== undefined) return { secretKey, webhookSecret }
  r.requireBoth(keyName, secretName)
  return undefined
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PLAIN_PATH = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/
const hasDots = (path: string) => path.split('/').some((part) => /^\.+$/.test(part))
const parsePlainPath = (text: string) =>
  PLAIN_PATH.test(text) && !hasDots(text) ? text : undefined

/** Rejects credentials in the URL: they have their own settings. */
function parseEndpoint(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.search || url.hash || url.username || url.password ? undefined : text
}

function readS3(r: Reader): S3Settings | undefined {
  const token = (text: string) => (/^[!-~]+$/.test(text) ? text : undefined)
  const bucket = r.read('S3_BUCKET', undefined, 'the name of a bucket', (text) =>
    BUCKET.test(text) ? text : undefined,
  )
  const accessKeyId = r.read('S3_ACCESS_KEY_ID', undefined, 'text without white space', token)
  const secretAccessKey = r.read(
    'S3_SECRET_ACCESS_KEY',
    undefined,
    'text without white space',
    token,
  )
  const settings = {
    region: r.read('S3_REGION', 'us-east-1', 'a region like eu-central-1', (text) =>
      /^[a-z0-9-]{1,40}$/.test(text) ? text : undefined,
    ),
    endpoint: r.read(
      'S3_ENDPOINT',
      undefined,
      'an address like https://s3.example.com',
      parseEndpoint,
    ),
    folder: r.read('S3_FOLDER', 'gatehouse', 'a path like media/gatehouse', parsePlainPath),
    delivery: r.read('S3_DELIVERY', 'proxy', `one of ${S3_DELIVERIES.join(', ')}`, (text) =>
      S3_DELIVERIES.find((one) => one === text),
    ),
  }
  r.requireBoth('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY')
  r.requireIfAnySet('S3_BUCKET', [
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'S3_REGION',
    'S3_ENDPOINT',
    'S3_FOLDER',
    'S3_DELIVERY',
  ])
  if (bucket === undefined) return undefined
  const keys =
    accessKeyId !== undefined && secretAccessKey !== undefined
      ? { accessKeyId, secretAccessKey }
      : undefined
  return { bucket, keys, ...settings }
}

const isSameHost = ({ hostNames }: Config) => hostNames.production === hostNames.sandbox

const SMTP_PROTOCOLS = ['smtp:', 'smtps:']
const POSTGRES_PROTOCOLS = ['postgres:', 'postgresql:']
const POSTGRES_URL = 'an address like postgres://user:password@host/name'

/** Reads the settings; throws one error that names every wrong variable. */
export function readConfig(env: Env): Config {
  const r = new Reader(env)
  const smtp = 'an address like smtp://user:password@host:587'
  const config: Config = {
    host: r.read('HOST', '127.0.0.1', 'an IP address or a host name', parseHost),
    port: r.whole('PORT', 8080, 0, 65_535),
    workers: r.read('WORKERS', 1, `a whole number from 1 to ${MAX_WORKERS}, or auto`, parseWorkers),
    dataFolder: resolve(r.read('DATA', './data', 'a folder, written out without ~', parseFolder)),
    machineId: r.read('MACHINE_ID', undefined, '1 to 100 characters without white space', (text) =>
      /^\S{1,100}$/.test(text) ? text : undefined,
    ),
    baseUrl: r.read(
      'BASE_URL',
      undefined,
      'an address like https://access.example.com',
      parseBaseUrl,
    ),
    hostNames: {
      production: r.read('PRODUCTION_HOST', undefined, 'a host name', parseHostName),
      sandbox: r.read('SANDBOX_HOST', undefined, 'a host name', parseHostName),
    },
    databaseUrl: r.url('DATABASE_URL', POSTGRES_URL, POSTGRES_PROTOCOLS),
    databaseReplicaUrl: r.url('DATABASE_REPLICA_URL', POSTGRES_URL, POSTGRES_PROTOCOLS),
    databaseConnections: r.whole('DATABASE_CONNECTIONS', 10, 1, 1_000),
    moveTo: r.url('MOVE_TO', POSTGRES_URL, POSTGRES_PROTOCOLS),
    smtpUrl: {
      production: r.url('SMTP_URL', smtp, SMTP_PROTOCOLS),
      sandbox: r.url('SANDBOX_SMTP_URL', smtp, SMTP_PROTOCOLS),
    },
    mailFrom: r.read(
      'MAIL_FROM',
      'Gatehouse <gatehouse@localhost>',
      'an address like Example Magazine <access@example.com>',
      parseMailFrom,
    ),
    mailPerSecond: r.whole('MAIL_PER_SECOND', 20, 1, 10_000),
    stripe: {
      production: readStripe(r, '', 'live'),
      sandbox: readStripe(r, 'SANDBOX_', 'test'),
    },
    stripeApi: r.url('STRIPE_API', 'an address like http://127.0.0.1:12111', ['http:', 'https:']),
    masterKeys: r.read(
      'MASTER_KEY',
      undefined,
      '32 bytes in url-safe Base64 (43 characters), or several with commas between them, the newest first',
      parseMasterKeys,
    ),
    s3: readS3(r),
    downloads: {
      accelPath: r.read('DOWNLOAD_ACCEL', undefined, 'a path like /gatehouse-files', (text) => {
        const path = text.startsWith('/') ? parsePlainPath(text.slice(1)) : undefined
        return path === undefined ? undefined : `/${path}`
      }),
      maxLinkLifetime: r.whole('DOWNLOAD_LONGEST_LIFE', undefined, 1, 1e10),
    },
    logLevel: r.read('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (text) =>
      LOG_LEVELS.find((level) => level === text),
    ),
    trustedProxies: r.read(
      'TRUSTED_PROXIES',
      [],
      'IP addresses or networks with commas between them',
      parseProxies,
    ),
    metricsToken: r.read(
      'METRICS_TOKEN',
      undefined,
      '16 or more characters without white space',
      (text) => (/^\S{16,}$/.test(text) ? text : undefined),
    ),
    fastPath: {
      isOn: r.read('FAST_PATH', true, 'on or off', (text) =>
        text === 'on' || text === 'off' ? text === 'on' : undefined,
      ),
      sample: r.whole('FAST_PATH_SAMPLE', 1_000, 0, 1e9),
    },
    limits: {
      perApplication: r.whole('LIMIT_PER_APPLICATION', 0, 0, 1e9),
      perAddress: r.whole('LIMIT_PER_ADDRESS', 0, 0, 1e9),
      connections: r.whole('LIMIT_CONNECTIONS', 10_000, 1, 1e6),
      connectionsPerAddress: r.whole('LIMIT_CONNECTIONS_PER_ADDRESS', 0, 0, 1e6),
      unfinishedBytes: r.whole('LIMIT_UNFINISHED_BYTES', 32 * MIB, MIB, 1e12),
      inFlight: r.whole('LIMIT_IN_FLIGHT', 1_000, 1, 1e6),
      downloads: r.whole('LIMIT_DOWNLOADS', 1_000, 1, 1e6),
      downloadsPerAddress: r.whole('LIMIT_DOWNLOADS_PER_ADDRESS', 100, 0, 1e6),
    },
  }
  r.requireIfAnySet('DATABASE_URL', ['DATABASE_REPLICA_URL'])
  if (config.hostNames.sandbox !== undefined && isSameHost(config)) {
    r.problems.push('GATEHOUSE_SANDBOX_HOST must be another name than GATEHOUSE_PRODUCTION_HOST')
  }
  r.finish()
  return Object.freeze(config)
}

/** The variables of this process, which override those of a `.env` file in the folder. */
export function environmentVariables(folder: string, own: Env = process.env): Env {
  const { values, problems } = readEnvFile(join(folder, '.env'))
  const env = { ...values, ...own }
  if (problems.length > 0) throw new OperatorError([...problems, ...problemsOf(env)].join('; '))
  return env
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
