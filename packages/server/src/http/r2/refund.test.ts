import { InvalidRequestError } from '@gatehouse/sdk'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useService, useShop } from '../../testing/use-service.ts'

describe.each(databases)('refunding a payment on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'article')

  const buy = async (userRef: string) => (await shop.buy({ rid: 'article', userRef })).payment_id
  const refundsOf = async (user_ref: string) => {
    const { data } = await shop.client.searchPayments({ user_ref })
    return data[0]?.refunds.map(({ amount }) => amount)
  }
  /** Sends the request like a client without the SDK's types. */
  const ask = (parameters: Record<string, string>) =>
    shop.client.request('POST', '/r2/payment/refund', parameters)

  it('in part needs a reference, and nothing is refunded without one', async () => {
    const payment = await buy('ann')
    const asked = ask({ payment, amount: '2.00' })
    await expect(asked).rejects.toThrow(InvalidRequestError)
    await expect(asked).rejects.toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(await refundsOf('ann')).toEqual([])
  })

  it('is refused with an empty amount: a variable was not set, and all would be refunded', async () => {
    const payment = await buy('amy')
    const asked = ask({ payment, amount: '' })
    await expect(asked).rejects.toMatchObject({ status: 400, parameter: 'amount' })
    expect(await refundsOf('amy')).toEqual([])
  })

  it('in part, asked for twice under one reference, refunds once', async () => {
    const payment = await buy('bob')
    const input = { payment, amount: '2.00', reference: 'goodwill' }
    const [first, second] = [await ask(input), await ask(input)]
    expect(second).toEqual(first)
    const other = ask({ ...input, amount: '1.00' })
    await expect(other).rejects.toMatchObject({ status: 400, parameter: 'reference' })
    expect(await refundsOf('bob')).toEqual([2])
  })

  it('in full needs no reference, and a repeat refunds nothing more', async () => {
    for (const [reader, all] of [
      ['cid', {}],
      ['dan', { amount: '4.99' }],
    ] as const) {
      const payment = await buy(reader)
      await ask({ payment, ...all })
      await expect(ask({ payment, ...all })).rejects.toMatchObject({ code: 'refund_too_large' })
      expect(await refundsOf(reader)).toEqual([4.99])
    }
  })
})
