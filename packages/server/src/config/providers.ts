import { endpointOf, matching, oneOf, parsePlainPath } from './parse.ts'
import type { Reader } from './reader.ts'

export interface StripeKeys {
  secretKey: string
  webhookSecret: string
}

export interface S3Settings {
  bucket: string
  region: string
  /** The URL of an S3-compatible server other than Amazon's. */
  endpoint: string | undefined
  /** Whether addresses have the bucket in their path; otherwise in their host name. */
  pathStyle: boolean
  /** Undefined means the default credential chain of the AWS SDK. */
  keys: { accessKeyId: string; secretAccessKey: string } | undefined
  /** The prefix of our object keys, without a trailing slash. */
  folder: string
  /** Whether readers download from the bucket directly or through us. */
  delivery: S3Delivery
}

const S3_DELIVERIES = ['proxy', 'redirect'] as const
type S3Delivery = (typeof S3_DELIVERIES)[number]

/** Both settings or neither. A test key takes no real money, and a live key must not be used in the sandbox. */
export function readStripe(
  r: Reader,
  prefix: '' | 'SANDBOX_',
  mode: 'live' | 'test',
): StripeKeys | undefined {
  const keyName = `${prefix}STRIPE_SECRET_KEY`
  const secretName = `${prefix}STRIPE_WEBHOOK_SECRET`
  const parseKey = matching(new RegExp(`^(sk|rk)_${mode}_[A-Za-z0-9_]{8,}$`))
  const parseSecret = matching(/^whsec_[A-Za-z0-9+/=_-]{8,}$/)
  const secretKey = r.read(keyName, undefined, `a Stripe key like sk_${mode}_…`, parseKey)
  const webhookSecret = r.read(secretName, undefined, 'a secret like whsec_…', parseSecret)
  if (secretKey !== undefined && webhookSecret !== undefined) return { secretKey, webhookSecret }
  r.requireBoth(keyName, secretName)
  return undefined
}

const parseBucket = matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
const parseToken = matching(/^[!-~]+$/)
const parseRegion = matching(/^[a-z0-9-]{1,40}$/)
const TOKEN = 'text without white space'

export function readS3(r: Reader): S3Settings | undefined {
  const bucket = r.read('S3_BUCKET', undefined, 'the name of a bucket', parseBucket)
  const accessKeyId = r.read('S3_ACCESS_KEY_ID', undefined, TOKEN, parseToken)
  const secretAccessKey = r.read('S3_SECRET_ACCESS_KEY', undefined, TOKEN, parseToken)
  const endpoint = r.read(
    'S3_ENDPOINT',
    undefined,
    'a URL like https://s3.example.com, without the bucket',
    endpointOf(bucket),
  )
  // Amazon addresses buckets by host name, and most others by path.
  const pathStyle = endpoint === undefined ? 'off' : 'on'
  const settings = {
    endpoint,
    pathStyle: r.read('S3_PATH_STYLE', pathStyle, 'on or off', oneOf(['on', 'off'])) === 'on',
    region: r.read('S3_REGION', 'us-east-1', 'a region like eu-central-1', parseRegion),
    folder: r.read('S3_FOLDER', 'gatehouse', 'a path like media/gatehouse', parsePlainPath),
    delivery: r.read(
      'S3_DELIVERY',
      'proxy',
      `one of ${S3_DELIVERIES.join(', ')}`,
      oneOf(S3_DELIVERIES),
    ),
  }
  r.requireBoth('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY')
  r.requireIfAnySet('S3_BUCKET', [
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'S3_REGION',
    'S3_ENDPOINT',
    'S3_FOLDER',
    'S3_PATH_STYLE',
    'S3_DELIVERY',
  ])
  if (bucket === undefined) return undefined
  const keys =
    accessKeyId !== undefined && secretAccessKey !== undefined
      ? { accessKeyId, secretAccessKey }
      : undefined
  return { bucket, keys, ...settings }
}
