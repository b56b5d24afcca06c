import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { LabeledTerms, Labels } from '../labels.ts'

/** Metadata keys on everything that we create at Stripe, by which we recognize it. */
export const OUR = {
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
    [OUR.installation]: labels.installation,
    [OUR.aid]: labels.aid,
    [OUR.rid]: labels.rid,
    [OUR.uid]: labels.uid,
    [OUR.userRef]: labels.userRef,
    [OUR.subscription]: labels.subscriptionId,
    [OUR.period]: periodStart?.toString(),
    [OUR.attempt]: attempt?.toString(),
    [OUR.checkout]: labels.checkoutId,
    [OUR.payment]: labels.paymentId,
    [OUR.refund]: labels.refundId,
    [OUR.reference]: labels.reference,
    [OUR.terms]: terms && JSON.stringify(terms),
  }
  const known = Object.entries(all).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as Metadata
}

export function readLabels(metadata: Metadata | null): Labels {
  const all = metadata ?? {}
  return {
    installation: all[OUR.installation],
    aid: all[OUR.aid],
    rid: all[OUR.rid],
    uid: all[OUR.uid],
    userRef: all[OUR.userRef],
    subscriptionId: all[OUR.subscription],
    periodStart: wholeIn(all[OUR.period]),
    attempt: wholeIn(all[OUR.attempt]),
    checkoutId: all[OUR.checkout],
    paymentId: all[OUR.payment],
    refundId: all[OUR.refund],
    reference: all[OUR.reference],
    terms: termsIn(all[OUR.terms]),
  }
}

const wholeIn = (text: string | undefined) =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined

const Terms = Type.Object({
  recurring: Type.Union([Type.Literal(0), Type.Literal(1)]),
  period: Type.Union([Type.String(), Type.Null()]),
  trial_days: Type.Integer({ minimum: 0 }),
  isVouched: Type.Boolean(),
})

/** Staff of the Stripe account can edit metadata: unreadable terms count as absent. */
function termsIn(text: string | undefined): LabeledTerms | undefined {
  try {
    const terms: unknown = JSON.parse(text ?? '')
    return Value.Check(Terms, terms) ? terms : undefined
  } catch {
    return undefined
  }
}
