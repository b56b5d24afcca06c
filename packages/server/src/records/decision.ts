import { type Static, Type } from 'typebox'
import { FOREVER, type Seconds } from '../db/tables.ts'
import { toMajor } from '../domain/apps/currency.ts'
import { CODE_MEANINGS, GRANTED_CODES, REFUSED_CODES } from '../domain/decision/codes.ts'
import type { Decision, GivingSource } from '../domain/decision/decide.ts'
import type { Entitlement, Entitlements } from '../domain/decision/list.ts'
import type { Opens } from '../domain/passes/opens.ts'
import type { PriceRow } from '../domain/resources/prices.ts'
import { declareRecord } from './declare.ts'

const listMeanings = (codes: readonly (keyof typeof CODE_MEANINGS)[]) =>
  codes.map((code) => `\`${code}\`: ${CODE_MEANINGS[code]}`).join(' ')

const optionalTime = (description: string) => Type.Optional(Type.Integer({ description }))

const AccessSource = declareRecord('AccessSource', {
  kind: Type.Enum(['grant', 'purchase', 'subscription'], {
    description: 'The kind of source that gives access.',
  }),
  id: Type.String({
    description:
      'The id of the subscription, of the payment of a purchase, or of the access record of a grant: ' +
      'what `if` takes after `cancel:`, `refund:` and `revoke:`.',
  }),
  from: Type.Integer({
    description:
      'When the source starts to give access, in seconds since 1970; in the future for a queued period.',
  }),
  until: optionalTime(
    'When the source stops giving access, in seconds since 1970; left out if it has no end.',
  ),
  via: Type.Optional(
    Type.String({
      description:
        'ID of the pass through which the source gives access; left out if it is of the resource itself.',
    }),
  ),
})

const Offer = declareRecord('Offer', {
  price: Type.String({ description: 'ID of the price.' }),
  rid: Type.String({ description: 'ID of what is sold: the resource, or a pass that opens it.' }),
  amount: Type.Number({
    description: 'The price, in major units of the currency: 9.99 is 9.99 EUR.',
  }),
  currency: Type.String({ description: 'ISO 4217 code of the currency, such as `EUR`.' }),
  recurring: Type.Boolean({ description: 'Whether the offer is a subscription.' }),
  trial_days: Type.Integer({ description: 'Length of the free trial in days; 0 without a trial.' }),
  period: Type.Optional(
    Type.String({
      description:
        'The period that is paid for, such as `1 month`; left out for access without an end date.',
    }),
  ),
})

const described = {
  rid: Type.String({ description: 'ID of the resource, as in the request.' }),
  granted: Type.Boolean({
    description: 'Whether the reader may see the resource. Decide by this field alone.',
  }),
  code: Type.Enum([...GRANTED_CODES, ...REFUSED_CODES], {
    description:
      `The reason. If access is granted: ${listMeanings(GRANTED_CODES)} ` +
      `If not, the reason that applied last: ${listMeanings(REFUSED_CODES)}`,
  }),
  sources: Type.Array(Type.Unsafe<Static<typeof AccessSource>>(Type.Ref('AccessSource')), {
    description: 'The sources that give access now or later; empty if access is not granted.',
  }),
  until: optionalTime(
    'When access ends, in seconds since 1970, as `expires` of `GET /r2/access`; left out if it has no end or is not granted.',
  ),
  next_change: optionalTime(
    'The earliest time at which this answer can change by itself, in seconds since 1970; left out if it cannot.',
  ),
  via: Type.Optional(
    Type.String({
      description:
        'ID of the pass that the answer is based on; left out if it is not based on a pass.',
    }),
  ),
  access_id: Type.Optional(
    Type.String({
      description: 'ID of the access record that gives access; left out if access is not granted.',
    }),
  ),
}

export const AccessCheck = declareRecord('AccessCheck', {
  ...described,
  offers: Type.Array(Type.Unsafe<Static<typeof Offer>>(Type.Ref('Offer')), {
    description:
      'The prices at which the reader could buy the resource or a pass that opens it; empty if access is granted.',
  }),
  since: optionalTime(
    'When access ended, in seconds since 1970; left out if access is granted or there never was any.',
  ),
})

