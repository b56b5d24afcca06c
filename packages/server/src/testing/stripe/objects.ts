/** Stripe's objects, with the fields that we use. */

/** How a card behaves at its first use, and later in charges without the payer. */
export type FakeCard =
  | 'good'
  | 'declined'
  | 'declined_later'
  | 'needs_payer_later'
  | 'asks_payer_later'
  | 'slow'
  | 'slow_later'
  | 'insufficient_funds'
  | 'lost'
  | 'stolen'
  | 'expired'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'velocity_exceeded'
  | 'fraudulent'
  | 'disputed_later'
  | 'inquired_later'
  /** Not a card, but the payer's Link account, if the page offers it. */
  | 'link'

export type Metadata = Record<string, string>

export interface FakeIntent {
  object: 'payment_intent'
  id: string
  amount: number
  amount_received: number
  currency: string
  status: string
  created: number
  metadata: Metadata
  description: string | null
  customer: string | null
  payment_method: string | null
  setup_future_usage: string | null
  last_payment_error: {
    type: string
    code: string
    decline_code?: string
    doc_url?: string
    message?: string
    charge?: string
  } | null
  latest_charge: string | null
  client_secret: string
}

export interface FakeCharge {
  object: 'charge'
  id: string
  amount: number
  currency: string
  status: 'succeeded' | 'failed'
  paid: boolean
  disputed: boolean
  refunded: boolean
  amount_refunded: number
  payment_intent: string
  payment_method_details: { type: FakeMethod['type'] } | null
  created: number
  metadata: Metadata
}

export interface FakeSetupIntent {
  object: 'setup_intent'
  id: string
  status: string
  metadata: Metadata
  customer: string | null
  payment_method: string | null
}

export interface FakeSession {
  object: 'checkout.session'
  id: string
  mode: 'payment' | 'setup'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  created: number
  client_reference_id: string | null
  customer: string | null
  customer_email: string | null
  metadata: Metadata
  amount_total: number | null
  currency: string | null
  expires_at: number
  success_url: string
  cancel_url: string
  /** Null unless the page is open. */
  url: string | null
  payment_intent: string | null
  setup_intent: string | null
}

export interface FakeRefund {
  object: 'refund'
  id: string
  amount: number
  currency: string
  status: 'pending' | 'succeeded' | 'failed' | 'requires_action' | 'canceled'
  payment_intent: string
  charge: string
  created: number
  metadata: Metadata
  failure_reason?: string
}

export interface FakeDispute {
  object: 'dispute'
  id: string
  amount: number
  currency: string
  status: string
  charge: string
  payment_intent: string
  created: number
  metadata: Metadata
  is_charge_refundable: boolean
  payment_method_details: { type: 'card'; card: { case_type: string } }
  evidence?: Record<string, string>
}

export interface FakeCustomer {
  object: 'customer'
  id: string
  email: string | null
}

export interface FakeMethod {
  object: 'payment_method'
  id: string
  customer: string | null
  type: 'card' | 'link'
  card: FakeCard
}

export interface FakeEvent {
  object: 'event'
  id: string
  type: string
  api_version: string
  created: number
  livemode: boolean
  data: { object: unknown }
}

/** The parameters of a session that are used when it is paid. */
export interface SessionInput {
  metadata: Metadata
  description: string | null
  setupFutureUsage: string | null
  makesCustomer: boolean
  showsLink: boolean
}

export interface FakeEndpoint {
  object: 'webhook_endpoint'
  id: string
  url: string
  status: 'enabled' | 'disabled'
  enabled_events: string[]
  /** Shown only when the endpoint is created. */
  secret?: string
  metadata: Metadata
}
