import { fail } from '../../../errors.ts'
import type { PaymentContext } from '../context.ts'
import type { CheckoutOrder, PaymentProvider, StartedCheckout } from '../provider.ts'
import { CurrencyRefused, OrderRefused, ProviderRefusal } from '../provider-error.ts'
import {
  forgetRefusedPage,
  noteLinkShown,
  noteRefusedCurrency,
  noteRefusedPage,
  readRefusedPage,
} from '../provider-notes.ts'

/** Lets the provider create a page, and notes what staff should know about it. */
export async function orderPage(
  { database, realTime }: PaymentContext,
  provider: PaymentProvider,
  order: CheckoutOrder,
): Promise<StartedCheckout> {
  try {
    const page = await provider.startCheckout(order)
    if (page.showsLink) await database.write((trx) => noteLinkShown(trx, realTime()))
    const wasRefused = (await readRefusedPage(database.read, realTime())) !== undefined
    if (wasRefused) await database.write(forgetRefusedPage)
    return page
  } catch (error) {
    if (error instanceof ProviderRefusal && !(error instanceof OrderRefused)) {
      await database.write((trx) => noteRefusedPage(trx, error.message, realTime()))
    }
    if (!(error instanceof CurrencyRefused)) throw error
    const { currency } = error
    await database.write((trx) => noteRefusedCurrency(trx, currency, realTime()))
    throw fail('currency_not_accepted', `No payments are taken here in ${currency}.`)
  }
}
