import { fail } from '../../../errors.ts'
import type { PaymentContext } from '../context.ts'
import type { CheckoutOrder, PaymentProvider, StartedCheckout } from '../provider.ts'
import { CurrencyRefused } from '../provider-error.ts'
import { noteLinkShown, noteRefusedCurrency } from '../provider-notes.ts'

/** Lets the provider create a page, and notes what staff should know about it. */
export async function orderPage(
  { database, realTime }: PaymentContext,
  provider: PaymentProvider,
  order: CheckoutOrder,
): Promise<StartedCheckout> {
  try {
    const page = await provider.startCheckout(order)
    if (page.showsLink) await database.write((trx) => noteLinkShown(trx, realTime()))
    return page
  } catch (error) {
    if (!(error instanceof CurrencyRefused)) throw error
    const { currency } = error
    await database.write((trx) => noteRefusedCurrency(trx, currency, realTime()))
    throw fail('currency_not_accepted', `No payments are taken here in ${currency}.`)
  }
}
