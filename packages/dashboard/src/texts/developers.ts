import { pluralize } from '../format.ts'

export const developersTexts = {
  lead: 'Your site asks the API who may see what. Each request is signed with a private key of this application.',
  address: 'Address of the API',
  aid: 'Application id (AID)',
  reference: 'All calls of the API',
  sections: 'Developers',
  tabs: { keys: 'Keys', console: 'Console', refused: 'Refused calls' },
  archived: 'This application is archived: its keys sign nothing any more.',

  keysTitle: 'Private keys',
  keysLead:
    'Whoever has a key can do what your site can. Keep it on your server, never in a page or an app.',
  noKeysTitle: 'There is no live key',
  noKeys:
    'Every request of your site is refused until you make one and put it into your site’s settings.',
  makeKey: 'Make a key',
  rotate: 'Rotate',
  reveal: 'Reveal',
  revealThis: (id: string) => `Reveal key ${id}`,
  revoke: 'Revoke',
  revokeThis: (id: string) => `Revoke key ${id}`,
  made: 'made',
  lastUsed: 'last used',
  usedToday: 'today',
  neverUsed: 'never used',
  until: 'until',

  keyTitle: (id: string) => `Key ${id}`,
  keyLead: 'Revealing a key is written down in the audit log. The key itself is not.',
  newKeyTitle: 'The new key',
  newKeyLead:
    'It works now. Put it into your site’s settings; Reveal shows it again whenever you need it.',
  privateKey: 'Private key',
  done: 'Done',

  rotateTitle: (application: string) => `Rotate the key of ${application}?`,
  makeTitle: (application: string) => `Make a key for ${application}?`,
  makeEffect: 'It works as soon as it is made.',
  overlap: 'The old key goes on for',
  overlaps: {
    none: 'Not at all: it ends now',
    hour: '1 hour',
    day: '24 hours',
    week: '7 days',
    month: '30 days',
  },
  rotateEffect: 'A new key is made and works at once.',
  rotateOverlap: (time: string) =>
    `The old key goes on until ${time}. Change your site over before: requests signed with it are refused afterwards.`,
  rotateAtOnce: (keys: number) =>
    keys === 1
      ? 'The old key ends within 5 seconds: your site is refused until it has the new one.'
      : `${pluralize(keys, 'key ends', 'keys end')} within 5 seconds: your site is refused until it has the new one.`,
  twoKeys:
    'Two keys are live already, and more than two there can’t be. To rotate with an overlap, revoke one of them first.',

  revokeTitle: (id: string) => `Revoke key ${id}?`,
  revokeUsed: (day: string) => `It was last used on ${day}.`,
  revokeUsedToday: 'It was used today.',
  revokeUnused: 'It was never used.',
  revokeOther: 'Requests signed with it are refused within 5 seconds. 1 other key goes on.',
  revokeLast:
    'It is the only live key: every request of your site is refused within 5 seconds, until it has a new one.',
  revoked: (id: string) => `Key ${id} is revoked.`,

  consoleTitle: 'Send a call',
  consoleLead:
    'Signs a call with the newest key and sends it through the whole house, as your site would.',
  noContract: 'The list of calls could not be read. Any path can still be typed.',
  call: 'Call',
  anyCall: 'Any other path',
  method: 'Method',
  path: 'Path',
  pathHint: 'From /r2/ on, without parameters.',
  inPath: 'Stands in the path.',
  parameterName: 'Name',
  parameterValue: 'Value',
  nameOfParameter: (at: number) => `Name of parameter ${at}`,
  valueOfParameter: (at: number) => `Value of parameter ${at}`,
  addParameter: 'Add a parameter',
  removeParameter: (name: string) => `Remove ${name === '' ? 'this parameter' : name}`,
  notSet: 'not set',
  whole: 'Show the whole signature',
  wholeHint:
    'Then the curl line can be pasted and run. Whoever has it can send this very request again.',
  send: 'Sign and send',
  real: 'This is production: what a POST changes is changed for real readers.',
  realTitle: (call: string) => `Send ${call} to production?`,
  realEffect: (summary: string) =>
    summary === '' ? 'It happens for real.' : `${summary}: it happens for real.`,
  realCount: (values: number) =>
    `1 request is sent, with ${pluralize(values, 'parameter', 'parameters')}. What it changes can’t be undone here.`,
  answerTitle: 'The answer',
  emptyTitle: 'Nothing was sent yet',
  empty:
    'Choose a call and send it. Here you see the exact string that was signed, the curl line that does the same, and the answer.',
  took: (milliseconds: number) => `in ${milliseconds} ms`,
  signedString: 'The string that was signed',
  authorization: 'Authorization header',
  curl: 'The same with curl',
  masked: 'The signature is cut short. Send again with the whole one to get a line that works.',
  body: 'Body',
  headers: 'Headers of the answer',
  noBody: 'The answer has no body.',

  refusedLead: 'The newest 200 calls that your site can fix. What was sent is not kept.',
  refresh: 'Read again',
  time: 'Time',
  callColumn: 'Call',
  reason: 'Why',
  key: 'Key',
  noKey: 'no key fits',
  calmTitle: 'Nothing was refused',
  calm: 'When a call of your site is refused, for a wrong signature or a missing parameter, it is here with the reason. Try it: send a call without its parameters in the console.',
  toConsole: 'Open the console',
  reasonOf: (reason: string, parameter: string | null): string | undefined =>
    reason === 'invalid_parameter'
      ? parameter === null
        ? 'A parameter is missing or can’t be read.'
        : `${parameter} is missing or can’t be read.`
      : REASONS[reason],
} as const

const REASONS: Readonly<Record<string, string>> = {
  signature_wrong:
    'The signature does not fit. Another key, another environment, or the string that was signed is not the request that was sent.',
  application_unknown: 'The application has no live key.',
  invalid_request: 'The request, its body or its type can’t be read.',
  method_not_allowed: 'This path knows other methods.',
  user_ref_taken: 'The user_ref belongs to somebody with another e-mail address.',
  user_ref_is_uid: 'The user_ref is the uid of somebody else.',
  user_ref_erased: 'The user_ref is the uid of a user who was erased.',
  already_subscribed: 'There is a subscription to this already.',
  resource_archived: 'The resource is archived: nothing of it is granted or sold.',
  refund_too_large: 'More than what is left of the payment.',
  payment_not_refundable: 'The payment is in dispute: the bank decides on it.',
  payments_not_set_up: 'Payments are not set up here.',
  return_url_not_allowed: 'The settings do not allow to return there.',
  link_end_passed: 'The link would be over before it is used.',
  link_life_too_long: 'Links may not live as long.',
  clock_only_forward: 'The sandbox’s clock only goes forward.',
  clock_is_moving: 'The sandbox’s clock was being moved.',
  too_many_requests: 'Over the limit of requests that the operator has set.',
}
