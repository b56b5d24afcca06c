import { unreadable } from './trouble.ts'

/** A saved card, in one string: whose it is, and which. */
export function joinMethod(saved: {
  customer: string | null
  payment_method: string | null
}): string {
  if (saved.customer === null || saved.payment_method === null) throw unreadable('a saved card')
  return `${saved.customer}:${saved.payment_method}`
}

/** Undefined for a card that was saved elsewhere. */
export function readMethod(method: string) {
  const match = /^(cus_\w+):(\w+)$/.exec(method)
  return match ? { customer: match[1] as string, paymentMethod: match[2] as string } : undefined
}

const LONGEST_NAME = 250

/** What is bought, for payers and in Stripe's dashboard. */
export const describe = (title: string) => [...title].slice(0, LONGEST_NAME).join('')
