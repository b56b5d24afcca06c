/** Every failure that a caller can see: its code, HTTP status and default message. */
const failures = {
  invalid_parameter: [400, 'A parameter is missing or cannot be read.'],
  invalid_request: [400, 'The request cannot be read.'],
  unauthorized: [401, 'The request is not signed by a known application.'],
  not_signed_in: [401, 'Sign in first.'],
  sign_in_failed: [401, 'The e-mail address, the password or the passkey is not right.'],
  method_not_allowed: [402, 'This method is not allowed here.'],
  user_ref_taken: [
    402,
    'This user_ref belongs to a user with another e-mail address. ' +
      'If it is the same person, change that with: gatehouse user set-email | merge | add-ref.',
  ],
  user_ref_is_uid: [
    402,
    "This user_ref is the uid of another user and can't be used as a reference.",
  ],
  user_ref_erased: [
    402,
    'This user_ref is the uid of a user who was erased. It names nobody any more: use another one.',
  ],
  email_taken: [
    402,
    'This e-mail address belongs to another user. Join the two with: gatehouse user merge.',
  ],
  already_subscribed: [402, 'There is a subscription to this already.'],
  trial_used: [402, 'There is no free trial any more with this reader or this address.'],
  return_url_not_allowed: [
    402,
    'The application does not allow to return there. ' +
      'Allow it with: gatehouse app set AID --return-url ADDRESS, once for each address.',
  ],
  payments_not_set_up: [402, 'Payments are not set up here.'],
  refund_too_large: [402, 'More than what is left of the payment can not be refunded.'],
  payment_not_refundable: [402, 'The payment is in dispute: the bank decides on it.'],
  download_exists: [
    402,
    'This resource has a file already. Put another in its place with: gatehouse download replace.',
  ],
  subscription_ended: [402, 'The subscription has ended.'],
  mail_under_way: [402, 'The mail is being sent right now.'],
  mail_not_set_up: [402, 'No mail server is set up here: nobody would send it.'],
  link_end_passed: [402, 'The link would be over before it is used.'],
  link_life_too_long: [402, 'Links may not live as long.'],
  clock_only_forward: [
    402,
    'The clock only goes forward. To begin again: gatehouse sandbox reset.',
  ],
  clock_is_moving: [402, 'The clock is being moved already. Try again when that is done.'],
  link_invalid: [403, 'This link is not valid. Ask for a new one where you got it.'],
  access_ended: [403, 'The access that this link was made for has ended.'],
  foreign_form: [403, 'This form was not sent from its own page.'],
  resource_archived: [
    402,
    'This resource is archived: nothing of it is granted or sold any more. Restore it first.',
  ],
  resource_exists: [402, 'There is a resource with this rid already.'],
  too_many_keys: [
    402,
    'Two keys are live already. Revoke one first with: gatehouse app revoke-key.',
  ],
  staff_exists: [402, 'Somebody with this e-mail address is on the team already.'],
  last_owner: [402, 'There must be an owner left who can sign in.'],
  passkey_refused: [402, 'This passkey can not be used here.'],
  not_allowed: [403, 'Your role does not allow this.'],
  foreign_origin: [403, 'This was not sent from the dashboard itself.'],
  https_required: [
    403,
    'The dashboard is for https only, or for http://localhost. See docs/run/dashboard.md.',
  ],
  path_not_found: [404, 'There is nothing at this path.'],
  application_not_found: [404, 'No such application.'],
  key_not_found: [404, 'No such live key.'],
  mail_not_found: [404, 'No such mail.'],
  access_not_found: [404, 'No such access.'],
  resource_not_found: [404, 'No such resource.'],
  user_not_found: [404, 'No such user.'],
  price_not_found: [404, 'No such price.'],
  checkout_not_found: [404, 'No such checkout.'],
  payment_not_found: [404, 'No such payment.'],
  finding_not_found: [404, 'No open finding has this id.'],
  subscription_not_found: [404, 'No such subscription.'],
  download_not_found: [404, 'No such download.'],
  staff_not_found: [404, 'Nobody on the team is called that.'],
  invitation_not_found: [404, 'There is no open invitation to this address.'],
  passkey_not_found: [404, 'No such passkey.'],
  session_not_found: [404, 'No such session.'],
  link_expired: [410, 'This link has expired. Ask for a new one where you got it.'],
  link_used: [410, 'This link was used already. Ask for a new one where you got it.'],
  checkout_expired: [410, 'This payment page has expired, and nothing was charged.'],
  precondition_failed: [412, 'The file is not the one that was expected.'],
  range_not_satisfiable: [416, 'The file has no such part.'],
  too_many_requests: [429, 'The limit of requests is reached.'],
  internal_error: [500, 'Something went wrong on our side.'],
  overloaded: [503, 'The service has too much to do. Try again shortly.'],
  provider_unavailable: [503, 'The payment provider does not answer. Try again shortly.'],
  on_hold: [
    503,
    'This installation is on hold: no charge, refund or email is sent out until it is resumed.',
  ],
  files_unavailable: [503, 'The files can not be reached. Try again shortly.'],
  draining: [503, 'The service is restarting. Try again shortly.'],
  database_unavailable: [503, 'The database is not available. Try again shortly.'],
  storage_full: [503, 'The disk is full: nothing can be written until there is space.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type FailureCode = keyof typeof failures

export class Failure extends Error {
  readonly code: FailureCode
  readonly status: number
  /** Seconds after which to retry. */
  readonly retryAfter: number | undefined

  constructor(code: FailureCode, message: string, retryAfter?: number) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.status = failures[code][0]
    this.retryAfter = retryAfter ?? (this.status === 503 ? 1 : undefined)
  }
}

export function fail(code: FailureCode, message?: string, retryAfter?: number): Failure {
  return new Failure(code, message ?? failures[code][1], retryAfter)
}

/** A start or command that can't continue for a reason that its user can fix: printed as one line, without a stack. */
export class OperatorError extends Error {
  override name = 'Stop'
}
