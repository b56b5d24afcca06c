import { pluralize } from '../format.ts'

/** The meaning of each figure. `docs/run/figures.md` has the same sentences, which a test compares. */
export const definitions = {
  net: 'What readers paid, minus refunds and lost disputes. A payment counts on the day its money was taken, a refund on the day it was made, and a dispute on the day it was lost.',
  mrr: 'Monthly recurring revenue: what all paid subscriptions in this currency are worth a month. A price for another period counts as one twelfth of what it costs in a year of 12 months, 52 weeks or 365 days, rounded to the smallest unit of the currency.',
  subscribers:
    'Subscriptions that were paid for and have not ended, in all currencies. A canceled subscription counts until its paid time is over, and one whose payment failed until it ends. Trials don’t count. A reader with two subscriptions counts twice.',
  conversion:
    'How many of the trials that were decided in this range became paid subscriptions. A trial converts on the day it ends, as soon as its first payment succeeds; it is lost on the day it ends unpaid.',
  new: 'Subscriptions that became paid, of readers who never paid for one to the same resource before. A trial counts on the day it converts.',
  back: 'Subscriptions that became paid, of readers whose earlier paid subscription to the same resource had ended.',
  left: 'Paid subscriptions that ended, on the day they ended: canceled and run out, unpaid, refunded or revoked.',
  byResource:
    'The net revenue of each resource in this range and currency, and how many payments it comes from.',
} as const

export const figuresTexts = {
  definitions,
  range: 'Time range',
  ranges: {
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    '90d': 'Last 90 days',
    month: 'This month',
    last_month: 'Last month',
    quarter: 'This quarter',
    year: 'This year',
    custom: 'Other days…',
  },
  first: 'First day',
  last: 'Last day',
  apply: 'Show',
  currency: 'Currency',
  span: (first: string, last: string) => (first === last ? first : `${first} – ${last}`),
  zone: (span: string, zone: string) => `${span}. Days are in the time zone ${zone}.`,
  changeZone: 'Change the time zone',
  net: 'Net revenue',
  mrr: 'MRR',
  subscribers: 'Subscribers',
  conversion: 'Trials converted',
  noTrials: 'No trial was decided in this range.',
  against: (difference: string, before: string, span: string) =>
    `${difference} from ${before} (${span})`,
  same: (span: string) => `unchanged (${span})`,
  sinceStart: (difference: string) => `${difference} in this range`,
  noChange: 'no change in this range',
  trialsOf: (converted: number, decided: number) =>
    `${converted} of ${pluralize(decided, 'trial', 'trials')}`,
  trialsRunning: (running: string) => `${running} running now`,
  trialsStarted: (started: string) => `${started} started`,
  trialsLost: (lost: string) => `${lost} lost`,
  parts: {
    taken: 'Payments',
    refunded: 'Refunds',
    lost: 'Lost disputes',
  },
  units: { day: 'Day', week: 'Week', month: 'Month' },
  chart: (name: string, total: string, bars: number, unit: string) =>
    `${name}: ${total}, as ${bars === 1 ? 'one bar' : `${bars} bars`} by ${unit.toLowerCase()}. The table shows the numbers.`,
  exportCsv: 'Export CSV',
  movements: 'Subscribers and MRR',
  movement: 'Movement',
  start: 'At the start',
  new: 'New',
  back: 'Back',
  left: 'Left',
  end: 'At the end',
  openList: (name: string, count: string) => `${name}: ${count}. Open the list`,
  byResource: 'Revenue by resource',
  resource: 'Resource',
  payments: 'Payments',
  noRevenue: 'Nothing was paid in this range and currency.',
  activity: 'Recent activity',
  noActivity: 'Nothing has been paid yet.',
  happened: {
    paid: (who: string, money: string, what: string) => `${who} paid ${money} for ${what}`,
    failed: (who: string, money: string, what: string) =>
      `A payment of ${money} by ${who} for ${what} failed`,
    refunded: (who: string, money: string, what: string) =>
      `${who} was refunded ${money} for ${what}`,
    trial_started: (who: string, _money: string, what: string) =>
      `${who} started a trial of ${what}`,
    left: (who: string, _money: string, what: string) => `${who}’s subscription to ${what} ended`,
  },
  somebody: 'Somebody',
  empty: 'No sales yet',
  emptyText:
    'As soon as a reader buys something, you see here what you earned, who subscribed, who left, and which resources sell.',
  emptyTrial: 'Trying Gatehouse out? Test purchases are in the sandbox.',
  openSandbox: 'Open the sandbox',
  emptyAction: 'Go to resources',
} as const
