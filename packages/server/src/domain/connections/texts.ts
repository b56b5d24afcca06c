import type { MailProblem } from './mail-problems.ts'

/** The messages that people read when something can't be connected. They never repeat the words of a mail server or of
 * Stripe, which may contain whatever was sent. */

type Mode = 'live' | 'test'

export const KEY_TEXTS = {
  publishable:
    'this is a publishable key. Enter the secret key, which begins with sk_, or a restricted key, which begins with rk_',
  webhookSecret:
    'this is the signing secret of a webhook. Enter the secret key, which begins with sk_ or rk_',
  wrongMode: {
    live: 'this is a test key; production needs a live key',
    test: 'this is a live key; the sandbox needs a test key',
  },
  notAKey: (mode: Mode) =>
    `not a Stripe key. Copy the whole key, which begins with sk_${mode}_ or rk_${mode}_`,
  refused:
    'Stripe refuses this key. It may have been deleted or rolled; create a new one in Stripe',
  noPermission:
    'this restricted key may not read payments. In Stripe, give it the right Write for Checkout Sessions, PaymentIntents, SetupIntents, Charges and Refunds, Customers and PaymentMethods, and the right Read for Disputes',
} as const

export const SECRET_TEXTS = {
  apiKey: 'this is an API key. Enter the signing secret of the webhook, which begins with whsec_',
  notASecret: 'not a signing secret. Copy the whole secret, which begins with whsec_',
} as const

export const STRIPE_FAILED =
  'Stripe could not be asked. Try again in a moment; if it goes on, this server may not reach Stripe.'

interface Stake {
  payments: number
  subscriptions: number
}

const count = (number: number, one: string, many: string) =>
  number === 1 ? `1 ${one}` : `${number} ${many}`

/** Lists what depends on a connection, followed by the verb in the singular or plural: `2 subscriptions depend`. */
function stakeOf({ payments, subscriptions }: Stake, one: string, many: string): string {
  const parts = [
    payments === 0 ? undefined : count(payments, 'unfinished payment', 'unfinished payments'),
    subscriptions === 0 ? undefined : count(subscriptions, 'subscription', 'subscriptions'),
  ]
  const verb = payments + subscriptions === 1 ? one : many
  return `${parts.filter((part) => part !== undefined).join(' and ')} ${verb}`
}

export const STAKE_TEXTS = {
  otherAccount: (stake: Stake) =>
    `This key belongs to another Stripe account, but ${stakeOf(stake, 'depends', 'depend')} on the account connected before. Nothing of that can be charged or refunded through the new one.`,
  testCards: (stake: Stake) =>
    `${stakeOf(stake, 'was', 'were')} made with test cards. Once Stripe is connected, nothing of that can be renewed or refunded.`,
  disconnect: (stake: Stake) =>
    `${stakeOf(stake, 'depends', 'depend')} on this connection. Without it, nothing is charged or refunded.`,
} as const

/** The same whether the name doesn't exist, leads to a private network, or to a server or port that doesn't answer as a mail
 * server: nobody learns from it what there is inside the operator's network, also where a part of it is allowed. `doctor`
 * says more. */
const NOT_REACHED: readonly [field: string, text: string] = [
  'host',
  'no mail server can be reached there. Check the name, the port and the kind of security. A server in a private network or on this machine has to be allowed by the operator (GATEHOUSE_MAIL_ALLOW)',
]

/** The field at fault, and the problem with it. */
export const MAIL_PROBLEM_TEXTS: Readonly<
  Record<MailProblem, readonly [field: string, text: string]>
> = {
  host_not_found: NOT_REACHED,
  forbidden: NOT_REACHED,
  refused: NOT_REACHED,
  unreachable: NOT_REACHED,
  timeout: NOT_REACHED,
  not_smtp: NOT_REACHED,
  broken_off: NOT_REACHED,
  busy: [
    'host',
    'the server takes no more connections at the moment. Gatehouse may be using all that it allows; try again in a minute',
  ],
  needs_tls: ['security', 'this port speaks TLS from the start. Choose TLS (smtps://)'],
  unknown_authority: [
    'security',
    'no secure connection could be made: the certificate is not signed by a known authority. If the authority is your own, the operator names its certificate in NODE_EXTRA_CA_CERTS',
  ],
  tls_failed: [
    'security',
    'no secure connection could be made. Try the other kind of security, and check that the certificate is valid for this name',
  ],
  tls_missing: [
    'security',
    'the server does not offer STARTTLS on this port. Try TLS, on port 465',
  ],
  login_refused: ['password', 'the server refuses this user name or password'],
  login_missing: ['user', 'the server requires a user name and a password'],
  sender_refused: ['sender', 'the server does not accept this sender for your login'],
  login_advised: [
    'user',
    'the server does not accept the recipient without a login, it seems. Enter a user name and a password',
  ],
  recipient_refused: ['to', 'the server does not accept the address of the recipient'],
  put_off: ['to', 'the server does not accept the email now. Try again later'],
  message_refused: ['sender', 'the server does not accept the message'],
  other: ['host', 'the server could not be used'],
}

/** The email that staff send to themselves. */
export const TEST_MAIL = (environment: string) => ({
  subject: 'Test email from Gatehouse',
  text: `It works: emails of ${environment} are sent through this mail server.\n`,
  html: `<p>It works: emails of ${environment} are sent through this mail server.</p>`,
})
