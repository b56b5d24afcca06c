/** Anything that kept a call from being answered with what was asked for. */
export class GatehouseError extends Error {
  override name = 'GatehouseError'
}

/** The service was not reached, or what came back was not an answer of it. */
export class ConnectionError extends GatehouseError {
  override name = 'ConnectionError'
}

export interface FailureDetails {
  status: number
  message: string
  /** What is wrong, for programs: `access_not_found`, … */
  code: string
  /** Name it when you ask the operator for help. */
  requestId: string
  /** Seconds after which to try again, where the service says so. */
  retryAfter?: number | undefined
}

/** The service answered with a failure. */
export class ApiError extends GatehouseError {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly retryAfter: number | undefined

  constructor(details: FailureDetails) {
    super(details.message)
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
  }
}

/** 400: a parameter is missing or cannot be read. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError'
}

/** 401: unknown application, or wrong private key. */
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError'
}

/** 402: understood, and refused by a rule. */
export class RefusedError extends ApiError {
  override name = 'RefusedError'
}

/** 404: no such thing. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 429: too many requests; see `retryAfter`. */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError'
}

/** 503: not now; see `retryAfter`. */
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

/** A link can't be made like that: what is wrong with it. */
export class LinkError extends GatehouseError {
  override name = 'LinkError'
}

/** `not_signed`: there is no signature. `altered`: it does not fit the address. `too_old`: it is not of
 * now. `other_resource`, `other_user`, `other_site`: it is not for the one that was expected. */
export type ReturnProblem =
  | 'not_signed'
  | 'altered'
  | 'too_old'
  | 'other_resource'
  | 'other_user'
  | 'other_site'

/** The address that a buyer came back with can't be trusted. */
export class ReturnError extends GatehouseError {
  override name = 'ReturnError'
  readonly reason: ReturnProblem

  constructor(reason: ReturnProblem, message: string) {
    super(message)
    this.reason = reason
  }
}

/** `file_exists`: something is there already, and it was not to be overwritten. `in_progress`: another
 * download has the same path. `damaged`: what arrived was twice not what the service has. `bad_answer`:
 * what the service answers can't be a file of its. */
export type DownloadProblem = 'file_exists' | 'in_progress' | 'damaged' | 'bad_answer'

/** A file can't be fetched, for a reason that trying again at once does not mend. */
export class DownloadError extends GatehouseError {
  override name = 'DownloadError'
  readonly reason: DownloadProblem

  constructor(reason: DownloadProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
