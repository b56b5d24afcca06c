import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { LabeledTerms, Labels } from '../labels.ts'

/** Metadata keys on everything that we create at Stripe, by which we recognize it. */
export const METADATA_KEYS = {
  installation: 'gatehouse_installation',
  aid: 'gatehouse_aid',
  rid: 'gatehouse_rid',
  uid: 'gatehouse_uid',
  userRef: 'gatehouse_user_ref',
  subscription: 'gatehouse_subscription',
  period: 'gatehouse_period',
  attempt: 'gatehouse_attempt',
  checkout: 'gatehouse_checkout',
  payment: 'gatehouse_payment',
  refund: 'gatehouse_refund',
  reference: 'gatehouse_reference',
  terms: 'gatehouse_terms',
} as const

type Metadata = Record<string, string>

/** Omits undefined labels. All values fit into Stripe's limit of 500 characters. */
export function toMetadata(labels: Labels): Metadata {
  const { periodStart, attempt, terms } = labels
  const all = {
    [METADATA_KEYS.installation]: labels.installation,
    [METADATA_KEYS.aid]: labels.aid,
    [METADATA_KEYS.rid]: labels.rid,
    [METADATA_KEYS.uid]: labels.uid,
    [METADATA_KEYS.userRef]: labels.userRef,
    [METADATA_KEYS.subscription]: labels.subscriptionId,
    [METADATA_KEYS.period]: periodStart?.toString(),
    [METADATA_KEYS.attempt]: attempt?.toString(),
    [METADATA_KEYS.checkout]: labels.checkoutId,
    [METADATA_KEYS.payment]: labels.paymentId,
    [METADATA_KEYS.refund]: labels.refundId,
    [METADATA_KEYS.reference]: labels.reference,
    [METADATA_KEYS.terms]: terms && JSON.stringify(terms),
  }
  const known = Object.entries(all).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as Metadata
}

export function readLabels(metadata: Readonly<Metadata> | null): Labels {
  const all = metadata ?? {}
  return {
    installation: all[METADATA_KEYS.installation],
    aid: all[METADATA_KEYS.aid],
    rid: all[METADATA_KEYS.rid],
    uid: all[METADATA_KEYS.uid],
    userRef: all[METADATA_KEYS.userRef],
    subscriptionId: all[METADATA_KEYS.subscription],
    periodStart: parseInteger(all[METADATA_KEYS.period]),
    attempt: parseInteger(all[METADATA_KEYS.attempt]),
    checkoutId: all[METADATA_KEYS.checkout],
    paymentId: all[METADATA_KEYS.payment],
    refundId: all[METADATA_KEYS.refund],
    reference: all[METADATA_KEYS.reference],
    terms: parseTerms(all[METADATA_KEYS.terms]),
  }
}

const parseInteger = (text: string | undefined) =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined

const Terms = Type.Object({
  recurring: Type.Union([Type.Literal(0), Type.Literal(1)]),
  period: Type.Union([Type.String(), Type.Null()]),
  trial_days: Type.Integer({ minimum: 0 }),
  isVouched: Type.Boolean(),
})

/** Staff of the Stripe account can edit metadata: unreadable terms count as absent. */
function parseTerms(text: string | undefined): LabeledTerms | undefined {
  try {
    const terms: unknown = JSON.parse(text ?? '')
    return Value.Check(Terms, terms) ? terms : undefined
  } catch {
    return undefined
  }
}
