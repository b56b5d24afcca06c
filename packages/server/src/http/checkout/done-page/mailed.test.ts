import { describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { getPage, visibleText } from '../../../testing/payments/page-client.ts'
import {
  goToPayment,
  openPageShop,
  type PageShop,
  payOnPage,
} from '../../../testing/payments/page-shop.ts'
import { useService } from '../../../testing/use-service.ts'

describe.each(entryPointDatabases)('the page after a purchase on $name', (database) => {
  const service = useService(database, {
    env: { GATEHOUSE_SANDBOX_SMTP_URL: 'smtp://127.0.0.1:9' },
  })

  async function buy(shop: PageShop, terms: Parameters<PageShop['addPrice']>[1]) {
    const price = await shop.addPrice('pass', terms)
    const payment = await goToPayment(shop.pageOf('pass'), { email: 'ann@example.com', price })
    return visibleText((await getPage(await payOnPage(payment))).text)
  }

  it('says that an email follows, and what a subscriber finds in it', async () => {
    const shop = await openPageShop(service)
    await shop.addResource('pass')
    const once = await buy(shop, {})
    expect(once).toContain('Your receipt is on its way by email.')
    const other = await openPageShop(service)
    await other.addResource('pass')
    const monthly = await buy(other, { recurring: 1, period: '1 month' })
    expect(monthly).toContain(
      'Your receipt is on its way by email, with a link to manage your subscription.',
    )
  })
})