export const AccessChecks = declareRecord('AccessChecks', {
  now: Type.Integer({ description: 'The time for which the answer holds, in seconds since 1970.' }),
  user_ref: Type.String({ description: 'The `user_ref` of the reader, as in the request.' }),
  checks: Type.Array(Type.Ref('AccessCheck'), {
    description: 'One answer for each rid, in the order of the request.',
  }),
})

declareRecord('Opens', {
  rids: Type.Array(Type.String(), { description: 'IDs of single resources that the pass opens.' }),
  prefixes: Type.Array(Type.String(), {
    description: 'The pass opens all resources whose ID begins with one of these texts.',
  }),
  all: Type.Boolean({ description: 'Whether the pass opens all resources of the application.' }),
})

declareRecord('Entitlement', {
  ...described,
  opens: Type.Optional(
    Type.Unsafe<Opens>({
      ...Type.Ref('Opens'),
      description: 'The resources that the pass opens; left out if the resource is not a pass.',
    }),
  ),
})

export const EntitlementPage = declareRecord('EntitlementPage', {
  now: Type.Integer({ description: 'The time for which the answer holds, in seconds since 1970.' }),
  user_ref: Type.String({ description: 'The `user_ref` of the reader, as in the request.' }),
  data: Type.Array(Type.Ref('Entitlement'), {
    description: 'The entitlements of this page, sorted by rid.',
  }),
  more: Type.Boolean({ description: 'Whether there is another page.' }),
  cursor: Type.Optional(
    Type.String({
      description: 'The `cursor` parameter of the next page; left out on the last page.',
    }),
  ),
})

export type AccessCheckRecord = Static<typeof AccessCheck>

const time = <K extends string>(key: K, at: Seconds | undefined) =>
  (at === undefined || at === FOREVER ? {} : { [key]: at }) as { [key in K]?: Seconds }

function sourceRecord({ source, via }: GivingSource) {
  const { kind, access_id, payment_id, subscription_id, starts, created, ends } = source
  return {
    kind,
    id: subscription_id ?? payment_id ?? access_id,
    from: starts ?? created,
    ...time('until', ends),
    ...(via === undefined ? {} : { via }),
  }
}

export function offerRecord({
  id,
  rid,
  amount,
  currency,
  recurring,
  period,
  trial_days,
}: PriceRow) {
  return {
    price: id,
    rid,
    amount: toMajor(amount, currency),
    currency,
    recurring: recurring === 1,
    trial_days,
    ...(period === null ? {} : { period }),
  }
}

/** A decision as the API returns it. The id of the record is shown only if it lets the reader in. */
export function checkRecord(decision: Decision): AccessCheckRecord {
  const { rid, granted, code, via, nextChange } = decision
  const shared = {
    ...{ rid, granted, code },
    ...time('next_change', nextChange),
    ...(via === undefined ? {} : { via }),
  }
  if (!decision.granted) {
    const offers = decision.offers.map(offerRecord)
    return { ...shared, sources: [], offers, ...time('since', decision.since) }
  }
  return {
    ...shared,
    ...time('until', decision.until),
    access_id: decision.record.id,
    sources: decision.sources.map(sourceRecord),
    offers: [],
  }
}

/** An entitlement as the API returns it. */
export function entitlementRecord(one: Entitlement) {
  const { offers: _, ...record } = checkRecord(one)
  return one.opens === undefined ? record : { ...record, opens: one.opens }
}

/** A page of entitlements as the API returns it. */
export function entitlementPage(
  userRef: string,
  { entitlements, next }: Entitlements,
  now: Seconds,
) {
  return {
    now,
    user_ref: userRef,
    data: entitlements.map(entitlementRecord),
    more: next !== undefined,
    ...(next === undefined ? {} : { cursor: next }),
  }
}
