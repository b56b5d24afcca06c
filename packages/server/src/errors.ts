/** Every failure that a caller can see: its code, HTTP status and default message. A message says what is wrong and,
 * where the caller can do something about it, what to do. */
const failures = {
  invalid_parameter: [400, "A parameter is missing or can't be read."],
  invalid_request: [400, 'The request could not be read.'],
  unauthorized: [401, 'The request is not signed by a known application.'],
  not_signed_in: [401, 'Sign in first.'],
  invalid_token: [
    401,
    'The token is not valid. Send Authorization: Bearer with a management token.',
  ],
  sign_in_failed: [401, 'The email address, the password or the passkey is wrong.'],
  method_not_allowed: [402, 'This method is not allowed for this path.'],
  user_ref_taken: [
    402,
    'This user_ref belongs to a user with another email address. ' +
      'If both are the same person, use: gatehouse user set-email | merge | add-ref.',
  ],
  user_ref_is_uid: [
    402,
    "This user_ref is the uid of another user and can't be used as a reference.",
  ],
  user_ref_erased: [
    402,
    'This user_ref is the uid of an erased user and names nobody. Use another one.',
  ],
  email_taken: [
    402,
    'This email address belongs to another user. To merge the two, use: gatehouse user merge.',
  ],
  already_subscribed: [402, 'There is already a subscription to this resource.'],
  trial_used: [402, 'The free trial has already been used by this reader or email address.'],
  return_url_not_allowed: [
    402,
    'This return URL is not allowed for the application. ' +
      'Allow it with: gatehouse app set AID --return-url URL. The command replaces the list, so repeat --return-url for each URL.',
  ],
  payments_not_set_up: [402, 'Payments are not set up.'],
  currency_not_accepted: [402, 'The payment provider takes no payments in this currency.'],
  refund_too_large: [402, 'The refund exceeds what is left of the payment.'],
  payment_not_refundable: [402, "The payment is in dispute and can't be refunded."],
  download_exists: [
    402,
    'This resource already has a file. Replace it with: gatehouse download replace, ' +
      'or add another one with: gatehouse download create --add.',
  ],
  file_mismatch: [402, 'The content of the file is not what its name says.'],
  file_harmful: [
    402,
    'The scanner says that this file is harmful, so it was not stored. If you made the file yourself, check your computer.',
  ],
  several_downloads: [
    402,
    'This resource has several files. Name one with --id ID; gatehouse download list shows the ids.',
  ],
  too_many_downloads: [402, 'This resource has 100 files, which is the maximum.'],
  images_unavailable: [
    402,
    "Images can't be uploaded: the optional package sharp is not installed on the server.",
  ],
  downloads_changed: [402, 'The files have changed meanwhile. Reload them and try again.'],
  subscription_ended: [402, 'The subscription has ended.'],
  mail_under_way: [402, 'The email is being sent right now.'],
  mail_not_set_up: [402, "No mail server is set up, so the email can't be sent."],
  set_by_operator: [
    402,
    "This is set by the operator, in the service's environment variables, and can't be changed here.",
  ],
  detached_copy: [402, 'This is a detached copy: no payments and no mail server can be connected.'],
  not_connected: [402, 'Nothing is connected here yet.'],
  connection_failed: [402, 'The connection could not be made.'],
  connection_in_use: [402, 'Payments or subscriptions still depend on the connection.'],
  link_end_passed: [402, 'The link would expire before it could be used.'],
  link_life_too_long: [402, "The link's lifetime exceeds the configured maximum."],
  clock_only_forward: [
    402,
    'The clock can only move forward. To start over, use: gatehouse sandbox reset.',
  ],
  clock_is_moving: [402, 'The clock is already being moved. Try again when that is done.'],
  link_invalid: [403, 'This link is not valid. Request a new one where you got it.'],
  access_ended: [403, 'The access that this link belongs to has ended.'],
  foreign_form: [403, 'This form was not sent from its own page.'],
  idempotency_key_reused: [
    402,
    'This idempotency key was used for another request. Use a new key for each operation, and the same one only to send a request again.',
  ],
  // The management API has a status for this; the specification of the other has none but 402.
  idempotency_key_conflict: [
    409,
    'This idempotency key was used for another request. Use a new key for each operation, and the same one only to send a request again.',
  ],
  answer_lost: [
    409,
    'A request with this idempotency key took effect, but the service stopped before it had the answer. It was not repeated: read the record to see what it did.',
  ],
  request_replayed: [
    402,
    'This request took effect before. To send it again, sign it with a new ts and the same idempotency_key.',
  ],
  answer_erased: [
    402,
    'A request with this idempotency key took effect before, for a reader who was erased since. It was not repeated.',
  ],
  ts_out_of_range: [402, 'The time of this request is too far from the time of the service.'],
  resource_archived: [
    402,
    "This resource is archived and can't be granted or sold. Restore it first.",
  ],
  not_paired: [
    402,
    'This application is not paired with one of the other environment. ' +
      'Pair it with: gatehouse app pair AID --with AID.',
  ],
  already_paired: [
    402,
    'One of these applications is already paired with another one. End that pairing first.',
  ],
  pair_archived: [
    402,
    'One of the paired applications is archived, so nothing can be copied. End the pairing and pair with another application.',
  ],
  pair_missing: [
    402,
    'The paired application no longer exists, for example because only one environment was restored. ' +
      'End the pairing and pair with another application.',
  ],
  copy_changed: [
    402,
    'Something was changed since the preview, so nothing was copied. Check the new preview.',
  ],
  resource_exists: [402, 'A resource with this rid already exists.'],
  price_exists: [402, 'This resource is already sold at this price.'],
  too_many_keys: [
    402,
    'This application already has two live keys. Revoke one first with: gatehouse app revoke-key.',
  ],
  webhook_is_off: [402, 'This webhook endpoint is off. Enable it first.'],
  import_running: [
    402,
    'Another file is being imported into this application. Try again when that is done.',
  ],
  replay_running: [
    402,
    'A replay to this endpoint is not finished yet. Wait for it, or disable the endpoint to end it.',
  ],
  replay_too_large: [
    402,
    'More than 100,000 events would be sent. Choose a shorter time, or read them with GET /r2/event/search.',
  ],
  too_many_webhooks: [
    402,
    'This application already has 16 webhook endpoints, which is the maximum. Delete one first.',
  ],
  too_many_views: [402, 'This list already has 50 views. Remove one first.'],
  too_many_tokens: [402, 'There are already 100 live tokens. Revoke one first.'],
  staff_exists: [402, 'A team member with this email address already exists.'],
  last_owner: [402, 'At least one owner who can sign in must remain.'],
  passkey_refused: [402, "This passkey can't be used here."],
  no_passkey: [402, 'This member has no passkey. They add one under Your account.'],
  passkey_required: [
    403,
    'Sign in with your passkey. If you no longer have it, another owner, or gatehouse staff reset on the server, can help.',
  ],
  confirmation_required: [403, 'Confirm first that it is you: enter your password again.'],
  token_suspended: [
    403,
    'This token waits since Gatehouse was restored from a backup. An owner lets it work again under API tokens in the dashboard, or with: gatehouse token confirm ID.',
  ],
  members_only: [403, 'Only members of the team who are signed in to the dashboard can open this.'],
  not_allowed: [403, 'Your role does not allow this.'],
  foreign_origin: [403, 'This request was not sent from the dashboard itself.'],
  https_required: [
    403,
    'This was sent over plain HTTP, where others can read it. Use the https address of the service.',
  ],
  path_not_found: [404, 'There is nothing at this path.'],
  sandbox_off: [404, 'The sandbox of this installation is switched off (GATEHOUSE_SANDBOX).'],
  application_not_found: [404, 'No such application.'],
  key_not_found: [404, 'No such live key.'],
  mail_not_found: [404, 'No such email.'],
  access_not_found: [404, 'No such access.'],
  resource_not_found: [404, 'No such resource.'],
  user_not_found: [404, 'No such user.'],
  view_not_found: [404, 'No such view.'],
  delivery_not_found: [404, 'No such delivery.'],
  event_not_found: [404, 'No such event, or it is no longer kept.'],
  webhook_not_found: [404, 'No such webhook endpoint.'],
  note_not_found: [404, 'No such note.'],
  price_not_found: [404, 'No such price.'],
  checkout_not_found: [404, 'No such checkout.'],
  payment_not_found: [404, 'No such payment.'],
  finding_not_found: [404, 'No open finding has this id.'],
  subscription_not_found: [404, 'No such subscription.'],
  download_not_found: [404, 'No such download.'],
  image_not_found: [404, 'No such image.'],
  staff_not_found: [404, 'No such team member.'],
  token_not_found: [404, 'No such token.'],
  invitation_not_found: [404, 'No open invitation for this email address.'],
  passkey_not_found: [404, 'No such passkey.'],
  session_not_found: [404, 'No such session.'],
  link_expired: [410, 'This link has expired. Request a new one where you got it.'],
  link_ended: [410, 'This link was ended. Request a new one where you got it.'],
  link_used: [410, 'This link has already been used. Request a new one where you got it.'],
  checkout_expired: [410, 'This payment page has expired. Nothing was charged.'],
  file_too_large: [413, 'The file is too large.'],
  precondition_failed: [412, 'The file is not the one that was expected.'],
  range_not_satisfiable: [416, 'The requested range is outside the file.'],
  too_many_requests: [429, 'Too many requests. Try again later.'],
  internal_error: [500, 'Something went wrong on our side.'],
  overloaded: [503, 'The service is overloaded. Try again shortly.'],
  provider_unavailable: [503, 'The payment provider is not responding. Try again shortly.'],
  on_hold: [
    503,
    'This installation is on hold: no charge, refund or email is sent out until it is resumed.',
  ],
  files_unavailable: [503, 'The file storage is not reachable. Try again shortly.'],
  scan_failed: [
    503,
    'The file was not stored, because it could not be scanned. Tell the person who runs this server.',
  ],
  request_running: [
    503,
    'A request with this idempotency key is still being handled. Try again shortly.',
  ],
  draining: [503, 'The service is restarting. Try again shortly.'],
  database_unavailable: [503, 'The database is not available. Try again shortly.'],
  storage_full: [503, 'The disk is full. Nothing can be written until space is freed.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type FailureCode = keyof typeof failures

/** The wrong parameter and its problem: a phrase that can follow the name, such as `must be a whole number`. */
export interface ParameterProblem {
  parameter: string
  problem: string
}

export class Failure extends Error {
  readonly code: FailureCode
  readonly status: number
  /** Seconds after which to retry. */
  readonly retryAfter: number | undefined
  /** The parameter that is wrong, if the failure is about one. */
  readonly parameter: string | undefined
  /** The problem with the parameter, without its name. */
  readonly problem: string | undefined

  constructor(
    code: FailureCode,
    message: string,
    { retryAfter, about }: { retryAfter?: number | undefined; about?: ParameterProblem } = {},
  ) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.status = failures[code][0]
    this.retryAfter = retryAfter ?? (this.status === 503 ? 1 : undefined)
    this.parameter = about?.parameter
    this.problem = about?.problem
  }
}

export function fail(code: FailureCode, message?: string, retryAfter?: number): Failure {
  return new Failure(code, message ?? failures[code][1], { retryAfter })
}

/** Returns what was looked for, or throws the failure if there is none. */
export function requireFound<T>(found: T | undefined, code: FailureCode): T {
  if (found === undefined) throw fail(code)
  return found
}

/** Returns the failure of one parameter. Its message is built here and nowhere else. */
export function invalid(
  parameter: string,
  problem: string,
  code: FailureCode = 'invalid_parameter',
): Failure {
  return new Failure(code, nameProblem({ parameter, problem }), { about: { parameter, problem } })
}

/** Returns the failure of several parameters at once, such as the cells of a row. It names the first one. */
export function invalidAll(problems: readonly [ParameterProblem, ...ParameterProblem[]]): Failure {
  const message = problems.map(nameProblem).join('; ')
  return new Failure('invalid_parameter', message, { about: problems[0] })
}

const nameProblem = ({ parameter, problem }: ParameterProblem) => `${parameter}: ${problem}`

/** A start or command that can't continue for a reason that its user can fix: printed as one line, without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
