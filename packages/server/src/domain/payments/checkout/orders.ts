import { getInstallationId } from '../../../db/installation.ts'
import type { Millis, Seconds } from '../../../db/tables.ts'
import { clockOffsetOf } from '../../mail/outbox.ts'
import { findResources } from '../../resources/resources.ts'
import { clocksOf, type PaymentContext } from '../context.ts'
import type { Labels } from '../labels.ts'
import type { CheckoutOrder } from '../provider.ts'
import type { CheckoutRow } from './checkouts.ts'

/** Builds the request to the provider. Everything follows from the row, so that a repeated request is identical. */
export async function checkoutOrderOf(
  ctx: PaymentContext,
  checkout: CheckoutRow,
  urls: { done: string; back: string },
): Promise<CheckoutOrder> {
  const { aid, id, rid, amount, currency } = checkout
  const [resource] = await findResources(ctx.database.read, aid, [rid])
  const paysNow = checkout.purpose === 'buy' && checkout.trial_days === 0
  return {
    aid,
    checkoutId: id,
    paymentId: checkout.payment_id,
    labels: labelsOf(checkout, await getInstallationId(ctx.database)),
    charge: paysNow ? { amount, currency } : undefined,
    currency,
    keepCard: checkout.recurring === 1,
    title: resource?.name ?? checkout.resource_name ?? rid,
    email: checkout.vouched_email ?? checkout.typed_email ?? undefined,
    doneUrl: urls.done,
    backUrl: urls.back,
    created: toRealTime(ctx, checkout.created),
    expires: toRealTime(ctx, checkout.expires),
  }
}

/** Converts a sandbox time: the sandbox's clock may be ahead of the provider's. */
function toRealTime(ctx: PaymentContext, at: Seconds): Millis {
  const ahead = clockOffsetOf(clocksOf(ctx))
  return (at - ahead) * 1000
}

function labelsOf(checkout: CheckoutRow, installation: string): Labels {
  const { rid, recurring, period, trial_days, user_ref, subscription_id } = checkout
  return {
    installation,
    rid,
    userRef: user_ref ?? undefined,
    subscriptionId: subscription_id ?? undefined,
    terms: { recurring, period, trial_days, isVouched: checkout.vouched_email !== null },
  }
}
