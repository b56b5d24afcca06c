import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { listOutbox } from '../../../testing/smtp/outbox.ts'
import { useFreshShop, useService } from '../../../testing/use-service.ts'

describe.each(databases)('who gets what was bought on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'article', 'secret', 'pass')

  const has = (rid: string, user_ref: string) => shop.client.hasAccess({ rid, user_ref })
  const mailsTo = async (recipient: string) =>
    (await listOutbox(service, 'sandbox')).filter(
      (mail) => mail.aid === shop.aid && mail.recipient === recipient,
    )

  it('is the reader whom a link names, whatever address is typed', async () => {
    const victim = { email: 'victim@example.com', user_ref: 'victim' }
    await shop.client.grantAccess({ rid: 'secret', ...victim })
    await shop.buy({ rid: 'article', userRef: 'mallory', email: 'victim@example.com' })
    expect(await has('article', 'mallory')).toBe(true)
    expect(await has('secret', 'mallory')).toBe(false)
    expect(await has('article', 'victim')).toBe(false)
    const bought = await shop.client.getAccess({ rid: 'article', user_ref: 'mallory' })
    expect(bought.user_email).toBe('')
  })

  it('has a typed address only as the contact, by which no search finds anything', async () => {
    await shop.buy({ rid: 'article', userRef: 'ivy', email: 'typed@example.com' })
    const shown = { user_email: '', contact_email: 'typed@example.com' }
    const bought = await shop.client.getAccess({ rid: 'article', user_ref: 'ivy' })
    expect(bought).toMatchObject(shown)
    const { data } = await shop.client.searchAccess({ user_ref: 'ivy' })
    expect(data).toEqual([bought])
    expect(await shop.client.getUser(bought.uid)).toMatchObject({
      email: '',
      contact_email: 'typed@example.com',
    })
    expect((await shop.client.searchAccess({ email: 'typed@example.com' })).total).toBe(0)
    const event = (await shop.client.searchEvents({ types: 'access.granted' })).data.at(-1)
    expect(event?.data).toMatchObject({ id: bought.id, ...shown })
    const vouched = { rid: 'secret', email: 'own@example.com', user_ref: 'ivy' }
    expect(await shop.client.grantAccess(vouched)).toMatchObject({
      ...{ user_email: 'own@example.com', contact_email: '' },
    })
  })

  it('never becomes somebody else by having typed the address first', async () => {
    await shop.buy({ rid: 'article', userRef: 'mallory', email: 'later@example.com' })
    await shop.client.grantAccess({ rid: 'secret', email: 'later@example.com', user_ref: 'later' })
    expect(await has('secret', 'mallory')).toBe(false)
    expect(await has('secret', 'later')).toBe(true)
    expect(await has('article', 'later')).toBe(false)
  })

  it('gets an address by the first grant that vouches for one', async () => {
    await shop.buy({ rid: 'article', userRef: 'ann', email: 'typed@example.com' })
    const input = { rid: 'secret', email: 'true@example.com', user_ref: 'ann' }
    const granted = await shop.client.grantAccess(input)
    expect(granted.user_email).toBe('true@example.com')
    const bought = await shop.client.getAccess({ rid: 'article', user_ref: 'ann' })
    expect(bought).toMatchObject({ uid: granted.uid, user_email: 'true@example.com' })
  })

  it('is whoever has the address that a link vouches for', async () => {
    const known = await shop.client.grantAccess({ rid: 'secret', email: 'bob@example.com' })
    await shop.buy({ rid: 'article', userRef: 'bob', vouchedEmail: 'Bob@Example.com' })
    const bought = await shop.client.getAccess({ rid: 'article', user_ref: 'bob' })
    expect(bought).toMatchObject({ uid: known.uid, user_email: 'bob@example.com' })
  })

  it('is whoever has the typed address, where no link names a reader; and keeps the name', async () => {
    const known = await shop.client.grantAccess({
      rid: 'secret',
      email: 'cid@example.com',
      user_ref: 'cid',
      first_name: 'Cid',
    })
    await shop.buy({ rid: 'article', email: 'cid@example.com' })
    expect(await shop.client.getAccess({ rid: 'article', user_ref: 'cid' })).toMatchObject({
      uid: known.uid,
    })
    expect((await shop.client.getUser(known.uid)).first_name).toBe('Cid')
  })

  it('is sent the receipt at the address that is known, else at the typed one', async () => {
    await shop.client.grantAccess({
      rid: 'secret',
      email: 'dan@example.com',
      user_ref: 'dan',
      suppress_email: true,
    })
    await shop.buy({ rid: 'article', userRef: 'dan', email: 'elsewhere@example.com' })
    expect(await mailsTo('dan@example.com')).toMatchObject([{ kind: 'receipt' }])
    expect(await mailsTo('elsewhere@example.com')).toEqual([])
    await shop.buy({ rid: 'article', userRef: 'new', email: 'new@example.com' })
    expect(await mailsTo('new@example.com')).toMatchObject([{ kind: 'receipt' }])
  })

  it('is refused a second subscription before paying, if the reader is proven', async () => {
    await shop.buy({ rid: 'pass', userRef: 'eve', terms: MONTHLY })
    const again = shop.buy({ rid: 'pass', userRef: 'eve', terms: MONTHLY })
    await expect(again).rejects.toMatchObject({ code: 'already_subscribed' })
  })

  it('gets the money back for a second subscription that only a typed address ties to the first', async () => {
    await shop.buy({ rid: 'pass', email: 'fay@example.com', terms: MONTHLY })
    await shop.buy({ rid: 'pass', email: 'fay@example.com', terms: MONTHLY })
    await shop.work()
    const { data } = await shop.client.searchPayments({ rid: 'pass' })
    expect(data.map(({ status, flag }) => [status, flag]).sort()).toEqual([
      ['refunded', 'duplicate'],
      ['succeeded', undefined],
    ])
    expect((await shop.client.searchSubscriptions({ rid: 'pass' })).total).toBe(1)
    const kinds = (await mailsTo('fay@example.com')).map(({ kind }) => kind).sort()
    expect(kinds).toEqual(['receipt', 'refunded'])
  })

  it('has one trial', async () => {
    const terms = { ...MONTHLY, trial_days: 14 }
    await shop.buy({ rid: 'pass', userRef: 'gus', terms })
    expect((await shop.client.searchSubscriptions({ user_ref: 'gus' })).data).toMatchObject([
      { status: 'trialing' },
    ])
    expect((await shop.client.searchPayments({ user_ref: 'gus' })).total).toBe(0)
    await shop.client.revokeAccess({ rid: 'pass', user_ref: 'gus' })
    const again = shop.buy({ rid: 'pass', userRef: 'gus', terms })
    await expect(again).rejects.toMatchObject({ code: 'trial_used' })
    await shop.buy({ rid: 'pass', userRef: 'gus', terms: MONTHLY })
    expect((await shop.client.searchPayments({ user_ref: 'gus' })).data).toMatchObject([
      { status: 'succeeded', amount: 4.99 },
    ])
  })
})
