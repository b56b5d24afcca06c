import { type Static, Type } from 'typebox'
import { toMajor } from '../domain/apps/currency.ts'
import type { SubscriptionWithUser } from '../domain/subscriptions/search.ts'
import { declareRecord, pageSchema } from './declare.ts'
import { endOrNull } from './end.ts'
import { pickMinorMoney } from './money.ts'
import { withoutNulls } from './without-nulls.ts'

export const Subscription = declareRecord('Subscription', {
  id: Type.String({ description: 'ID of the subscription.' }),
  aid: Type.String({ description: 'ID of the application.' }),
  rid: Type.String({ description: 'ID of the resource, as your site names it.' }),
  uid: Type.String({ description: "Gatehouse's ID of the user, which never changes." }),
  user_ref: Type.String({
    description:
      'The `user_ref` of the access that the subscription grants; the uid if it has none.',
  }),
  user_email: Type.String({
    description: "The user's verified email address; empty if there is none.",
  }),
  status: Type.Enum(['trialing', 'active', 'past_due', 'canceled', 'ended'], {
    description: 'State of the subscription. All states but `ended` grant access.',
  }),
  amount: Type.Number({
    description: 'Price of each period, in major units of the currency: 9.99 is 9.99 EUR.',
  }),
  currency: Type.String({ description: 'ISO 4217 code of the currency, such as `EUR`.' }),
  period: Type.String({ description: 'Length of each period, such as `1 month` or `3 months`.' }),
  created: Type.Integer({ description: 'When the subscription began, in seconds since 1970.' }),
  current_period_start: Type.Integer({
    description: 'When the current period began, in seconds since 1970.',
  }),
  current_period_end: Type.Integer({
    description:
      'When the current period ends, in seconds since 1970. The next charge is due then, unless the subscription is canceled.',
  }),
  cancel_at_period_end: Type.Boolean({
    description: 'Whether the subscription ends with the current period instead of being renewed.',
  }),
  canceled: Type.Optional(
    Type.Integer({
      description:
        'When the subscription was canceled, in seconds since 1970; left out if it was not.',
    }),
  ),
  access_id: Type.String({ description: 'ID of the access record that the subscription grants.' }),
})

export const SubscriptionPage = declareRecord('SubscriptionPage', pageSchema('Subscription'))

export const ManageLink = declareRecord('ManageLink', {
  url: Type.String({
    description: 'URL of the page where the reader changes the card, cancels or resumes.',
  }),
  expires: Type.Integer({ description: 'When the link expires, in seconds since 1970.' }),
})

export type SubscriptionRecord = Static<typeof Subscription>

/** A subscription as the API returns it. */
export function subscriptionRecord(row: SubscriptionWithUser): SubscriptionRecord {
  return {
    id: row.id,
    aid: row.aid,
    rid: row.rid,
    uid: row.uid,
    user_ref: row.user_ref ?? row.uid,
    user_email: row.email ?? '',
    status: row.status,
    amount: toMajor(row.amount, row.currency),
    currency: row.currency,
    period: row.period,
    created: row.created,
    current_period_start: row.current_period_start,
    current_period_end: row.current_period_end,
    cancel_at_period_end: row.status === 'canceled',
    ...(row.canceled === null ? {} : { canceled: row.canceled }),
    access_id: row.access_id,
  }
}

/** The fields that the API leaves out. */
const internals = ({
  trial_ends,
  ended,
  next_due,
  next_step,
  provider,
  method,
}: SubscriptionWithUser) => ({
  ...{ trial_ends, ended, next_due, next_step, provider },
  has_card: method !== null,
})

/** The same with what the API leaves out, for the command line. */
export function subscriptionDetails(row: SubscriptionWithUser) {
  const { trial_ends, ended, next_due, provider, has_card } = internals(row)
  // The step has a meaning only while it is due.
  const next_step = next_due === null ? null : row.next_step
  return {
    ...subscriptionRecord(row),
    ...withoutNulls({ trial_ends, ended, next_due, next_step, provider, has_card }),
  }
}

/** The same for the dashboard: money in minor units, and null for what is not there. */
export function subscriptionItem(row: SubscriptionWithUser) {
  const { id, rid, uid, user_ref, user_email: email, status, ...record } = subscriptionRecord(row)
  const { period, created, current_period_start, current_period_end, access_id } = record
  return {
    ...{
      id,
      rid,
      uid,
      email,
      access_id,
      user_ref,
      status,
      price: pickMinorMoney(row),
      period,
      created,
    },
    ...{ current_period_start, current_period_end, canceled: row.canceled },
    access_ends: endOrNull(row.access_ends),
    ...internals(row),
    tries: row.tries,
  }
}
