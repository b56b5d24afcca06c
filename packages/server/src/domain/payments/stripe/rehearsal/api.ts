import { Type } from 'typebox'
import { createAccountApi } from '../account-api.ts'
import type { StripeConnection } from '../connection.ts'
import { ListedCheckoutSession } from '../schemas.ts'

const Named = Type.Object({ id: Type.String() })
const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) })

/** What Stripe says about a dispute of a charge. */
const DisputedIntent = Type.Object({
  latest_charge: Type.Object({ disputed: Type.Boolean() }),
})
const Disputes = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      status: Type.String(),
      is_charge_refundable: Type.Optional(Type.Boolean()),
    }),
  ),
})

/** Stripe calls that only the rehearsal makes. */
export type RehearsalApi = ReturnType<typeof createRehearsalApi>

export function createRehearsalApi(connection: StripeConnection) {
  const { stripe, ask } = connection
  const { findAccount, listEndpoints } = createAccountApi(connection)
  return {
    findAccount,
    listEndpoints,
    createCustomer: (description: string) =>
      ask(Named, () => stripe.customers.create({ description })),
    deleteCustomer: (id: string) => ask(Deleted, () => stripe.customers.del(id)),
    attachMethod: (method: string, customer: string) =>
      ask(Named, () => stripe.paymentMethods.attach(method, { customer })),
    detachMethod: (method: string) => ask(Named, () => stripe.paymentMethods.detach(method)),
    expireSession: (id: string) =>
      ask(ListedCheckoutSession, () => stripe.checkout.sessions.expire(id)),
    isDisputed: async (intent: string) =>
      (
        await ask(DisputedIntent, () =>
          stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
        )
      ).latest_charge.disputed,
    findDispute: async (intent: string) =>
      (await ask(Disputes, () => stripe.disputes.list({ payment_intent: intent, limit: 1 })))
        .data[0],
    /** Refunds all that is left. */
    refundRest: (intent: string) =>
      ask(Named, () => stripe.refunds.create({ payment_intent: intent })),
  }
}
