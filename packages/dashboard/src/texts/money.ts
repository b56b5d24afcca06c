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
    retries: (day: string) => `Next try ${day}`,
    graceEnds: (day: string) => `Ends ${day}`,
    ends: (day: string) => `Ends ${day}`,
    ended: (day: string) => `Ended ${day}`,
    charging: 'Being charged',
  },
  story: {
    renews: (day: string, price: string) => `It renews on ${day} for ${price}.`,
    free: (day: string, price: string) =>
      `It is free until ${day}. Then it costs ${price}, and the card is charged by itself.`,
    retries: (tries: number, day: string) =>
      `${pluralize(tries, 'charge', 'charges')} failed. The card is tried again on ${day}; until then the reader can go on reading.`,
    graceEnds: (tries: number, day: string) =>
      `${pluralize(tries, 'charge', 'charges')} failed, and the card is not tried again. It ends on ${day} unless the reader gives another card.`,
    ends: (day: string) =>
      `It was canceled, and does not renew. The reader can go on reading until ${day}, and it can be resumed until then.`,
    ended: (day: string) =>
      `It ended on ${day}. It can’t be resumed; the reader can subscribe again.`,
    charging: 'The card is being charged right now.',
  },
  period: 'This period',
  span: (from: string, to: string) => `${from} to ${to}`,
  trialEnds: 'Trial ends',
  canceledOn: 'Canceled',
  endedOn: 'Ended',
  card: 'Card',
  hasCard: 'On file',
  noCard: 'None: renewals are not charged here',
  access: 'Access id',
  payments: 'Payments',
  noPayments: 'Nothing was paid yet.',
  cancelIt: 'Cancel the subscription',
  keepIt: 'Keep it',
  cancelTitle: (who: string, what: string) => `Cancel ${who}’s subscription to ${what}?`,
  cancelEffect: (day: string) => `Access goes on until ${day}. After that, 0 renewals.`,
  cancelNow: 'What was paid for is over already: access ends at once, and for good.',
  cancelMail: (email: string) => `A mail to ${email} says so.`,
  cancelMailKept: 'No mail server is set up: the mail that says so is kept here.',
  cancelLater: 'Until then it can be resumed. Nothing is paid back.',
  canceled: (who: string) => `${who}’s subscription is canceled.`,
  resume: 'Resume',
  resumed: (who: string) => `${who}’s subscription goes on.`,
  emptyTitle: 'Nobody has subscribed yet',
  empty:
    'Give a resource a price that recurs. Whoever buys it there is listed here, with the next renewal and what was paid.',
  toResources: 'To the resources',
} as const

export const paymentsTexts = {
  amount: 'Amount',
  when: 'When',
  settled: 'Settled',
  flag: 'To look at',
  refundedFrom: 'Paid back since',
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
    late: 'The money came after what it was for had ended. It is paid back by itself.',
    duplicate: 'The reader had this already. It is paid back by itself.',
    mismatch:
      'Another amount or currency came than was asked for. Compare it with what the payment provider shows.',
  },
  failures: {
    declined: 'The card was declined.',
    needs_payer: 'The bank wants the reader to confirm the payment.',
    no_card: 'There is no card on file.',
    ended: 'The subscription had ended. The card was not charged.',
  } as Readonly<Record<string, string>>,
  failed: (why: string) => `The payment failed: ${why}`,
  disputed:
    'The reader’s bank is asked to take the money back. It decides; it can’t be refunded meanwhile.',
  lost: 'The bank took the money back.',
  pending: 'The payment provider has not said yet how it went.',
  title: (money: string) => `Payment of ${money}`,
  period: 'For the time',
  refunded: 'Refunded',
  left: 'Can be refunded',
  subscription: 'Subscription',
  openSubscription: 'Open the subscription',
  once: 'No, bought once',
  providerRef: 'Id at the provider',
  refunds: 'Refunds',
  noRefunds: 'Nothing was paid back.',
  actors: {
    api: 'Your site',
    cli: 'Command line',
    reader: 'The reader',
    worker: 'Gatehouse, by itself',
  } as Readonly<Record<string, string>>,
  team: 'The team',
  reasons: {
    disputed: 'In dispute',
    late: 'Came too late',
    duplicate: 'Was paid twice',
  } as Readonly<Record<string, string>>,
  refundStates: { pending: 'Under way', succeeded: 'Paid back', failed: 'Failed' },
  refund: 'Refund',
  refundTitle: (who: string) => `Refund ${who}`,
  refundLead: (what: string, day: string) => `For ${what}, paid on ${day}.`,
  refundAmount: (currency: string) => `Amount in ${currency}`,
  refundHint: (most: string) => `At most ${most}.`,
  notAnAmount: 'This is not an amount, such as 4.99.',
  tooMuch: (most: string) => `No more than ${most} is left.`,
  wholeEffect: (money: string, who: string) =>
    `${who} gets ${money} back. That is all of it: what this payment paid for ends at once.`,
  partEffect: (money: string, left: string, who: string) =>
    `${who} gets ${money} back; ${left} stay paid. Access goes on as it is.`,
  refundGo: (money: string) => `Refund ${money}`,
  refundDone: (money: string, who: string) => `${money} went back to ${who}.`,
  refundPending: (money: string) =>
    `The refund of ${money} is under way. The payment provider has not answered yet.`,
  refundFailed: (money: string) =>
    `The refund of ${money} failed. Look at the payment for the reason.`,
  emptyTitle: 'Nothing was paid yet',
  empty:
    'Give a resource a price, and link to its checkout. Each payment is listed here, and can be refunded, whole or in part.',
} as const
