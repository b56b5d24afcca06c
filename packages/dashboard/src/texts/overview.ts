import { formatNumber } from '../format.ts'

export const overviewTexts = {
  live: 'Live access',
  liveHint: 'readers can use it right now',
  ending: 'Ending within 7 days',
  endingHint: 'live now, ends in a week or less',
  renewing: 'Renewing within 7 days',
  renewingHint: 'subscriptions charged again',
  failedMails: 'Failed emails',
  failedMailsHint: 'not delivered: open to see why',
  noFailedMailsHint: 'every email was delivered',
  keptMails: 'Emails not sent',
  keptMailsHint: 'no mail server is set up',
  attention: 'Needs your attention',
  pastDue: (count: number) =>
    count === 1
      ? 'One subscription has a failed payment.'
      : `${formatNumber(count)} subscriptions have a failed payment.`,
  disputed: (count: number) =>
    count === 1 ? 'One payment is disputed.' : `${formatNumber(count)} payments are disputed.`,
  mismatched: (count: number) =>
    count === 1
      ? 'One payment has a different amount than agreed.'
      : `${formatNumber(count)} payments have a different amount than agreed.`,
  mailsFailed: (count: number) =>
    count === 1
      ? 'One email could not be delivered.'
      : `${formatNumber(count)} emails could not be delivered.`,
  reads: (reads: number, allowed: number) =>
    `Stripe: ${formatNumber(reads)} of ${formatNumber(allowed)} reads in 30 days.`,
  readsHint:
    'Gatehouse reads from Stripe to learn what was paid. Near the limit, Stripe may slow down sales: ask the person who runs this server to check the webhook.',
  openList: 'Open the list',
  attentionHint: 'Your developers resolve them with the command gatehouse payment reconcile.',
  attentionKinds: {
    charge_unknown: 'The payment provider has a charge that is not recorded here.',
    charge_missing: 'A payment is recorded as paid, but the payment provider has no charge for it.',
    charge_in_doubt: 'A renewal may already have been charged. It is not retried until you decide.',
    checkout_unknown: 'A reader completed a checkout that is not recorded here.',
    amount_differs: 'The payment provider charged a different amount than the one recorded here.',
    refund_unknown: 'The payment provider refunded more than is left of a payment.',
    order_waiting: 'A renewal or refund waits for the payment provider. The payment shows why.',
    object_unreadable:
      'The payment provider has a payment, refund or dispute of yours that can’t be read here.',
  },
  attentionRef: (ref: string) => `Search for ${ref} in the payment provider’s dashboard.`,
  openPayment: 'Open payment',
} as const
