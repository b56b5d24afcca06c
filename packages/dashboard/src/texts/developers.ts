import { pluralize } from '../format.ts'

export const developersTexts = {
  lead: 'Your site asks the API who has access to what. It signs each request with a private key of this application.',
  address: 'API base URL',
  aid: 'Application ID (AID)',
  reference: 'API reference',
  sections: 'Developers',
  tabs: { keys: 'Keys', console: 'Console', refused: 'Refused requests' },
  archived: 'This application is archived, so its keys no longer work.',

  keysTitle: 'Private keys',
  keysLead:
    'Anybody who has a key can do everything your site can. Keep keys on your server, never in a web page or an app.',
  noKeysTitle: 'No active key',
  noKeys:
    'The API refuses every request from your site until you create a key and add it to your site’s configuration.',
  makeKey: 'Create key',
  rotate: 'Rotate key',
  reveal: 'Reveal',
  revealThis: (id: string) => `Reveal key ${id}`,
  revoke: 'Revoke',
  revokeThis: (id: string) => `Revoke key ${id}`,
  made: 'created',
  lastUsed: 'last used',
  usedToday: 'today',
  neverUsed: 'never used',
  until: 'until',

  keyTitle: (id: string) => `Key ${id}`,
  keyLead: 'The audit log records that you revealed this key, but not the key itself.',
  newKeyTitle: 'New key',
  newKeyLead:
    'The key works now. Add it to your site’s configuration. You can reveal it again at any time.',
  privateKey: 'Private key',
  done: 'Done',

  rotateTitle: (application: string) => `Rotate the key of ${application}?`,
  makeTitle: (application: string) => `Create a key for ${application}?`,
  makeEffect: 'The key works immediately.',
  overlap: 'The old key keeps working for',
  overlaps: {
    none: 'No time: it stops now',
    hour: '1 hour',
    day: '24 hours',
    week: '7 days',
    month: '30 days',
  },
  rotateEffect: 'A new key is created and works immediately.',
  rotateOverlap: (time: string) =>
    `The old key works until ${time}. Switch your site to the new key before then: afterwards, requests signed with the old key are refused.`,
  rotateAtOnce: (keys: number) =>
    keys === 1
      ? 'The old key stops working within 5 seconds. Your site’s requests are refused until it uses the new key.'
      : `${pluralize(keys, 'key stops', 'keys stop')} working within 5 seconds. Your site’s requests are refused until it uses the new key.`,
  twoKeys:
    'This application already has two active keys, which is the maximum. To rotate with an overlap, revoke one of them first.',

  revokeTitle: (id: string) => `Revoke key ${id}?`,
  revokeUsed: (day: string) => `It was last used on ${day}.`,
  revokeUsedToday: 'It was used today.',
  revokeUnused: 'It was never used.',
  revokeOther:
    'Requests signed with this key are refused within 5 seconds. 1 other key keeps working.',
  revokeLast:
    'This is the only active key. All requests from your site are refused within 5 seconds, until it uses a new key.',
  revoked: (id: string) => `Key ${id} is revoked.`,

  consoleTitle: 'Send a request',
  consoleLead:
    'Signs a request with the newest key and sends a real API request, as your site would.',
  noContract: 'The list of API calls can’t be loaded. You can still enter any path.',
  call: 'API call',
  anyCall: 'Other path',
  method: 'Method',
  path: 'Path',
  pathHint: 'Starts with /r2/, without parameters.',
  inPath: 'Part of the path.',
  parameterName: 'Name',
  parameterValue: 'Value',
  nameOfParameter: (at: number) => `Name of parameter ${at}`,
  valueOfParameter: (at: number) => `Value of parameter ${at}`,
  addParameter: 'Add parameter',
  removeParameter: (name: string) => `Remove ${name === '' ? 'this parameter' : name}`,
  notSet: 'not set',
  whole: 'Show the full signature',
  wholeHint:
    'You can then paste and run the curl command. Anybody who has it can send the same request again: a POST for five minutes, a GET until the key is revoked.',
  send: 'Sign and send',
  real: 'This is production. A POST request changes real data.',
  realTitle: (call: string) => `Send ${call} to production?`,
  realEffect: (summary: string) =>
    summary === '' ? 'This changes real data.' : `${summary}. This changes real data.`,
  realCount: (values: number) =>
    `1 request with ${pluralize(values, 'parameter', 'parameters')} is sent. You can’t undo its changes here.`,
  answerTitle: 'Response',
  emptyTitle: 'No request sent yet',
  empty:
    'Choose an API call and send it. You will see the response, the exact string that was signed, and the same request as a curl command.',
  took: (milliseconds: number) => `in ${milliseconds} ms`,
  signedString: 'Signed string',
  authorization: 'Authorization header',
  curl: 'curl command',
  masked:
    'The signature is shortened. To get a command that works, send again with the full signature.',
  body: 'Body',
  headers: 'Response headers',
  noBody: 'The response has no body.',

  refusedLead:
    'The latest 200 refused requests that your site can fix. Parameter values are not recorded.',
  refresh: 'Refresh',
  time: 'Time',
  callColumn: 'API call',
  reason: 'Reason',
  key: 'Key',
  noKey: 'no matching key',
  noRefusalsTitle: 'No refused requests',
  noRefusals:
    'When the API refuses a request from your site, for example because of a wrong signature or a missing parameter, it appears here with the reason. To try it, send a request without its parameters in the console.',
  toConsole: 'Open the console',
  reasonOf: (reason: string, parameter: string | null): string | undefined =>
    reason === 'invalid_parameter'
      ? parameter === null
        ? 'A parameter is missing or invalid.'
        : `${parameter} is missing or invalid.`
      : REASONS[reason],
} as const

const REASONS: Readonly<Record<string, string>> = {
  signature_wrong:
    'The signature doesn’t match. The request was signed with another key or for another environment, or the signed string differs from the request that was sent.',
  application_unknown: 'The application has no active key.',
  invalid_request: 'The request, its body or its content type is invalid.',
  method_not_allowed: 'This path doesn’t support this method.',
  user_ref_taken: 'The user_ref belongs to a user with another email address.',
  user_ref_is_uid: 'The user_ref is the uid of another user.',
  user_ref_erased: 'The user_ref is the uid of an erased user.',
  already_subscribed: 'The user already has a subscription to this resource.',
  resource_archived: 'The resource is archived, so it can’t be granted or sold.',
  refund_too_large: 'The refund is larger than what is left of the payment.',
  payment_not_refundable: 'The payment is in dispute, so it can’t be refunded.',
  payments_not_set_up: 'No payment provider is set up.',
  return_url_not_allowed: 'This return URL is not allowed for the application.',
  link_end_passed: 'The link’s end is in the past.',
  link_life_too_long: 'The link’s lifetime exceeds the configured maximum.',
  clock_only_forward: 'The sandbox clock can only move forward.',
  clock_is_moving: 'The sandbox clock was being advanced.',
  too_many_requests: 'The rate limit was exceeded.',
}
