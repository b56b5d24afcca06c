import type Stripe from 'stripe'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { API_VERSION, type StripeConnection } from './connection.ts'
import { ENDPOINT_LABEL, NEEDED_EVENTS } from './events-needed.ts'
import { readListed } from './listed.ts'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))
/** The parts of an account that staff learn about. A restricted key may get an account without most of them. */
export const Account = Type.Object({
  object: Type.Literal('account'),
  id: Type.String(),
  country: Text,
  charges_enabled: Flag,
  details_submitted: Flag,
  payouts_enabled: Flag,
  capabilities: Type.Optional(Type.Union([Type.Object({ card_payments: Text }), Type.Null()])),
  business_profile: Type.Optional(Type.Union([Type.Object({ name: Text }), Type.Null()])),
  settings: Type.Optional(
    Type.Union([
      Type.Object({
        dashboard: Type.Optional(Type.Union([Type.Object({ display_name: Text }), Type.Null()])),
      }),
      Type.Null(),
    ]),
  ),
})

export const Endpoint = Type.Object({
  id: Type.String(),
  url: Type.String(),
  status: Type.String(),
  enabled_events: Type.Array(Type.String()),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
})
export const NewEndpoint = Type.Object({ id: Type.String(), secret: Type.String() })
export const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) })

export type Account = Static<typeof Account>

export interface ListedEndpoint {
  id: string
  url: string
  status: string
  enabled_events: string[]
  metadata?: Record<string, string>
}

/** Stripe calls about the account itself: its name and its webhook endpoints. */
export type AccountApi = ReturnType<typeof createAccountApi>

export function createAccountApi({ stripe, ask, list }: StripeConnection) {
  return {
    findAccount: () => ask(Account, () => stripe.accounts.retrieveCurrent()),
    async listEndpoints(): Promise<ListedEndpoint[]> {
      const all: ListedEndpoint[] = []
      for await (const one of list((page) => stripe.webhookEndpoints.list(page))) {
        // Endpoints of other systems may look like anything.
        if (Value.Check(Endpoint, one.whole)) all.push(one.whole)
        else if (one.metadata[ENDPOINT_LABEL] !== undefined) readListed(Endpoint, one)
      }
      return all
    },
    /** Stripe returns the signing secret here and never again. */
    createEndpoint: (url: string, installation: string) =>
      ask(NewEndpoint, () =>
        stripe.webhookEndpoints.create({
          url,
          enabled_events: [...NEEDED_EVENTS],
          api_version: API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
          description: 'Gatehouse',
          metadata: { [ENDPOINT_LABEL]: installation },
        }),
      ),
    deleteEndpoint: (id: string) => ask(Deleted, () => stripe.webhookEndpoints.del(id)),
  }
}
