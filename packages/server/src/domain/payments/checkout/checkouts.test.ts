import { describe, expect, it } from 'vitest'
import { cardNumber, MONTHLY, ONCE } from '../../../testing/payments/shop.ts'
import { useDomainCheckouts } from '../../../testing/payments/use-domain-checkouts.ts'
import { archiveApplication } from '../../apps/applications.ts'
import { eraseUser } from '../../people/erase.ts'
import { archiveResource } from '../../resources/change.ts'
import { clocksOf } from '../context.ts'
import {
  type CheckoutRow,
  changeOpenCheckout,
  getCheckout,
  recreateWithoutTrial,
  startCheckout,
} from './checkouts.ts'

const { service, shop, env, db, open, complete } = useDomainCheckouts()
const TRIAL = { ...ONCE, ...MONTHLY, trial_days: 7 }
const urls = { done: 'http://localhost/', back: 'http://localhost/' }

describe('a checkout', () => {
  it('is begun, and counted', async () => {
    const { begun } = env().eventTally.checkouts
    await open()
    expect(env().eventTally.checkouts.begun).toBe(begun + 1)
  })

  it('is refused for a resource that does not exist or is archived', async () => {
    await expect(open({ rid: 'gone' })).rejects.toMatchObject({ code: 'resource_not_found' })
    const key = { aid: shop.aid, rid: 'pass' }
    await db().write((trx) => archiveResource(trx, key, true, env().clock(), 'test'))
    const resource = { name: 'Pass', url: '' }
    await expect(open({ resource })).rejects.toMatchObject({ code: 'resource_archived' })
  })

  it('is refused by an archived application', async () => {
    await db().write((trx) => archiveApplication(trx, shop.aid, env().clock(), 'test'))
    await expect(open()).rejects.toMatchObject({ code: 'application_not_found' })
  })
})

it('a checkout that does not exist is not found', async () => {
  const unknown = getCheckout(db().read, { aid: shop.aid, id: 'unknown' })
  await expect(unknown).rejects.toMatchObject({ code: 'checkout_not_found' })
})

describe('the page of a checkout', () => {
  it('is first asked about after a minute', async () => {
    const checkout = await open()
    const page = await startCheckout(env(), checkout, urls)
    expect(await getCheckout(db().read, checkout)).toMatchObject({
      provider_ref: page.split('/').at(-1),
      due: env().realTime() + 60_000,
    })
  })

  it('is not opened again once it was paid', async () => {
    const checkout = await open()
    const page = await startCheckout(env(), checkout, urls)
    await shop.cards.pay(page.split('/').at(-1) as string, cardNumber('good'))
    const again = startCheckout(env(), await getCheckout(db().read, checkout), urls)
    await expect(again).rejects.toMatchObject({ code: 'checkout_not_found' })
  })

  it('is not opened by another provider', async () => {
    const other = { ...env(), provider: { ...shop.cards, name: 'other' } }
    const started = startCheckout(other, await open(), urls)
    await expect(started).rejects.toMatchObject({ code: 'checkout_not_found' })
  })

  it('is closed at once if the checkout was ended meanwhile', async () => {
    const checkout = await open()
    await db().write((trx) => changeOpenCheckout(trx, checkout, { status: 'expired' }))
    const started = startCheckout(env(), checkout, urls)
    await expect(started).rejects.toMatchObject({ code: 'checkout_not_found' })
    expect(await getCheckout(db().read, checkout)).toMatchObject({
      ...{ status: 'expired', provider_ref: expect.any(String), due: env().realTime() },
      page_ends: checkout.expires * 1000,
    })
  })
})

describe('a checkout whose trial was refused', () => {
  /** Another reader has used the trial with the same card. */
  async function refuse(input: Parameters<typeof open>[0] = {}): Promise<CheckoutRow> {
    const card = { method: 'card', fingerprint: 'same' }
    const rid = input.rid ?? 'pass'
    const resource = input.resource
    const typedEmail = 'first@example.com'
    await complete(await open({ terms: TRIAL, rid, resource, typedEmail }), card)
    const refused = await complete(await open({ terms: TRIAL, ...input }), card)
    expect(refused).toMatchObject({ refusal: 'trial_used', status: 'paid' })
    return refused
  }
  const notFound = { code: 'checkout_not_found' }

  it('is begun again on the same terms without the trial, for the same reader and link', async () => {
    const refused = await refuse({
      ...{ rid: 'winter', resource: { name: 'Winter issue', url: 'https://example.com/winter' } },
      ...{ userRef: 'ann', vouchedEmail: 'ann@example.com', firstName: 'Ann', lastName: 'Lee' },
      ...{ keyFingerprint: 'key', linkDigest: 'digest', returnUrl: 'https://example.com/back' },
    })
    const again = await recreateWithoutTrial(env(), refused)
    expect(again.id).not.toBe(refused.id)
    expect(again.payment_id).not.toBe(refused.payment_id)
    const anew = { status: 'open', paid: null, refusal: null, uid: null, trial_days: 0 }
    const { id, payment_id } = again
    expect(again).toEqual({ ...refused, ...anew, id, payment_id })
    expect(again).toMatchObject({ key_mark: 'key', link_mark: 'digest' })
  })

  it.each([
    ['a reference', { userRef: 'ann', typedEmail: undefined }],
    ['a vouched address', { vouchedEmail: 'ann@example.com', typedEmail: undefined }],
    ['a typed address', {}],
  ])('is begun again for a reader known by %s', async (_, reader) => {
    const again = await recreateWithoutTrial(env(), await refuse(reader))
    expect(again).toMatchObject({
      ...{ status: 'open', trial_days: 0, resource_name: null, resource_url: null },
    })
  })

  it('is not begun again once it has expired', async () => {
    const refused = await refuse()
    service.clock.advance(refused.expires - env().clock())
    await expect(recreateWithoutTrial(env(), refused)).rejects.toMatchObject(notFound)
  })

  it('is not begun again for a person who was erased', async () => {
    const { aid, id, uid } = await refuse()
    const who = { aid, uid: uid as string, actor: 'test' }
    await db().write((trx) => eraseUser(trx, who, clocksOf(env())))
    const erased = await getCheckout(db().read, { aid, id })
    await expect(recreateWithoutTrial(env(), erased)).rejects.toMatchObject(notFound)
  })
})
