import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { getPage, visibleText } from '../../testing/payments/page-client.ts'
import { goToPayment } from '../../testing/payments/page-shop.ts'
import { sandboxSettings } from '../../testing/stripe/stripe-shop.ts'
import { useFakeStripe, usePageShop, useService } from '../../testing/use-service.ts'

const EMAIL = 'ada@refused.example'

describe.each(databases)('an address that Stripe refuses, on $name', (database) => {
  const stripe = useFakeStripe()
  const service = useService(database, () => ({
    useRealTime: true,
    env: sandboxSettings(stripe),
  }))
  const shop = usePageShop(service)
  let price: string
  beforeAll(async () => {
    stripe.ledger.refusedEmails.add(EMAIL)
    await shop.addResource('article')
    price = await shop.addPrice('article')
  })

  it('closes the shop for nobody, and gets the receipt', async () => {
    const page = await goToPayment(shop.pageOf('article'), { email: EMAIL, price })
    const session = stripe.pay(page.split('/').at(-1) as string)
    const customer = stripe.ledger.customers.get(session.customer ?? '')
    expect([session.customer_email, customer?.email ?? null]).toEqual([null, null])
    expect(visibleText((await getPage(session.success_url)).text)).toContain('Thank you')
    const { read } = shop.environment.database
    const mails = await read.selectFrom('outbox').select(['kind', 'recipient']).execute()
    expect(mails).toEqual([{ kind: 'receipt', recipient: EMAIL }])
    await service.requireInvariants()
  })
})
