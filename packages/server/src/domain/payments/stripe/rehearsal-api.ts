import { Type } from 'typebox'
import { createAccountApi } from './account-api.ts'
import type { StripeConnection } from './connection.ts'
import { ListedCheckoutSession } from './schemas.ts'

const Named = Type.Object({ id: Type.String() })

/** Stripe calls that only the sale check makes. */
export type RehearsalApi = ReturnType<typeof createRehearsalApi>

export function createRehearsalApi(connection: StripeConnection) {
  const { stripe, ask } = connection
  const { findAccount, listEndpoints } = createAccountApi(connection)
  return {
    findAccount,
    listEndpoints,
    createCustomer: (description: string) =>
      ask(Named, () => stripe.customers.create({ description })),
    attachMethod: (method: string, customer: string) =>
      ask(Named, () => stripe.paymentMethods.attach(method, { customer })),
    expireSession: (id: string) =>
      ask(ListedCheckoutSession, () => stripe.checkout.sessions.expire(id)),
  }
}
