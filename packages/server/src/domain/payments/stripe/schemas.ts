import { type Static, type TSchema, Type } from 'typebox'

// The parts of Stripe's objects that we read. All other fields are ignored.

const Id = Type.String({ pattern: '^[A-Za-z0-9_]{3,255}$' })
const Metadata = Type.Record(Type.String(), Type.String())
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const optionalOrNull = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const Amount = Type.Integer({ minimum: 0 })
const Currency = Type.String({ pattern: '^[a-z]{3}$' })

const Charge = Type.Object({
  id: Id,
  disputed: Type.Boolean(),
  payment_method_details: optionalOrNull(Type.Object({ type: Type.Optional(Type.String()) })),
})

export const Intent = Type.Object({
  object: Type.Literal('payment_intent'),
  id: Id,
  amount: Amount,
  amount_received: Amount,
  currency: Currency,
  status: Type.String(),
  created: Type.Integer(),
  metadata: Metadata,
  customer: nullable(Id),
  payment_method: nullable(Id),
  setup_future_usage: nullable(Type.String()),
  last_payment_error: nullable(
    Type.Object({
      code: optionalOrNull(Type.String()),
      decline_code: optionalOrNull(Type.String()),
    }),
  ),
  latest_charge: Type.Union([Charge, Id, Type.Null()]),
})
export type Intent = Static<typeof Intent>

/** The fingerprint identifies a card number, whoever uses it; the email address identifies a Link account. */
export const Method = Type.Object({
  id: Id,
  type: Type.Optional(Type.String()),
  card: optionalOrNull(Type.Object({ fingerprint: optionalOrNull(Type.String()) })),
  link: optionalOrNull(Type.Object({ email: optionalOrNull(Type.String()) })),
})
export type Method = Static<typeof Method>

const SetupIntent = Type.Object({
  object: Type.Literal('setup_intent'),
  status: Type.String(),
  metadata: Metadata,
  customer: nullable(Id),
  payment_method: Type.Union([Method, Id, Type.Null()]),
})

export const NewCheckoutSession = Type.Object({
  object: Type.Literal('checkout.session'),
  id: Id,
  client_reference_id: Type.String(),
  url: Type.String(),
})

export const ExpiredCheckoutSession = Type.Object({
  object: Type.Literal('checkout.session'),
  id: Id,
  status: Type.Literal('expired'),
})

export const CheckoutSession = Type.Object({
  object: Type.Literal('checkout.session'),
  id: Id,
  mode: Type.Union([Type.Literal('payment'), Type.Literal('setup')]),
  status: Type.Union([Type.Literal('open'), Type.Literal('complete'), Type.Literal('expired')]),
  /** Null when the session is no longer open. */
  url: nullable(Type.String()),
  metadata: Metadata,
  payment_intent: nullable(Intent),
  setup_intent: nullable(SetupIntent),
})
export type CheckoutSession = Static<typeof CheckoutSession>

/** A session as it appears in a list, without its nested objects. */
export const ListedCheckoutSession = Type.Object({
  object: Type.Literal('checkout.session'),
  id: Id,
  status: nullable(Type.String()),
  url: nullable(Type.String()),
  client_reference_id: nullable(Type.String()),
  customer_email: optionalOrNull(Type.String()),
  metadata: nullable(Metadata),
})
export type ListedCheckoutSession = Static<typeof ListedCheckoutSession>

export const Refund = Type.Object({
  object: Type.Literal('refund'),
  id: Id,
  created: Type.Integer(),
  amount: Amount,
  currency: Currency,
  status: Type.String(),
  payment_intent: nullable(Id),
  metadata: nullable(Metadata),
  failure_reason: optionalOrNull(Type.String()),
})
export type Refund = Static<typeof Refund>

export const Dispute = Type.Object({
  object: Type.Literal('dispute'),
  id: Id,
  amount: Type.Integer(),
  currency: Type.String(),
  status: Type.String(),
  is_charge_refundable: Type.Boolean(),
  payment_method_details: optionalOrNull(
    Type.Object({
      card: optionalOrNull(Type.Object({ case_type: optionalOrNull(Type.String()) })),
    }),
  ),
})
export type Dispute = Static<typeof Dispute>

/** The parts of an event that say what it is about. */
export const Event = Type.Object({
  type: Type.String(),
  data: Type.Object({
    object: Type.Object({
      id: Id,
      metadata: optionalOrNull(Metadata),
      created: Type.Optional(Type.Integer()),
      payment_intent: Type.Optional(Type.Unknown()),
    }),
  }),
})
