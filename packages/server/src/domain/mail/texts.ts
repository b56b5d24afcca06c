import { textsIn } from '../../language.ts'
import { LEGAL_LINK_TEXTS } from '../brand/texts.ts'
import type { TemplateKind } from './template-kinds.ts'

/** The built-in templates. An application can replace each by its own. */
const templates: Record<TemplateKind, string> = {
  grant: `Subject: {{application}}: your access to {{resource}}

Hello {{first_name}},

You have been given access to {{resource}}.

{{message}}

{{files}}

{{link}}

Your access ends on {{ends}}.

Your access ended on {{ended}}.

Sent by {{application}}.
`,
  receipt: `Subject: {{application}}: receipt for {{resource}}

# Receipt

Hello {{first_name}},

Thank you for your payment of {{amount}} for {{resource}}.

{{facts}}

{{files}}

{{link}}

{{manage}}

Sent by {{application}}.
`,
  trial_started: `Subject: {{application}}: your free trial of {{resource}}

# Your free trial has started

Hello {{first_name}},

You can use {{resource}} for free until {{ends}}.

{{facts}}

If you cancel before the trial ends, you will not be charged.

{{files}}

{{link}}

{{manage}}

Sent by {{application}}.
`,
  trial_ends: `Subject: {{application}}: your free trial of {{resource}} ends on {{end_day}}

# Your free trial ends soon

Hello {{first_name}},

Your free trial of {{resource}} ends on {{ends}}. After that, it costs {{price}}.

{{facts}}

To keep your subscription, you don’t need to do anything. If you cancel before the trial ends, you will not be charged.

{{manage}}

Sent by {{application}}.
`,
  payment_failed: `Subject: {{application}}: your payment for {{resource}} failed

# Your payment failed

Hello {{first_name}},

We could not charge {{amount}} for your subscription to {{resource}}: {{reason}}.

{{facts}}

This was the last attempt. Unless you update your card, your subscription ends on {{last_chance}}.

{{advice}}

{{manage}}

Sent by {{application}}.
`,
  subscription_ended: `Subject: {{application}}: your subscription to {{resource}} has ended

# Your subscription has ended

Hello {{first_name}},

We could not charge {{amount}} for your subscription to {{resource}}: {{reason}}. Your subscription has ended, and we will not try again.

{{facts}}

{{manage}}

Sent by {{application}}.
`,
  canceled: `Subject: {{application}}: your subscription to {{resource}} is canceled

# Your subscription is canceled

Hello {{first_name}},

Your subscription to {{resource}} will not renew.

Your access continues until {{ends}}. Until then, you can resume your subscription.

{{facts}}

{{manage}}

Sent by {{application}}.
`,
  refunded: `Subject: {{application}}: refund for {{resource}}

# Refund

Hello {{first_name}},

We have refunded {{amount}} that you paid for {{resource}}.

{{reason}}

{{facts}}

It can take a few days until the refund shows up on your bank statement.

Sent by {{application}}.
`,
  address_changed: `Subject: {{application}}: your email address was changed

# Your email address was changed

Hello {{first_name}},

{{removed_address}} is no longer the email address of your account at {{application}}. Emails about your account now go to your new address.

{{added_address}} is now the email address of your account at {{application}}. Emails about your account are sent here.

{{facts}}

If you did not ask for this change, please contact {{contact}}.

Sent by {{application}}.
`,
}

/** Labels of the facts that several emails list. */
const labels = {
  access: 'Access',
  accessUntil: 'Access until',
  accessEnded: 'Access ended',
  afterThat: 'After that',
  addedAddress: 'New address',
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
  removedAddress: 'Old address',
  seller: 'Seller',
  subscription: 'Subscription',
  tried: 'Attempted',
}

const receipt = {
  billed: (interval: string) => `Subscription, billed ${interval}`,
  noEndDate: 'Lifetime',
}

/** Why a payment failed, and what helps. */
const paymentFailed = {
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

/** Why a payment was refunded although nobody asked for it. */
const refunded = {
  reasons: {
    late: 'Your payment arrived after your access had ended.',
    duplicate: 'You already had a subscription, so this payment was not needed.',
  },
}

const en = {
  templates,
  /** How often a subscription is billed: `every month`, `every 3 months`. */
  interval: (period: string) => `every ${period.replace(/^1 /, '')}`,
  paymentOn: (price: string, date: string) => `${price} on ${date}`,
  labels,
  actions: {
    open: 'Open',
    download: 'Download',
    manage: 'Manage your subscription',
    manageOrCancel: 'Manage or cancel',
    resume: 'Resume your subscription',
    see: 'View your subscription',
    updateCard: 'Update your card',
  },
  receipt,
  paymentFailed,
  refunded,
  footer: {
    support: (address: string) => `Questions? ${address}`,
    legal: LEGAL_LINK_TEXTS,
  },
}

export type MailTexts = typeof en

export const mailTexts = textsIn<MailTexts>({ en })
