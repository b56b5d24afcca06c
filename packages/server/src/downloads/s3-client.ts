import { S3Client } from '@aws-sdk/client-s3'

export interface S3Options {
  bucket: string
  region: string
  /** Of a server that is not Amazon's. */
  endpoint: string | undefined
  /** Undefined means wherever Amazon's own tools find them. */
  keys: { accessKeyId: string; secretAccessKey: string } | undefined
  folder: string
  delivery: 'proxy' | 'redirect'
}

/** How long the server may take, in milliseconds, and how often it is asked. */
export interface S3Limits {
  /** Until it lets us in. */
  connect: number
  /** Until it begins to answer a reader. */
  answer: number
  /** Between two pieces of a file that a reader waits for. */
  silence: number
  /** Without any byte on the connection while a file is taken in; it may put large ones together. */
  takingSilence: number
  /** A reader waits for all tries together. */
  readingTries: number
  takingTries: number
  /** Files are taken in by pieces of this size; there can be 10,000 of them. */
  partSize: number
}

export const S3_LIMITS: S3Limits = {
  connect: 3_000,
  answer: 8_000,
  silence: 30_000,
  takingSilence: 60_000,
  readingTries: 2,
  takingTries: 3,
  partSize: 16 * 1024 * 1024,
}

/** Where the files of one environment are. */
export interface Shelf {
  bucket: string
  keyOf(id: string): string
  limits: S3Limits
  /** Two ways to one server: those who read have other limits than those who bring files. */
  reading: S3Client
  taking: S3Client
}

// It tells developers which Node.js it will want next year, on the error output of every command.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

/** Readers are counted elsewhere: none of them waits here for the connection of another. */
const AGENT = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }

export function createClients(
  options: S3Options,
  limits: S3Limits,
): Pick<Shelf, 'reading' | 'taking'> {
  const { endpoint, keys, region } = options
  const shared = {
    region,
    // Other servers know buckets by the path alone, and none of the newer checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(keys === undefined ? {} : { credentials: keys }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some never answer the question whether to go on, and every part would wait for it.
    expectContinueHeader: false,
  } as const
  const handler = { connectionTimeout: limits.connect, httpAgent: AGENT, httpsAgent: AGENT }
  return {
    reading: new S3Client({
      ...shared,
      maxAttempts: limits.readingTries,
      requestHandler: {
        ...handler,
        requestTimeout: limits.answer,
        throwOnRequestTimeout: true,
        // A connection stands still whenever a reader is slow: that is no fault of the server.
        socketTimeout: 0,
      },
    }),
    taking: new S3Client({
      ...shared,
      maxAttempts: limits.takingTries,
      requestHandler: { ...handler, socketTimeout: limits.takingSilence },
    }),
  }
}
