import {
  type CheckoutInput,
  type CheckoutRow,
  createCheckout,
  getCheckout,
} from '../../domain/payments/checkout/checkouts.ts'
import { completeCheckout } from '../../domain/payments/checkout/complete.ts'
import type { CheckoutFinding } from '../../domain/payments/provider.ts'
import { ONCE } from './shop.ts'
import { useDomainShop } from './use-domain-shop.ts'

/** Opens a new shop for each test, whose checkouts are completed with what the provider is said to have found. */
export function useDomainCheckouts() {
  const domainShop = useDomainShop()
  const { shop, env, db } = domainShop

  const open = (input: Partial<CheckoutInput> = {}) =>
    createCheckout(env(), {
      ...{ aid: shop.aid, rid: 'pass', terms: ONCE, firstName: '', lastName: '' },
      ...{ typedEmail: 'ann@example.com' },
      ...input,
    })

  async function complete(
    checkout: Pick<CheckoutRow, 'aid' | 'id'>,
    finding: Partial<CheckoutFinding>,
  ): Promise<CheckoutRow> {
    const trialKey = await env().trialKey()
    const whole: CheckoutFinding = { status: 'paid', ...finding }
    await db().write((trx) => completeCheckout(trx, env(), checkout, { finding: whole, trialKey }))
    return await getCheckout(db().read, checkout)
  }

  const pay = (checkout: CheckoutRow, money = { amount: 499, currency: 'EUR' }) =>
    complete(checkout, { payment: { status: 'succeeded', ref: `ch_${checkout.id}`, money } })

  return { ...domainShop, open, complete, pay }
}
