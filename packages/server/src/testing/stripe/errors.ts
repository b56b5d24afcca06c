/** An error in Stripe's format. */
export interface StripeError {
  type: 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  /** Some refusals have this instead of a code. */
  message_code?: string
  request_log_url?: string
  payment_intent?: unknown
}

export class FakeStripeError extends Error {
  readonly status: number
  readonly error: StripeError

  constructor(status: number, error: StripeError) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const invalidRequest = (message: string, more: Partial<StripeError> = {}, status = 400) =>
  new FakeStripeError(status, { type: 'invalid_request_error', message, ...more })

export const resourceMissing = (param: string, id: string | undefined, status = 400) =>
  invalidRequest(`No such ${param}: '${id}'`, { code: 'resource_missing', param }, status)
