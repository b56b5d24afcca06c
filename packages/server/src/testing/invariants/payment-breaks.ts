import type { Break } from './break.ts'

/** Breaks rules about payments, refunds, subscriptions, checkouts and revenue. */
export const PAYMENT_BREAKS: readonly Break[] = [
  {
    rule: 'a payment is whole, positive, and never refunded by more than it was',
    break: `update payments set refunded = amount + 1`,
  },
  {
    rule: 'what was refunded of a payment is the sum of its refunds that succeeded',
    break: `update refunds set status = 'failed'`,
  },
  {
    rule: 'refunds that are made or on their way are not more than the payment',
    break: `insert into refunds select id || '2', aid, payment_id, 1, currency, 'pending', reason,
      'again', actor, created, null, null, 0, 1, null, null, 0 from refunds`,
  },
  {
    rule: 'a refund has the currency and the application of its payment',
    break: `update refunds set currency = 'USD'`,
  },
  {
    rule: 'a period is charged at most once',
    before: 'drop index payments_one_per_period',
    break: `insert into payments select id || '2', aid, rid, uid, access_id, subscription_id, null,
      period_start, period_end, amount, 0, currency, provider, null, method, 'succeeded', null, null,
      created, settled, 0, null, null, null, 0, null, null, 0, 0, 0, null from payments where subscription_id is not null`,
  },
  {
    rule: 'the status of a payment follows from its refunds',
    break: `update payments set status = 'succeeded'`,
  },
  ...[
    `update payments set status = 'lost'`,
    'update payments set lost = created, lost_amount = amount',
    'update payments set lost = created, lost_amount = amount + 1',
    'update payments set disputed_amount = 1',
    'update payments set refundable_in_dispute = 1',
  ].map((broken) => ({
    rule: 'the status of a payment follows from what disputes took',
    break: broken,
  })),
  {
    rule: 'only a payment or a refund that is pending waits for the provider',
    break: `update payments set due = 1`,
  },
  {
    rule: 'only a payment or a refund that is pending waits for the provider',
    break: `update refunds set status = 'pending'`,
  },
  {
    rule: 'a subscription that is not ended holds its access open',
    break: `update sources set closed = created where kind = 'subscription'`,
  },
  {
    rule: 'a subscription that is not ended holds its access open',
    break: `update subscriptions set status = 'ended'`,
  },
  {
    rule: 'a subscription is of the user and the resource of its access',
    break: `update subscriptions set rid = 'news'`,
  },
  {
    rule: 'at most one subscription that is not ended per application, resource and user',
    before: 'drop index subscriptions_one_open',
    break: `update subscriptions set status = 'active', uid = 'same'`,
  },
  {
    rule: 'a subscription waits for a moment or for a payment, until it has ended',
    break: `update subscriptions set next_due = null, next_step = null`,
  },
  {
    rule: 'a subscription waits for a moment or for a payment, until it has ended',
    break: `update subscriptions set ended = null`,
  },
  {
    rule: 'a paid source has its payment, which was not refunded in full or lost',
    break: `update payments set status = 'lost'`,
  },
  {
    rule: 'a paid source has its payment, which was not refunded in full or lost',
    break: `update sources set payment_id = 'none' where kind = 'purchase'`,
  },
  {
    rule: 'money that opened nothing is flagged',
    break: `update payments set access_id = null`,
  },
  {
    rule: 'a checkout that is paid has a time of payment',
    break: `update checkouts set paid = null`,
  },
  {
    rule: 'a checkout that was refused was completed, and begins no subscription',
    break: `update checkouts set refusal = 'duplicate'`,
  },
  {
    rule: 'what a link buys is bought once',
    before: 'drop index checkouts_one_per_link',
    break: `update checkouts set link_mark = 'one'`,
  },
  {
    rule: 'no row is from the future',
    break: `insert into trials select aid, 'pass', 'card', 'mark', 99999999999 from applications limit 1`,
  },
  { rule: 'no row is from the future', break: `update payments set created = created + 1` },
  {
    rule: 'only a payment whose dispute was lost has the time of it',
    break: 'update payments set lost = created',
  },
  {
    rule: 'only a payment whose dispute was lost has the time of it',
    break: 'update payments set lost_amount = 1',
  },
  ...[
    'update revenue_totals set taken = taken + 1',
    `update revenue_totals set sales = sales - 1 where rid = ''`,
    `update revenue_totals set lost = lost + 1 where rid <> ''`,
    'delete from revenue_totals',
    'update revenue_totals set at = at + 900',
    'delete from revenue_totals where size = 86400',
    'delete from revenue_totals where size = 5529600',
    `insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost)
      select aid, currency, rid, at, 1, 0, 0, 0 from revenue_totals where size = 691200`,
  ].map((broken) => ({
    rule: 'the sums of revenue are those of the payments and the refunds',
    break: broken,
  })),
  ...[
    'delete from provider_refs',
    `update provider_refs set ref = ref || 'x'`,
    `update payments set provider_ref = null where provider_ref is not null`,
  ].map((broken) => ({
    rule: 'the provider’s reference leads to its payment, and to no other',
    break: broken,
  })),
]
