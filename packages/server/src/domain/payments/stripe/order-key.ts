/** The idempotency key of an order. Stripe repeats a stored refusal for a day, so each refusal leads to another key. */
export const orderKey = (kind: 'charge' | 'refund', id: string, refusals: number): string =>
  `gatehouse-${kind}-${id}${refusals === 0 ? '' : `-${refusals + 1}`}`
