import { S3Client } from '@aws-sdk/client-s3'
import { createServerClock, readClockOf, type ServerClock } from './clock.ts'

export interface S3Options {
  bucket: string
  region: string
  /** Set for servers other than Amazon's. */
  endpoint: string | undefined
  /** Whether addresses have the bucket in their path; otherwise in their host name. */
  pathStyle: boolean
  /** If undefined, the AWS SDK looks for credentials in its usual places. */
  keys: { accessKeyId: string; secretAccessKey: string } | undefined
  folder: string
  delivery: 'proxy' | 'redirect'
}

/** Timeouts in milliseconds, and attempts. */
export interface S3Limits {
  /** Until the connection is established. */
  connect: number
  /** Until the response to a read begins. */
  answer: number
  /** Between two chunks of a file while a reader waits for them. */
  silence: number
  /** How often the rest of a file is requested after the answer broke off in the middle. */
  resumes: number
  /** Without traffic on the connection during an upload. Servers may need long to assemble a large file. */
  takingSilence: number
  /** A reader waits for all attempts together. */
  readingTries: number
  takingTries: number
  /** Size in bytes of the parts of an upload; S3 allows 10,000 parts. */
  partSize: number
}

export const S3_LIMITS: S3Limits = {
  connect: 3_000,
  answer: 8_000,
  silence: 30_000,
  resumes: 5,
  takingSilence: 60_000,
  readingTries: 2,
  takingTries: 3,
  partSize: 16 * 1024 * 1024,
}

/** Where the files of one environment are stored. */
export interface S3Location {
  bucket: string
  keyOf(id: string): string
  limits: S3Limits
  /** Two clients for one server, because reads and uploads have different timeouts. */
  reading: S3Client
  taking: S3Client
  clock: ServerClock
}

// The SDK otherwise warns about future Node.js requirements on stderr, in every command.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

/** Allows for the backoff between attempts. */
const GRACE_MS = 1_000

/** The number of downloads is limited elsewhere, so none waits here for a connection. */
const AGENT = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }

export function createClients(
  options: S3Options,
  limits: S3Limits,
): Pick<S3Location, 'reading' | 'taking' | 'clock'> {
  const { endpoint, keys, region, pathStyle } = options
  const shared = {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: pathStyle,
    ...(keys === undefined ? {} : { credentials: keys }),
    // By default the SDK adds checksums to every request and expects them in responses. Servers other than Amazon's may
    // not know them, so they are used only where S3 requires them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some servers never answer `Expect: 100-continue`, and every part would wait for the timeout.
    expectContinueHeader: false,
  } as const
  const handler = { connectionTimeout: limits.connect, httpAgent: AGENT, httpsAgent: AGENT }
  const reading = new S3Client({
    ...shared,
    maxAttempts: limits.readingTries,
    requestHandler: {
      ...handler,
      requestTimeout: limits.answer,
      throwOnRequestTimeout: true,
      // A slow reader makes the connection idle, which is not the server's fault.
      socketTimeout: 0,
    },
  })
  const taking = new S3Client({
    ...shared,
    maxAttempts: limits.takingTries,
    requestHandler: { ...handler, socketTimeout: limits.takingSilence },
  })
  const clock = createServerClock()
  for (const client of [reading, taking]) readClockOf(client, clock)
  return { reading, taking, clock }
}

/** Limits the time until the response is known, since the body of an error response may never end. */
export async function inTime<R>(
  { answer, readingTries }: S3Limits,
  ask: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), answer * readingTries + GRACE_MS)
  return await ask(late.signal).finally(() => clearTimeout(timer))
}
