import { pluralize } from '../format.ts'

export const subscriptionsTexts = {
  price: 'Price',
  next: 'Next',
  started: 'Started',
  every: (period: string) => `every ${period.replace(/^1 /, '')}`,
  states: {
    trialing: 'Trial',
    active: 'Active',
    past_due: 'Past due',
    canceled: 'Canceled',
    ended: 'Ended',
  },
  short: {
    renews: (day: string) => `Renews ${day}`,
    free: (day: string) => `Free until ${day}`,
    retries: (day: string) => `Retry ${day}`,
    graceEnds: (day: string) => `Ends ${day}`,
    ends: (day: string) => `Ends ${day}`,
    ended: (day: string) => `Ended ${day}`,
    charging: 'Charging now',
  },
  story: {
    renews: (day: string, price: string) => `This subscription renews on ${day} for ${price}.`,
    free: (day: string, price: string) =>
      `The trial is free until ${day}. After that, the card is charged ${price} automatically.`,
    retries: (tries: number, day: string, until: string) =>
      `${pluralize(tries, 'charge', 'charges')} failed. The card is charged again on ${day}. The reader has access ${until}.`,
    graceEnds: (tries: number, day: string) =>
      `${pluralize(tries, 'charge', 'charges')} failed, and there are no more retries. The subscription ends on ${day} unless the reader adds another card.`,
    ends: (day: string) =>
      `This subscription is canceled and will not renew. The reader keeps access until ${day}; until then, the subscription can be resumed.`,
    ended: (day: string) =>
      `This subscription ended on ${day}. It can’t be resumed, but the reader can subscribe again.`,
    charging: 'The card is being charged now.',
  },
  period: 'Current period',
  span: (from: string, to: string) => `${from} to ${to}`,
  trialEnds: 'Trial ends',
  canceledOn: 'Canceled',
  endedOn: 'Ended',
  card: 'Card',
  hasCard: 'On file',
  noCard: 'None: renewals are not charged here',
  access: 'Access ID',
  payments: 'Payments',
  noPayments: 'No payments yet.',
  cancelIt: 'Cancel subscription',
  keepIt: 'Keep subscription',
  cancelTitle: (who: string, what: string) => `Cancel ${who}’s subscription to ${what}?`,
  cancelEffect: (day: string) => `Access continues until ${day}. The subscription will not renew.`,
  cancelNow: 'The paid period is over, so access ends immediately. This can’t be undone.',
  cancelMail: (email: string) => `${email} gets an email about it.`,
  cancelMailKept: 'The reader gets no email, because no mail server is set up.',
  cancelLater: 'You can resume the subscription until then. Nothing is refunded.',
  canceled: (who: string) => `${who}’s subscription is canceled.`,
  resume: 'Resume subscription',
  resumed: (who: string) => `${who}’s subscription is resumed.`,
  accountLink: 'Account link',
  accountLinkTitle: (who: string) => `Account link for ${who}`,
  accountLinkLead:
    'It opens the page where the reader sees the subscription, changes the card and cancels. Whoever has the link can do that: send it to the reader only.',
  emptyTitle: 'No subscriptions yet',
  empty:
    'Give a resource a subscription price. Readers who subscribe are listed here, with their payments and the next renewal.',
} as const

export const paymentsTexts = {
  amount: 'Amount',
  when: 'When',
  settled: 'Settled',
  flag: 'Needs attention',
  refundedFrom: 'Refunded since',
  states: {
    pending: 'Pending',
    succeeded: 'Paid',
    failed: 'Failed',
    partially_refunded: 'Partly refunded',
    refunded: 'Refunded',
    disputed: 'Disputed',
    lost: 'Dispute lost',
  },
  flags: {
    any: 'Any reason',
    late: 'Late',
    duplicate: 'Duplicate',
    mismatch: 'Mismatch',
  },
  flagHints: {
    late: 'The payment arrived after the checkout or subscription had ended. It is refunded automatically.',
    duplicate: 'The reader had already paid for this. The payment is refunded automatically.',
    mismatch:
      'The amount or currency differs from what was charged. Compare it with the payment provider’s dashboard.',
  },
  failures: {
    declined: 'The card was declined.',
    needs_payer: 'The bank requires the reader to confirm the payment.',
    no_card: 'There is no card on file.',
    ended: 'The subscription had ended, so the card was not charged.',
  } as Readonly<Record<string, string>>,
  failed: (why: string) => `The payment failed: ${why}`,
  disputed:
    'The reader’s bank was asked to take the money back. Until the bank decides, the payment can’t be refunded.',
  lost: 'The reader’s bank took the money back.',
  pending: 'The payment provider has not confirmed this payment yet.',
  title: (money: string) => `Payment of ${money}`,
  period: 'Period paid for',
  refunded: 'Refunded',
  left: 'Refundable',
  subscription: 'Subscription',
  openSubscription: 'Open subscription',
  once: 'None (one-time purchase)',
  providerRef: 'Provider’s payment ID',
  refunds: 'Refunds',
  noRefunds: 'No refunds.',
  actors: {
    api: 'Your site',
    cli: 'Command line',
    reader: 'The reader',
    worker: 'Gatehouse, automatically',
  } as Readonly<Record<string, string>>,
  team: 'The team',
  reasons: {
    disputed: 'In dispute',
    late: 'Paid too late',
    duplicate: 'Paid twice',
  } as Readonly<Record<string, string>>,
  refundStates: { pending: 'In progress', succeeded: 'Refunded', failed: 'Failed' },
  refund: 'Refund',
  refundTitle: (who: string) => `Refund ${who}`,
  refundLead: (what: string, day: string) => `For ${what}, paid on ${day}.`,
  refundAmount: (currency: string) => `Amount in ${currency}`,
  refundHint: (most: string) => `Up to ${most}.`,
  notAnAmount: 'Enter an amount, such as 4.99.',
  tooMuch: (most: string) => `You can refund up to ${most}.`,
  wholeEffect: (money: string, who: string) =>
    `${who} gets ${money} back. This is a full refund, so the access it paid for ends immediately.`,
  partEffect: (money: string, left: string, who: string) =>
    `${who} gets ${money} back and keeps access. ${left} is not refunded.`,
  refundGo: (money: string) => `Refund ${money}`,
  refundDone: (money: string, who: string) => `${money} refunded to ${who}.`,
  refundPending: (money: string) =>
    `The refund of ${money} is in progress. The payment provider has not confirmed it yet.`,
  refundFailed: (money: string) => `The refund of ${money} failed. Open the payment to see why.`,
  emptyTitle: 'No payments yet',
  empty:
    'Give a resource a price and link to its checkout. Each payment is listed here, and you can refund it in full or in part.',
} as const
