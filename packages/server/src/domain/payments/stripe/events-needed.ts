/** The event types that a webhook endpoint of ours must receive. docs/sell/stripe.md lists the same. */
export const NEEDED_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const

/** The label of the endpoints that we create, so that a lost one can be found again. */
export const ENDPOINT_LABEL = 'gatehouse_installation'
