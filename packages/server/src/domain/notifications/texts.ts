import type { NoticeEvent, NoticeKind, NotificationKind } from '../../db/tables.ts'
import { textsIn } from '../../language.ts'
import type { Role } from '../staff/staff.ts'

const count = (n: number, one: string, many: string) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`

const roles: Record<Role, string> = {
  owner: 'Owner',
  developer: 'Developer',
  support: 'Support',
  reader: 'Viewer',
}

const links = {
  invite: {
    subject: 'You are invited to Gatehouse',
    heading: 'Join the team',
    text: (role: Role, host: string, by: string | undefined) => [
      `${by === undefined ? 'You are invited' : `${by} invites you`} to the Gatehouse dashboard at ${host}, with the role ${roles[role]}.`,
    ],
    button: 'Accept the invitation',
  },
  reset: {
    subject: 'Set a new password for Gatehouse',
    heading: 'Set a new password',
    text: (host: string) => [
      `An owner has created this link for you. With it, you can set a new password for the Gatehouse dashboard at ${host}. Your current password works until then.`,
    ],
    button: 'Set a new password',
  },
  forgot: {
    subject: 'Set a new password for Gatehouse',
    heading: 'Set a new password',
    text: (host: string) => [
      `Somebody asked for a new password for your account on the Gatehouse dashboard at ${host}. If that was you, use this link.`,
      'If it was not you, you don’t need to do anything. Your password stays as it is.',
    ],
    button: 'Set a new password',
  },
  once: (until: string) =>
    `The link works once, until ${until}. Anybody who has it can use it, so don’t forward this email.`,
}

/** The sentences about one notice. */
interface Told {
  subject: string
  heading: string
  text: string
}

type Tell = (money: string, resource: string) => Told

const sale =
  (heading: string, text: (money: string, resource: string) => string): Tell =>
  (money, resource) => ({
    subject: `Sale of ${resource}: ${money}`,
    heading,
    text: text(money, resource),
  })

const one: Record<NoticeEvent, Tell> = {
  purchase: sale('New sale', (money, resource) => `A reader bought ${resource} for ${money}.`),
  subscription: sale(
    'New subscription',
    (money, resource) => `A reader subscribed to ${resource} and paid ${money}.`,
  ),
  trial_converted: sale(
    'A trial became a subscription',
    (money, resource) => `The free trial of ${resource} is over, and the reader paid ${money}.`,
  ),
  opened: (money, resource) => ({
    subject: `Dispute of ${money}`,
    heading: 'A payment is disputed',
    text: `The payer of ${money} for ${resource} has asked the bank to return the money. Respond in the dashboard of your payment provider before the deadline shown there. The reader keeps access until the dispute is decided.`,
  }),
  inquiry: (money, resource) => ({
    subject: `Question of a bank about ${money}`,
    heading: 'A bank has a question about a payment',
    text: `The bank of the payer has a question about ${money} paid for ${resource}. No money was taken back. Respond in the dashboard of your payment provider, or refund the payment, which usually settles the question. The reader keeps access.`,
  }),
  appealed: (money, resource) => ({
    subject: `Lost dispute of ${money} is open again`,
    heading: 'The decision on a lost dispute was appealed',
    text: `The dispute about ${money} paid for ${resource} is undecided again. Access that ended with the first decision stays ended until the appeal is decided.`,
  }),
  won_on_appeal: (money, resource) => ({
    subject: `Dispute of ${money} won on appeal`,
    heading: 'You won a dispute on appeal',
    text: `The bank first decided against you, and now for you: you keep the ${money} paid for ${resource}. If the first decision ended the reader’s access, and you have not revoked it since, the reader has it again for the time that was left. A subscription stays ended and is not charged.`,
  }),
  won: (money, resource) => ({
    subject: `Dispute of ${money} won`,
    heading: 'You won a dispute',
    text: `The bank decided for you. You keep the ${money} paid for ${resource}.`,
  }),
  lost: (money, resource) => ({
    subject: `Dispute of ${money} lost`,
    heading: 'You lost a dispute',
    text: `The bank returned ${money} paid for ${resource} to the payer. If nothing is left of the payment, the access that it paid for has ended.`,
  }),
  past_due: (money, resource) => ({
    subject: `Renewal of ${money} failed`,
    heading: 'A renewal failed',
    text: `The charge of ${money} for a subscription to ${resource} was refused. It is tried again during the grace period.`,
  }),
  ended: (money, resource) => ({
    subject: `Subscription to ${resource} ended unpaid`,
    heading: 'A subscription ended unpaid',
    text: `The renewal of a subscription to ${resource} for ${money} could not be charged. The subscription has ended.`,
  }),
  refused: (money, resource) => ({
    subject: `Refund of ${money} failed`,
    heading: 'A refund failed',
    text: `The refund of ${money} for ${resource} failed. The payment’s page shows why; you can try again there.`,
  }),
  bounced: (money, resource) => ({
    subject: `Refund of ${money} was returned`,
    heading: 'A refund was returned',
    text: `The reader’s bank returned the refund of ${money} for ${resource}. You have the money back; the reader doesn’t have it.`,
  }),
  renewal_waits: (money, resource) => ({
    subject: `Renewal of ${money} waits`,
    heading: 'A renewal waits',
    text: `The charge of ${money} for a subscription to ${resource} could not be made yet. The payment’s page shows what the payment provider says, and it is tried again automatically. If it is not paid by the end of the grace period, the subscription ends.`,
  }),
  refund_waits: (money, resource) => ({
    subject: `Refund of ${money} waits`,
    heading: 'A refund waits',
    text: `The refund of ${money} for ${resource} could not be made yet. The payment’s page shows what the payment provider says, and it is tried again automatically.`,
  }),
  webhook_hour: (_, host) => ({
    subject: `Webhooks to ${host} fail`,
    heading: 'A webhook endpoint is failing',
    text: `The endpoint at ${host} has not accepted any event for an hour. Events are queued and sent when it works again.`,
  }),
  webhook_day: (_, host) => ({
    subject: `Webhooks to ${host} have failed for a day`,
    heading: 'A webhook endpoint has been failing for a day',
    text: `The endpoint at ${host} has not accepted any event for a day. It is switched off after five days without a success. Until then, events are queued and sent when it works again.`,
  }),
  webhook_off: (_, host) => ({
    subject: `Webhooks to ${host} are switched off`,
    heading: 'A webhook endpoint was switched off',
    text: `The endpoint at ${host} has not accepted any event for five days and was switched off. Fix it and enable it again. Its page then offers to send the events that it missed.`,
  }),
  webhook_gone: (_, host) => ({
    subject: `Webhooks to ${host} are switched off`,
    heading: 'A webhook endpoint was switched off',
    text: `The endpoint at ${host} answered 410 Gone and was switched off. If that was a mistake, enable it again. Its page then offers to send the events that it missed.`,
  }),
}

const many: Record<NoticeKind, (n: number) => string> = {
  sale: (n) => count(n, 'sale', 'sales'),
  dispute: (n) => count(n, 'dispute', 'disputes'),
  payment_failed: (n) => count(n, 'failed renewal', 'failed renewals'),
  refund_failed: (n) => count(n, 'failed refund', 'failed refunds'),
  webhook_failed: (n) => count(n, 'webhook problem', 'webhook problems'),
}

/** The label of an event in an email about several. */
const events: Record<NoticeEvent, string> = {
  purchase: 'Purchases',
  subscription: 'New subscriptions',
  trial_converted: 'Trials converted',
  opened: 'Disputes opened',
  inquiry: 'Questions of banks',
  appealed: 'Lost disputes open again',
  won_on_appeal: 'Disputes won on appeal',
  won: 'Disputes won',
  lost: 'Disputes lost',
  past_due: 'Renewals refused',
  ended: 'Subscriptions ended unpaid',
  refused: 'Refunds not made',
  bounced: 'Refunds returned',
  renewal_waits: 'Renewals that wait',
  refund_waits: 'Refunds that wait',
  webhook_hour: 'Failing for an hour',
  webhook_day: 'Failing for a day',
  webhook_off: 'Switched off',
  webhook_gone: 'Switched off (410 Gone)',
}

const notices = {
  one,
  many,
  events,
  /** One line of several: `2 · €19.98`. */
  sum: (n: number, money: string) => `${n.toLocaleString('en')} · ${money}`,
  more: 'More',
  moreCount: (n: number) => n.toLocaleString('en'),
  item: (resource: string, event: string) => `${resource} (${event})`,
  /** The event in such a line. */
  short: {
    purchase: 'purchase',
    subscription: 'subscription',
    trial_converted: 'after a trial',
    opened: 'opened',
    inquiry: 'question of a bank',
    appealed: 'open again',
    won_on_appeal: 'won on appeal',
    won: 'won',
    lost: 'lost',
    past_due: 'refused',
    ended: 'ended unpaid',
    refused: 'not made',
    bounced: 'returned',
    renewal_waits: 'waits',
    refund_waits: 'waits',
    webhook_hour: 'failing for an hour',
    webhook_day: 'failing for a day',
    webhook_off: 'switched off',
    webhook_gone: 'switched off, 410 Gone',
  } satisfies Record<NoticeEvent, string>,
  itemLabel: 'Item',
  amount: 'Amount',
  time: 'Time',
  openPayment: 'Open the payment',
  openSubscription: 'Open the subscription',
  openPayments: 'Open payments',
  openSubscriptions: 'Open subscriptions',
  host: 'Endpoint',
  openWebhook: 'Open the endpoint',
  openWebhooks: 'Open webhooks',
}

const digest = {
  net: 'Net revenue',
  payments: (n: number) => count(n, 'payment', 'payments'),
  netOf: (money: string, payments: string) => `${money} from ${payments}`,
  subject: (day: string) => `Summary of ${day}`,
  noRevenue: 'none',
  joined: 'New subscribers',
  left: 'Subscribers who left',
  subscribers: 'Subscribers now',
  attention: 'Needs attention',
  pastDue: (n: number) => count(n, 'subscription is past due', 'subscriptions are past due'),
  disputed: (n: number) => count(n, 'payment is disputed', 'payments are disputed'),
  mismatched: (n: number) =>
    count(n, 'payment has a different amount', 'payments have a different amount'),
  failedMails: (n: number) => count(n, 'email to a reader failed', 'emails to readers failed'),
  nothing: 'nothing',
  open: 'Open the overview',
}

const footer = {
  why: {
    sale: 'You get emails about sales.',
    dispute: 'You get emails about disputes.',
    payment_failed: 'You get emails about failed renewals.',
    refund_failed: 'You get emails about failed refunds.',
    webhook_failed: 'You get emails about failing webhooks.',
    digest: 'You get this summary on days when there is something to report.',
  } satisfies Record<NotificationKind, string>,
  choose: 'Choose your emails',
  sentBy: (host: string) => `Sent by Gatehouse at ${host}`,
}

const en = {
  product: 'Gatehouse',
  /** The prefix of the subject of every email about the sandbox. */
  sandbox: 'Sandbox',
  links,
  notices,
  digest,
  footer,
}

export const notificationTexts = textsIn({ en })
