import { PURCHASE_LINK } from '@gatehouse/sdk/links'
import { describe, expect, it } from 'vitest'
import { signForPurpose } from '../../../signing/links.ts'
import { MONTHLY, ONCE } from '../../../testing/payments/shop.ts'
import { useDomainCheckouts } from '../../../testing/payments/use-domain-checkouts.ts'
import { DAY } from '../../../testing/time.ts'
import { archiveApplication, changeSettings } from '../../apps/applications.ts'
import { archiveResource } from '../../resources/change.ts'
import { createPrice, type Terms } from '../../resources/prices.ts'
import { advanceClock } from '../../sandbox/clock.ts'
import { type PurchaseLink, readPurchaseLink } from './purchase-link.ts'

const { shop, env, db, open, complete, pay } = useDomainCheckouts()
const realSeconds = () => Math.floor(env().realTime() / 1000)
const TERMS = { amount: '4.99', currency: 'EUR' }
const TRIAL = { ...ONCE, ...MONTHLY, trial_days: 7 } as Terms
const LINK_TRIAL = { ...TERMS, recurring: true, period: '1 month', trial_days: 7 }

type Input = Omit<Partial<Parameters<typeof shop.client.purchaseLink>[0]>, 'rid'>

const priceOf = async (terms: Terms = ONCE): Promise<string> => {
  const input = { aid: shop.aid, rid: 'pass', ...terms }
  return (await db().write((trx) => createPrice(trx, input, env().clock(), 'test'))).id
}

/** Opens a signed link. */
async function follow(input: Input, rid = 'pass', typedEmail?: string): Promise<PurchaseLink> {
  const link = await shop.client.purchaseLink({ rid, expires: realSeconds() + 60, ...input })
  const target = link.slice(shop.baseUrl.length)
  return await readPurchaseLink(env(), { aid: shop.aid, rid }, target, typedEmail)
}

/** Opens a link that was signed without our client, which refuses to sign nonsense. */
async function followSigned(parameters: Record<string, string>): Promise<PurchaseLink> {
  const query = new URLSearchParams({ ...parameters, expires: `${realSeconds() + 60}` })
  const text = `/checkout/${shop.aid}/pass?${query}`
  const target = `${text}&signature=${signForPurpose(PURCHASE_LINK, shop.privateKey, text)}`
  return await readPurchaseLink(env(), { aid: shop.aid, rid: 'pass' }, target)
}

/** Opens the public page. */
const visit = (query = '', rid = 'pass') =>
  readPurchaseLink(env(), { aid: shop.aid, rid }, `/checkout/${shop.aid}/${rid}${query}`)

const refused = (code: string) => ({ code })

describe('a signed link', () => {
  it('is good for one purchase if it names its reader, by a reference or by an address', async () => {
    const byRef = await follow({ ...TERMS, user_ref: 'ann' })
    const byAddress = await follow({ ...TERMS, email: 'ann@example.com' })
    for (const { vouched } of [byRef, byAddress]) {
      expect(vouched?.linkDigest).toEqual(expect.any(String))
    }
    expect(byRef.vouched).toMatchObject({ userRef: 'ann', email: undefined, resource: undefined })
    expect(byAddress.vouched).toMatchObject({ userRef: undefined, email: 'ann@example.com' })
    expect((await follow(TERMS)).vouched?.linkDigest).toBeUndefined()
  })

  it('by address is used up by a purchase', async () => {
    const { vouched } = await follow({ ...TERMS, email: 'ann@example.com' })
    const { email: vouchedEmail, linkDigest } = vouched as NonNullable<typeof vouched>
    await pay(await open({ vouchedEmail, linkDigest, typedEmail: undefined }))
    const again = follow({ ...TERMS, email: 'ann@example.com' })
    await expect(again).rejects.toMatchObject(refused('link_used'))
  })

  it('may describe a resource that does not exist yet', async () => {
    const link = await follow({ ...TERMS, name: 'Winter', url: 'https://example.com/w' }, 'winter')
    expect(link).toMatchObject({
      ...{ title: 'Winter', description: '', url: '', imageId: null, owned: undefined },
      vouched: { resource: { name: 'Winter', url: 'https://example.com/w' } },
    })
    const { vouched } = await follow({ ...TERMS, name: 'Winter' }, 'winter')
    expect(vouched?.resource).toEqual({ name: 'Winter', url: '' })
    await expect(follow(TERMS, 'winter')).rejects.toMatchObject(refused('resource_not_found'))
    await expect(visit('?name=Winter', 'winter')).rejects.toMatchObject(
      refused('resource_not_found'),
    )
  })

  it('has whole terms of its own, or a price', async () => {
    const price = await priceOf()
    for (const [parameter, parameters] of [
      ['price', { ...TERMS, price }],
      ['amount', { currency: 'EUR' }],
      ['currency', { amount: '4.99' }],
      // An empty value would mean lifetime access, other prices, or access for whoever opens the link.
      ['period', { ...TERMS, period: '' }],
      ['amount', { amount: '', currency: '' }],
      ['user_ref', { ...TERMS, user_ref: '' }],
    ] as const) {
      const code = 'invalid_parameter'
      await expect(followSigned(parameters)).rejects.toMatchObject({ code, parameter })
    }
    expect((await follow(TERMS)).offers).toEqual([{ ...ONCE, id: '', isTrialUsed: false }])
    expect((await follow(LINK_TRIAL)).offers).toMatchObject([TRIAL])
    const other = await priceOf({ ...ONCE, amount: 900 })
    const chosen = await follow({ price: other })
    expect([chosen.chosen, chosen.offers.map(({ id }) => id)]).toEqual([other, [other]])
    expect((await follow({})).offers.map(({ id }) => id).sort()).toEqual([price, other].sort())
  })

  it('says what its reader has already, and nobody else’s access', async () => {
    const expires = env().clock() + 600
    const ann = { rid: 'pass', email: 'ann@example.com', user_ref: 'ann', expires }
    await shop.client.grantAccess(ann)
    expect((await follow({ ...TERMS, user_ref: 'ann' })).owned).toMatchObject({ ends: expires })
    expect((await follow({ ...TERMS, email: ann.email })).owned).toMatchObject({ ends: expires })
    const bea = { user_ref: 'bea', email: 'bea@example.com' }
    await shop.client.grantAccess({ rid: 'pass', ...bea, expires: expires + 1 })
    const both = { user_ref: 'ann', email: bea.email }
    expect((await follow({ ...TERMS, ...both })).owned).toMatchObject({ ends: expires })
    expect((await follow({ ...TERMS, user_ref: 'cid' })).owned).toBeUndefined()
    expect((await follow(TERMS, 'pass', ann.email)).owned).toBeUndefined()
  })

  it('with a return URL that is not allowed says which command allows it, in the sandbox', async () => {
    const settings = {
      return_urls: JSON.stringify(["https://a.example/it's", 'https://b.example']),
    }
    await db().write((trx) => changeSettings(trx, shop.aid, settings, env().clock(), 'test'))
    const followed = follow({ ...TERMS, return_url: 'http://localhost:3000/?a=1' })
    const options = [
      String.raw`--return-url 'https://a.example/it'\''s'`,
      '--return-url https://b.example --return-url http://localhost:3000',
    ]
    const message = expect.stringContaining(`gatehouse app set ${shop.aid} ${options.join(' ')}`)
    await expect(followed).rejects.toMatchObject({ message })
    const general = { message: expect.stringContaining('gatehouse app set AID --return-url URL.') }
    // An unsigned address may come from anybody, who must not propose what to allow.
    await expect(visit('?return_url=http://localhost:3000')).rejects.toMatchObject(general)
    for (const impossible of ['http://h.example', 'https://$(x).example', 'javascript:x', 'x']) {
      await expect(follow({ ...TERMS, return_url: impossible })).rejects.toMatchObject(general)
    }
  })

  it('that has expired is refused', async () => {
    const expired = follow({ ...TERMS, expires: realSeconds() })
    await expect(expired).rejects.toMatchObject(refused('link_expired'))
  })

  it("expires in real time, however far the sandbox's clock is ahead", async () => {
    await advanceClock(env(), 2 * DAY)
    expect(env().clock()).toBe(realSeconds() + 2 * DAY)
    expect((await follow({ ...TERMS, expires: realSeconds() + 1 })).offers).toHaveLength(1)
    const expired = follow({ ...TERMS, expires: realSeconds() })
    await expect(expired).rejects.toMatchObject(refused('link_expired'))
  })
})

