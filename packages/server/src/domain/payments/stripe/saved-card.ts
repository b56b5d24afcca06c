import { unreadable } from './errors.ts'

/** Joins the customer and the card into one string. */
export function encodeSavedCard(saved: {
  customer: string | null
  payment_method: string | null
}): string {
  if (saved.customer === null || saved.payment_method === null) throw unreadable('a saved card')
  return `${saved.customer}:${saved.payment_method}`
}

/** Returns undefined for a card that was not saved by Stripe. */
export function decodeSavedCard(method: string) {
  const match = /^(cus_\w+):(\w+)$/.exec(method)
  return match ? { customer: match[1] as string, paymentMethod: match[2] as string } : undefined
}

const MAX_NAME = 250

/** Returns the title for payers and for Stripe's dashboard, cut to the maximum length. */
export const stripeTitle = (title: string) => [...title].slice(0, MAX_NAME).join('')
