import { textsIn } from '../../language.ts'

/** The template of the email about a grant, unless the application has its own. */
const grantTemplate = `Subject: {{application}}: your access to {{resource}}

Hello {{first_name}},

You have been given access to {{resource}}.

{{message}}

{{link}}

Your access ends on {{ends}}.

Your access ended on {{ended}}.

Sent by {{application}}.
`

/** Labels of the facts that several emails list. */
const labels = {
  access: 'Access',
  accessUntil: 'Access until',
  accessEnded: 'Access ended',
  afterThat: 'After that',
  amount: 'Amount',
  bought: 'Item',
  canceled: 'Canceled',
  date: 'Date',
  ended: 'Ended',
  firstPayment: 'First payment',
  freeUntil: 'Free until',
  nextPayment: 'Next payment',
  nextTry: 'Next attempt',
  notPaid: 'Not paid',
  paid: 'Paid',
  payment: 'Payment',
  refunded: 'Refunded',
  seller: 'Seller',
  subscription: 'Subscription',
  tried: 'Attempted',
}

const receipt = {
  subject: (resource: string) => `receipt for ${resource}`,
  heading: 'Receipt',
  thanks: (price: string, resource: string) =>
    `Thank you for your payment of ${price} for ${resource}.`,
  billed: (interval: string) => `Subscription, billed ${interval}`,
  noEndDate: 'Lifetime',
}

const trialStarted = {
  subject: (resource: string) => `your free trial of ${resource}`,
  heading: 'Your free trial has started',
  freeUntil: (resource: string, ends: string) => `You can use ${resource} for free until ${ends}.`,
  cancelInTime: 'If you cancel before the trial ends, you will not be charged.',
}

const trialEnds = {
  subject: (resource: string, day: string) => `your free trial of ${resource} ends on ${day}`,
  heading: 'Your free trial ends soon',
  costsThen: (resource: string, ends: string, price: string, interval: string) =>
    `Your free trial of ${resource} ends on ${ends}. After that, it costs ${price} ${interval}.`,
  keepOrCancel:
    'To keep your subscription, you don’t need to do anything. If you cancel before the trial ends, you will not be charged.',
}

const paymentFailed = {
  subject: (resource: string) => `your payment for ${resource} failed`,
  heading: 'Your payment failed',
  what: (price: string, resource: string, why: string) =>
    `We could not charge ${price} for your subscription to ${resource}: ${why}.`,
  lastTry: (ends: string) =>
    `This was the last attempt. Unless you update your card, your subscription ends on ${ends}.`,
  reasons: {
    declined: {
      why: 'your card was declined',
      advice: 'To keep your access, please update your card.',
    },
    needs_payer: {
      why: 'your bank needs you to confirm the payment',
      advice:
        'To keep your access, please enter your card again. Your bank can then ask you to confirm.',
    },
    no_card: {
      why: 'no card is saved for it',
      advice: 'To keep your access, please add a card.',
    },
  },
  otherReason: {
    why: 'the payment did not go through',
    advice: 'To keep your access, please update your card.',
  },
}

const endedUnpaid = {
  subject: (resource: string) => `your subscription to ${resource} has ended`,
  heading: 'Your subscription has ended',
  what: (failure: string) => `${failure} Your subscription has ended, and we will not try again.`,
}

const canceled = {
  subject: (resource: string) => `your subscription to ${resource} is canceled`,
  heading: 'Your subscription is canceled',
  accessUntil: (resource: string, ends: string) =>
    `Your subscription to ${resource} will not renew. Your access continues until ${ends}.`,
  over: (resource: string) => `Your subscription to ${resource} will not renew.`,
  canResume: 'Until then, you can resume your subscription.',
}

const refunded = {
  subject: (resource: string) => `refund for ${resource}`,
  heading: 'Refund',
  what: (price: string, resource: string) =>
    `We have refunded ${price} that you paid for ${resource}.`,
  reasons: {
    late: 'Your payment arrived after your access had ended.',
    duplicate: 'You already had a subscription, so this payment was not needed.',
  },
  bankDelay: 'It can take a few days until the refund shows up on your bank statement.',
}

const en = {
  grantTemplate,
  greeting: (firstName: string) => `Hello ${firstName},`,
  signature: (application: string) => `Sent by ${application}.`,
  subject: (application: string, subject: string) => `${application}: ${subject}`,
  /** How often a subscription is billed: `every month`, `every 3 months`. */
  interval: (period: string) => `every ${period.replace(/^1 /, '')}`,
  paymentOn: (price: string, date: string) => `${price} on ${date}`,
  labels,
  actions: {
    open: 'Open',
    manage: 'Manage your subscription',
    manageOrCancel: 'Manage or cancel',
    resume: 'Resume your subscription',
    see: 'View your subscription',
    updateCard: 'Update your card',
  },
  receipt,
  trialStarted,
  trialEnds,
  paymentFailed,
  endedUnpaid,
  canceled,
  refunded,
}

export type MailTexts = typeof en

export const mailTexts = textsIn<MailTexts>({ en })
