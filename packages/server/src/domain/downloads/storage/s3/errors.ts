import { MissingFile, StoreUnavailable, StoreUnreachable } from '../storage.ts'

const SERVER = "the server can't be reached (GATEHOUSE_S3_ENDPOINT)"
const NO_TLS = 'the server does not speak TLS here (GATEHOUSE_S3_ENDPOINT)'
const SLOW = 'the server does not answer in time'
const KEYS =
  'the server does not accept the keys (GATEHOUSE_S3_ACCESS_KEY_ID, GATEHOUSE_S3_SECRET_ACCESS_KEY)'
const REGION = 'the bucket is in another region (GATEHOUSE_S3_REGION)'

/** Causes an operator can fix, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: SERVER,
  ENOTFOUND: SERVER,
  EAI_AGAIN: SERVER,
  EHOSTUNREACH: SERVER,
  ENETUNREACH: SERVER,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ECONNRESET: 'the server broke the connection',
  EPIPE: 'the server broke the connection',
  ERR_STREAM_PREMATURE_CLOSE: 'the server broke the connection',
  ETIMEDOUT: SLOW,
  TimeoutError: SLOW,
  AbortError: SLOW,
  NoSuchBucket: 'there is no such bucket (GATEHOUSE_S3_BUCKET)',
  InvalidAccessKeyId: KEYS,
  SignatureDoesNotMatch: KEYS,
  CredentialsProviderError:
    'no keys were found (GATEHOUSE_S3_ACCESS_KEY_ID, GATEHOUSE_S3_SECRET_ACCESS_KEY)',
  PermanentRedirect: REGION,
  AuthorizationHeaderMalformed: REGION,
  IllegalLocationConstraintException: REGION,
  RequestTimeTooSkewed: "this machine's clock is wrong",
}

/** Node's errors carry a `code`, the server's a `name`. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  const found = [code, name].find((one) => typeof one === 'string')
  return typeof found === 'string' && /^\w{1,60}$/.test(found) ? found : ''
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

/** Never passes on the server's message or the original error as a cause: they may contain keys, and signed
 * URLs that give anyone access to a file. */
function reasonOf(error: unknown, needs: string): string {
  const [code, status] = [codeOf(error), statusOf(error)]
  const known = REASONS[code]
  if (known !== undefined) return known
  if (status === 403) return `the keys do not allow it; allow ${needs}`
  if (status === undefined) return `something is wrong (${code || 'unknown'})`
  return `the server answers with ${status}${code === '' ? '' : ` (${code})`}`
}

/** Converts the error of a call into our own wording. `failing` says what can't be done, `needs` which
 * permission it requires. */
export function toStoreError(
  error: unknown,
  failing: string,
  needs: string,
): StoreUnavailable | MissingFile {
  if (error instanceof StoreUnavailable || error instanceof MissingFile) return error
  const message = `S3: ${failing}: ${reasonOf(error, needs)}`
  return statusOf(error) === undefined
    ? new StoreUnreachable(message)
    : new StoreUnavailable(message)
}

/** Whether the server says that the object does not exist. False if the bucket is missing. */
export const isMissingObject = (error: unknown) => codeOf(error) === 'NoSuchKey'

/** Whether the object is shorter than the requested range. */
export const isTooShort = (error: unknown) => codeOf(error) === 'InvalidRange'

/** Whether the upload was completed or aborted before. */
export const isMissingUpload = (error: unknown) => codeOf(error) === 'NoSuchUpload'

/** Whether the object is no longer the one that the request named by its ETag. */
export const isChanged = (error: unknown) => codeOf(error) === 'PreconditionFailed'

/** Whether the server does not have this call at all. */
export const isUnsupported = (error: unknown) =>
  [405, 501].includes(statusOf(error) ?? 0) || codeOf(error) === 'NotImplemented'
