import { unreadable } from './errors.ts'

/** The type that Stripe gives to cards, also to those in a wallet such as Apple Pay. */
export const CARD = 'card'

/** Joins the customer, the payment method and its type into one string. The type is omitted for cards. */
export function encodeSavedCard(
  saved: { customer: string | null; payment_method: string | null },
  type: string | undefined,
): string {
  if (saved.customer === null || saved.payment_method === null) throw unreadable('a saved card')
  const suffix = type === undefined || type === CARD ? '' : `:${type}`
  return `${saved.customer}:${saved.payment_method}${suffix}`
}

/** Returns undefined for a card that was not saved by Stripe. Without a type, it is probably a card: one that was saved by
 * an older version, or found by a reconciliation, may be of another type. */
export function decodeSavedCard(method: string) {
  const match = /^(cus_\w+):(\w+?)(?::([a-z][a-z_]*))?$/.exec(method)
  if (!match) return undefined
  const [, customer = '', paymentMethod = '', type] = match
  return { customer, paymentMethod, type }
}

const MAX_NAME = 250

/** Returns the title for payers and for Stripe's dashboard, cut to the maximum length. */
export const stripeTitle = (title: string) => [...title].slice(0, MAX_NAME).join('')
