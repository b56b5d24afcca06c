import { OperatorError } from '../../errors.ts'
import { errorCodeOf, errorReasonOf } from '../outage.ts'

/** The modes that check the server's certificate. Elsewhere some of them check less, or nothing. */
const CHECKED = new Set(['prefer', 'require', 'verify-ca', 'verify-full'])
const UNCHECKED = new Set(['disable', 'no-verify'])

/**
 * Returns the address as the driver gets it. What a mode means is decided here: the driver warns of all but
 * `verify-full`, and will check less in its next version.
 */
export function toDriverAddress(address: string): URL {
  const url = new URL(address)
  url.searchParams.delete('uselibpqcompat')
  const mode = url.searchParams.get('sslmode')
  if (mode === null || UNCHECKED.has(mode)) return url
  if (!CHECKED.has(mode)) throw new OperatorError(`GATEHOUSE_DATABASE_URL: ${unknownMode(mode)}`)
  url.searchParams.set('sslmode', 'verify-full')
  return url
}

const unknownMode = (mode: string) =>
  `sslmode is ${JSON.stringify(mode)}; it must be verify-full, require, no-verify or disable`

const UNKNOWN_AUTHORITY = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const NO_CONNECTION_LEFT = '53300'
/** What `pg` says, without a code. */
const NO_TLS = 'The server does not support SSL connections'

/** Says in words why no connection was opened, for the reasons that an operator can do something about; undefined for
 * all others. */
export function explainConnectionError(error: unknown): string | undefined {
  const code = errorCodeOf(error)
  if (UNKNOWN_AUTHORITY.has(code)) {
    return (
      "the certificate of the PostgreSQL server isn't signed by a known authority; " +
      `add sslrootcert=FILE with the authority's certificate (${code})`
    )
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the certificate of the PostgreSQL server is for another name than the one in the URL (${errorReasonOf(error)})`
  }
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the PostgreSQL server has expired'
  if (errorReasonOf(error) === NO_TLS) {
    return 'the PostgreSQL server does not offer TLS; switch it on there (ssl = on)'
  }
  if (code === NO_CONNECTION_LEFT) {
    return `PostgreSQL has no connection left (${errorReasonOf(error)})`
  }
  return findUnreadableFile(error)
}

/** A file that the URL names, as in `sslrootcert`. The path of a socket also leads to ENOENT, but is not opened. */
function findUnreadableFile(error: unknown): string | undefined {
  const { syscall, path } = error as { syscall?: unknown; path?: unknown }
  if (syscall !== 'open' || typeof path !== 'string') return undefined
  return `${path}, which the URL names, can't be read (${errorCodeOf(error)})`
}
