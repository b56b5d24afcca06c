/** Any error of this client. */
export class GatehouseError extends Error {
  override name = 'GatehouseError'
}

/** Options of a constructor are missing or wrong; the message names all of them. */
export class OptionsError extends GatehouseError {
  override name = 'OptionsError'
  /** One sentence for each option: `privateKey is missing`. */
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('; '))
    this.problems = problems
  }
}

/** `unreachable`: no connection, or it broke. `timeout`: no response in time. `redirected`: the address belongs to a
 * server that redirects. `unreadable`: the response isn't one of Gatehouse, or it broke off. */
export type ConnectionProblem = 'unreachable' | 'timeout' | 'redirected' | 'unreadable'

/** The service was not reached, or the response could not be read. */
export class ConnectionError extends GatehouseError {
  override name = 'ConnectionError'
  readonly reason: ConnectionProblem

  constructor(message: string, options: ErrorOptions & { reason?: ConnectionProblem } = {}) {
    super(message, options)
    this.reason = options.reason ?? 'unreachable'
  }
}

export interface FailureDetails {
  status: number
  message: string
  /** A machine-readable error code, such as `access_not_found`. */
  code: string
  /** Quote it when you ask the operator for help. */
  requestId: string
  /** The parameter that is wrong, if the error is about one. */
  parameter?: string | undefined
  /** Seconds after which to retry, if the service says so. */
  retryAfter?: number | undefined
  /** The time of the service in seconds since 1970, if it refused the time of a request. */
  serviceTime?: number | undefined
}

/** The service responded with an error. */
export class ApiError extends GatehouseError {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string
  /** The parameter that is wrong, if the error is about one. */
  readonly parameter: string | undefined
  readonly retryAfter: number | undefined
  /** The time of the service in seconds since 1970, if it refused the time of a request. */
  readonly serviceTime: number | undefined

  constructor(details: FailureDetails) {
    super(details.message)
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.parameter = details.parameter
    this.retryAfter = details.retryAfter
    this.serviceTime = details.serviceTime
  }
}

/** 400: a parameter is missing or invalid. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError'
}

/** 401: unknown application, or wrong private key. */
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError'
}

/** 402: the request is valid, but a rule forbids it. */
export class RefusedError extends ApiError {
  override name = 'RefusedError'
}

/** 404: not found. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 429: too many requests; see `retryAfter`. */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError'
}

/** 503: temporarily unavailable; see `retryAfter`. */
export class UnavailableError extends ApiError {
  override name = 'UnavailableError'
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  402: RefusedError,
  404: NotFoundError,
  429: RateLimitedError,
  503: UnavailableError,
}

export function apiError(details: FailureDetails): ApiError {
  return new (CLASSES[details.status] ?? ApiError)(details)
}

/** A value can't be sent: a text with half a surrogate pair, which was often cut within an emoji, or a filter or limit that is
 * undefined. Nothing was sent. */
export class ParameterError extends GatehouseError {
  override name = 'ParameterError'
  /** The parameter that is wrong. */
  readonly parameter: string

  constructor(parameter: string, problem = 'must not contain half a surrogate pair') {
    super(`${parameter}: ${problem}`)
    this.parameter = parameter
  }
}

/** The service is from before this SDK, and its answer lacks what is needed. */
export class OutdatedServiceError extends GatehouseError {
  override name = 'OutdatedServiceError'

  constructor() {
    super(
      'The service is older than this SDK: its events have no cursors. Upgrade the service first.',
    )
  }
}

/** A link can't be created with these values; the message says why. */
export class LinkError extends GatehouseError {
  override name = 'LinkError'
  /** The value that is wrong. */
  readonly parameter: string | undefined

  constructor(message: string, parameter?: string) {
    super(message)
    this.parameter = parameter
  }
}

/** `not_signed`: there is no signature. `altered`: the signature does not match the URL. `too_old`: it is older (or
 * newer) than allowed. `other_resource`, `other_user`, `other_site`: it is not for the expected one. */
export type ReturnProblem =
  | 'not_signed'
  | 'altered'
  | 'too_old'
  | 'other_resource'
  | 'other_user'
  | 'other_site'

/** The URL to which a buyer was sent back can't be trusted. */
export class ReturnError extends GatehouseError {
  override name = 'ReturnError'
  readonly reason: ReturnProblem

  constructor(reason: ReturnProblem, message: string) {
    super(message)
    this.reason = reason
  }
}

/** `file_exists`: the file exists and must not be overwritten. `in_progress`: another download uses the same path.
 * `damaged`: the checksum was wrong twice. `bad_answer`: the response can't be a file of the service. */
export type DownloadProblem = 'file_exists' | 'in_progress' | 'damaged' | 'bad_answer'

/** A file can't be downloaded, and retrying immediately would not help. */
export class DownloadError extends GatehouseError {
  override name = 'DownloadError'
  readonly reason: DownloadProblem

  constructor(reason: DownloadProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** `body_parsed`: the body is not the raw one. `bad_secret`: a secret has the wrong format. `header_missing`: it is no
 * webhook. `not_signed`: no signature matches. `too_old`: the time is too far from this machine's. `unreadable`: the
 * body is signed but is not JSON. */
export type WebhookProblem =
  | 'body_parsed'
  | 'bad_secret'
  | 'header_missing'
  | 'not_signed'
  | 'too_old'
  | 'unreadable'

/** The request of a webhook can't be trusted. */
export class WebhookError extends GatehouseError {
  override name = 'WebhookError'
  readonly reason: WebhookProblem

  constructor(reason: WebhookProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
