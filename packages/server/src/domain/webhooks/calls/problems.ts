/** Why a webhook got no response. */
export type CallProblem =
  | 'url_refused'
  | 'address_refused'
  | 'http_refused'
  | 'host_not_found'
  | 'lookup_failed'
  | 'connection_refused'
  | 'unreachable'
  | 'tls_failed'
  | 'broken_off'
  | 'not_http'
  | 'timeout'
  | 'stopped'
  | 'other'

/** Each of them, as staff read it. */
const CALL_PROBLEM_TEXTS: Readonly<Record<CallProblem, string>> = {
  url_refused: "The URL can't be called.",
  address_refused:
    'The host leads to an address in a private network. The operator can allow it with GATEHOUSE_WEBHOOK_ALLOW.',
  http_refused: 'The URL must begin with https://.',
  host_not_found: 'No such host.',
  lookup_failed: "The host's name could not be looked up.",
  connection_refused: 'The host refused the connection.',
  unreachable: "The host can't be reached.",
  tls_failed: 'No secure connection could be made. Check the certificate of the host.',
  broken_off: 'The connection was closed before the response was complete.',
  not_http: "The response can't be read as HTTP.",
  timeout: 'No complete response within 15 seconds.',
  stopped: 'The service was stopped during the call. The event is sent again.',
  other: 'The call failed.',
}

export class WebhookCallError extends Error {
  readonly problem: CallProblem

  constructor(problem: CallProblem, options?: ErrorOptions) {
    super(CALL_PROBLEM_TEXTS[problem], options)
    this.problem = problem
  }
}

const BY_CODE: Readonly<Record<string, CallProblem>> = {
  ENOTFOUND: 'host_not_found',
  ENODATA: 'host_not_found',
  EBADNAME: 'host_not_found',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'broken_off',
  EPIPE: 'broken_off',
  ERR_STREAM_PREMATURE_CLOSE: 'broken_off',
}

/** Errors of the resolver, of OpenSSL, of Node's certificate checks and of the HTTP parser. */
const BY_PATTERN: readonly (readonly [RegExp, CallProblem])[] = [
  [/^(EAI_|ESERVFAIL|EREFUSED|ETIMEOUT|EFORMERR|ECANCELLED|EBADRESP|ENOTIMP)/, 'lookup_failed'],
  [/^HPE_/, 'not_http'],
  [/EPROTO|SSL|TLS|CERT|SIGNATURE|_CA_|ISSUER/, 'tls_failed'],
]

/** Classifies an error of a call. An attempt at several addresses fails with the errors of all of them. */
export function callProblemOf(error: unknown): [CallProblem, ErrorOptions] {
  const { code: own, errors } = error as { code?: unknown; errors?: { code?: unknown }[] }
  const code = String(own ?? errors?.[0]?.code ?? '')
  const pattern = BY_PATTERN.find(([known]) => known.test(code))
  return [BY_CODE[code] ?? pattern?.[1] ?? 'other', { cause: error }]
}
