import { describe, expect, it, vi } from 'vitest'
import type { Fetch } from './index.ts'
import { Gatehouse } from './index.ts'
import { GatehouseManagement } from './management.ts'

const at = { baseUrl: 'https://access.example.com', aid: 'AAAAAAAAAA' }

/** A service that answers everything with these fields, and counts the requests. */
function serviceWith(answer: object) {
  const fetch = vi.fn(async () => Response.json(answer))
  return {
    fetch,
    client: new Gatehouse({ ...at, privateKey: 'k'.repeat(40), fetch: fetch as Fetch }),
  }
}

/** What a program without types sends when a variable was not set. */
const unset = (name: string, rest: object = {}) => ({ ...rest, [name]: undefined }) as never

describe('a variable that was not set', () => {
  it.each(['rid', 'user_ref', 'email', 'tag'])('is no filter: %s', async (name) => {
    const { fetch, client } = serviceWith({ data: [], total: 0, page: 0, pagesize: 100 })
    const asked = client.searchAccess(unset(name, { page: 0 }))
    await expect(asked).rejects.toMatchObject({ name: 'ParameterError', parameter: name })
    expect(fetch).not.toHaveBeenCalled()
    await client.searchAccess({ page: 0 })
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('is no end, and no amount', async () => {
    const { fetch, client } = serviceWith({})
    const reader = { rid: 'news', email: 'ann@example.com' }
    for (const name of ['expiration', 'expires']) {
      const granted = client.grantAccess(unset(name, reader))
      await expect(granted).rejects.toMatchObject({ parameter: name })
    }
    const refunded = client.refundPayment(unset('amount', { payment: 'pay_1' }))
    await expect(refunded).rejects.toMatchObject({ parameter: 'amount' })
    const link = client.getDownloadUrl(unset('user_ref', { rid: 'news', lifetime: 60 }))
    await expect(link).rejects.toMatchObject({ parameter: 'user_ref' })
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each(['user_ref', 'period', 'amount'])('makes no purchase link: %s', async (name) => {
    const { client } = serviceWith({})
    const link = { rid: 'news', amount: '2.90', currency: 'EUR', period: '1 month' }
    const made = client.purchaseLink(unset(name, link))
    await expect(made).rejects.toMatchObject({ name: 'LinkError', parameter: name })
  })

  it('is no filter of the management API, and neither is null', async () => {
    const { fetch } = serviceWith({ data: [] })
    const options = {
      ...at,
      token: 'ghm_x',
      environment: 'sandbox',
      fetch: fetch as Fetch,
    } as const
    const management = new GatehouseManagement(options)
    for (const user_ref of [undefined, null]) {
      const listed = management.call('listAccess', { query: { user_ref } as never })
      await expect(listed).rejects.toMatchObject({ parameter: 'user_ref' })
    }
    expect(fetch).not.toHaveBeenCalled()
  })
})

describe('a service from before this SDK', () => {
  const page = {
    data: [{ id: 'evt_1', type: 'access.granted', data: {} }],
    cursor: '1-0',
    more: false,
  }

  it('ends the following of events at once, before any is handled', async () => {
    const { client } = serviceWith(page)
    const handle = vi.fn()
    const following = client.followEvents({ load: () => undefined, save: () => {}, handle })
    await expect(following).rejects.toMatchObject({ name: 'OutdatedServiceError' })
    expect(handle).not.toHaveBeenCalled()
  })

  it('gives no list of events', async () => {
    const { client } = serviceWith(page)
    await expect(client.listEvents().next()).rejects.toThrow('older than this SDK')
  })
})
