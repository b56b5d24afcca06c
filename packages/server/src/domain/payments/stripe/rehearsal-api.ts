import { Type } from 'typebox'
import type { StripeConnection } from './connection.ts'
import { ListedCheckoutSession } from './schemas.ts'

const Account = Type.Object({
  object: Type.Literal('account'),
  id: Type.String(),
  country: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
const Named = Type.Object({ id: Type.String() })
const Endpoint = Type.Object({
  id: Type.String(),
  url: Type.String(),
  status: Type.String(),
  enabled_events: Type.Array(Type.String()),
})

/** Stripe calls that only the sale check makes. */
export type RehearsalApi = ReturnType<typeof createRehearsalApi>

export function createRehearsalApi({ stripe, ask, list }: StripeConnection) {
  return {
    findAccount: () => ask(Account, () => stripe.accounts.retrieveCurrent()),
    createCustomer: (description: string) =>
      ask(Named, () => stripe.customers.create({ description })),
    attachMethod: (method: string, customer: string) =>
      ask(Named, () => stripe.paymentMethods.attach(method, { customer })),
    expireSession: (id: string) =>
      ask(ListedCheckoutSession, () => stripe.checkout.sessions.expire(id)),
    async listEndpoints() {
      const all: { url: string; status: string; enabled_events: string[] }[] = []
      const pages = list<{ id: string } & (typeof all)[number]>(Endpoint, (page) =>
        stripe.webhookEndpoints.list(page),
      )
      for await (const one of pages) all.push(one)
      return all
    },
  }
}
