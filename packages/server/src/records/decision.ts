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
    description: 'What gives access.',
  }),
  id: Type.String({
    description:
      'The id of the subscription, of the payment of a purchase, or of the access record of a grant: ' +
      'what `if` takes after `cancel:`, `refund:` and `revoke:`.',
  }),
  from: Type.Integer({
    description: 'Since when it gives access, in seconds; in the future for a queued period.',
  }),
  until: optionalTime('When it ends, in seconds; left out if it has no end.'),
  via: Type.Optional(
    Type.String({ description: 'The rid of the pass that it gives access through.' }),
  ),
})

const Offer = declareRecord('Offer', {
  price: Type.String({ description: 'The id of the price.' }),
  rid: Type.String({ description: 'What is sold: the resource, or a pass that opens it.' }),
  amount: Type.Number({ description: 'In major units of the currency.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  recurring: Type.Boolean({ description: 'Whether it is a subscription.' }),
  trial_days: Type.Integer({ description: 'Days before the first charge; 0 without a trial.' }),
  period: Type.Optional(
    Type.String({ description: 'As `1 month`; left out if it is bought once, without an end.' }),
  ),
})

const described = {
  rid: Type.String({ description: 'The resource, as it was asked.' }),
  granted: Type.Boolean({
    description: 'Whether the reader may see it. Nothing else in this record says so.',
  }),
  code: Type.Enum([...GRANTED_CODES, ...REFUSED_CODES], {
    description:
      `Why. If granted: ${listMeanings(GRANTED_CODES)} ` +
      `If not, what ended last: ${listMeanings(REFUSED_CODES)}`,
  }),
  sources: Type.Array(Type.Unsafe<Static<typeof AccessSource>>(Type.Ref('AccessSource')), {
    description: 'Everything that gives access now or later; empty if it is not granted.',
  }),
  until: optionalTime(
    'When access ends, in seconds, as `expires` of `GET /r2/access`; left out if it has no end or is not granted.',
  ),
  next_change: optionalTime(
    'The earliest time, in seconds, at which this answer can change by itself; left out if it can not.',
  ),
  via: Type.Optional(
    Type.String({
      description: 'The rid of the pass that decides; left out if no pass does.',
    }),
  ),
  access_id: Type.Optional(
    Type.String({ description: 'The access record; left out if it is not granted.' }),
  ),
}

export const AccessCheck = declareRecord('AccessCheck', {
  ...described,
  offers: Type.Array(Type.Unsafe<Static<typeof Offer>>(Type.Ref('Offer')), {
    description:
      'What the reader could buy: the resource and passes that open it; empty if access is granted.',
  }),
  since: optionalTime(
    'When access ended, in seconds; left out if it is granted or there never was any.',
  ),
})

export const AccessChecks = declareRecord('AccessChecks', {
  now: Type.Integer({ description: 'The time of the answer, in seconds.' }),
  user_ref: Type.String({ description: 'The reader, as asked.' }),
  checks: Type.Array(Type.Ref('AccessCheck'), {
    description: 'One for each rid, in the order of the request.',
  }),
})

declareRecord('Opens', {
  rids: Type.Array(Type.String(), { description: 'Resources, by rid.' }),
  prefixes: Type.Array(Type.String(), {
    description: 'All resources whose rid begins with one of these.',
  }),
  all: Type.Boolean({ description: 'Whether it opens everything.' }),
})

declareRecord('Entitlement', {
  ...described,
  opens: Type.Optional(
    Type.Unsafe<Opens>({
      ...Type.Ref('Opens'),
      description: 'What a pass opens; left out if this is none.',
    }),
  ),
})

export const EntitlementPage = declareRecord('EntitlementPage', {
  now: Type.Integer({ description: 'The time of the answer, in seconds.' }),
  user_ref: Type.String({ description: 'The reader, as asked.' }),
  data: Type.Array(Type.Ref('Entitlement'), {
    description: 'The entitlements of this page, by rid.',
  }),
  more: Type.Boolean({ description: 'Whether there are more of them.' }),
  cursor: Type.Optional(
    Type.String({ description: 'Where the next page begins; left out on the last one.' }),
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