describe('the trial of an offer', () => {
  const useTrial = async (typedEmail: string, userRef?: string) =>
    await complete(await open({ terms: TRIAL, typedEmail, userRef }), { method: 'card' })

  it('is gone for whoever types an address that has had it', async () => {
    await useTrial('ann@example.com')
    const gone = [{ trial_days: 0, isTrialUsed: true }]
    const there = [{ trial_days: 7, isTrialUsed: false }]
    const offersTo = async (input: Input, typed?: string) =>
      (await follow({ ...LINK_TRIAL, ...input }, 'pass', typed)).offers
    expect(await offersTo({})).toMatchObject(there)
    expect(await offersTo({}, 'ann@example.com')).toMatchObject(gone)
    expect(await offersTo({ email: 'ann@example.com' })).toMatchObject(gone)
    // Where the application vouches for an address, no other one counts.
    expect(await offersTo({ email: 'bea@example.com' }, 'ann@example.com')).toMatchObject(there)
  })

  it('is gone for a reader at whose address another one has had it', async () => {
    const granted = { rid: 'pass', email: 'ann@example.com', user_ref: 'ann' }
    await shop.client.grantAccess(granted)
    await useTrial('ann@example.com', 'bea')
    const { offers } = await follow({ ...LINK_TRIAL, user_ref: 'ann' }, 'pass', 'b@example.com')
    expect(offers).toMatchObject([{ trial_days: 0, isTrialUsed: true }])
  })
})

describe('the public page', () => {
  it('offers what is for sale, with the price that the address names', async () => {
    const [first, second] = [await priceOf(), await priceOf({ ...ONCE, amount: 900 })]
    const link = await visit(`?price=${second}`)
    expect(link).toMatchObject({ title: 'Resource pass', chosen: second, vouched: undefined })
    expect(link.offers.map(({ id }) => id).sort()).toEqual([first, second].sort())
    expect((await visit('?price=unknown')).chosen).toBeUndefined()
  })

  it('is refused where nothing is for sale', async () => {
    await expect(visit()).rejects.toMatchObject(refused('price_not_found'))
    await priceOf()
    await expect(visit('?return_url=https://evil.example/')).rejects.toMatchObject(
      refused('return_url_not_allowed'),
    )
    await expect(visit('', 'a\u0000')).rejects.toMatchObject(refused('resource_not_found'))
    const key = { aid: shop.aid, rid: 'pass' }
    await db().write((trx) => archiveResource(trx, key, true, env().clock(), 'test'))
    for (const page of [visit(), follow(TERMS)]) {
      await expect(page).rejects.toMatchObject({
        ...refused('resource_archived'),
        message: 'Nothing is for sale here at the moment.',
      })
    }
    await db().write((trx) => archiveApplication(trx, shop.aid, env().clock(), 'test'))
    await expect(visit()).rejects.toMatchObject(refused('application_not_found'))
  })
})
