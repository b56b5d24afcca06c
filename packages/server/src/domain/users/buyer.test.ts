import { describe, expect, it } from 'vitest'
import { updateRows } from '../../db/queries/rows.ts'
import { useDomainShop } from '../../testing/payments/use-domain-shop.ts'
import { type Buyer, findAddressesByUid, requireBuyer, resolveBuyer } from './buyer.ts'
import { getUser, listNames } from './users.ts'

const { shop, env, db, historyOf } = useDomainShop()
const NOBODY = { email: null, email_key: null, contact_email: null }

async function resolve(buyer: Partial<Buyer>) {
  const whole: Buyer = {
    ...{ aid: shop.aid, userRef: undefined, vouchedEmail: undefined, typedEmail: undefined },
    ...{ firstName: '', lastName: '', ...buyer },
  }
  const found = await db().write((trx) => resolveBuyer(trx, whole, env().clock(), 'test'))
  // The returned user equals the stored one.
  expect(await getUser(db().read, shop.aid, found.user.uid)).toEqual(found.user)
  return found
}

const referencesOf = async (uid: string) => (await listNames(db().read, shop.aid, uid)).references

/** A reader whom the site knows by a reference alone. */
const grantTo = async (user_ref: string) =>
  await shop.client.grantAccess({ rid: 'pass', user_ref, email: `${user_ref}@example.com` })

describe('a buyer without a reference', () => {
  it('becomes a user with the typed address', async () => {
    const { user, reference } = await resolve({ typedEmail: 'Ann@Example.com', firstName: 'Ann' })
    expect(reference).toBeUndefined()
    expect(user).toMatchObject({
      ...{ email: 'Ann@Example.com', email_key: 'ann@example.com', contact_email: null },
      ...{ first_name: 'Ann', last_name: '', created: env().clock(), erased: null },
    })
    expect(await historyOf('user created')).toMatchObject([{ uid: user.uid, actor: 'test' }])
    expect(await historyOf('reference added')).toEqual([])
  })

  it('is the user who has the address', async () => {
    const { uid } = await grantTo('ann')
    const { user } = await resolve({ typedEmail: 'ANN@example.com' })
    expect(user).toMatchObject({ uid, email: 'ann@example.com' })
  })

  it('is the user with the vouched address, whatever was typed', async () => {
    const { uid } = await grantTo('ann')
    const input = { vouchedEmail: 'ann@example.com', typedEmail: 'bob@example.com' }
    expect((await resolve(input)).user.uid).toBe(uid)
  })

  it('gets no name that may be something else', async () => {
    const { user } = await resolve({ firstName: 'see spam.example', lastName: 'a@b' })
    expect(user).toMatchObject({ first_name: '', last_name: '', ...NOBODY })
  })
})

describe('a buyer with a new reference', () => {
  it('becomes a user with it; a typed address is only the contact', async () => {
    await grantTo('bob')
    const { user, reference } = await resolve({ userRef: 'ann', typedEmail: 'bob@example.com' })
    expect(reference).toBe('ann')
    expect(user).toMatchObject({ ...NOBODY, contact_email: 'bob@example.com' })
    expect(await referencesOf(user.uid)).toEqual(['ann'])
    const added = (await historyOf('reference added')).map(({ uid, actor }) => ({ uid, actor }))
    expect(added).toContainEqual({ uid: user.uid, actor: 'test' })
  })

  it('becomes a user without an address if there is none', async () => {
    expect((await resolve({ userRef: 'ann' })).user).toMatchObject(NOBODY)
  })

  it('gives the reference to the user with the vouched address', async () => {
    const { uid } = await grantTo('ann')
    const { user } = await resolve({ userRef: 'second', vouchedEmail: 'ann@example.com' })
    expect(user.uid).toBe(uid)
    expect((await referencesOf(uid)).sort()).toEqual(['ann', 'second'])
  })
})

describe('a buyer whose reference is known', () => {
  it('is that user, and keeps the address', async () => {
    const { uid } = await grantTo('ann')
    const other = { vouchedEmail: 'new@example.com', typedEmail: 'typed@example.com' }
    const { user, reference } = await resolve({ userRef: 'ann', ...other })
    expect(user).toMatchObject({ uid, email: 'ann@example.com', contact_email: null })
    expect(reference).toBe('ann')
  })

  it('may be named by the uid, which is no reference', async () => {
    const { uid } = await grantTo('ann')
    const { user, reference } = await resolve({ userRef: uid, typedEmail: 'bob@example.com' })
    expect([user.uid, reference]).toEqual([uid, undefined])
    expect(await referencesOf(uid)).toEqual(['ann'])
  })

  it('gets the vouched address if there was none', async () => {
    const { user: first } = await resolve({ userRef: 'ann' })
    const { user } = await resolve({ userRef: 'ann', vouchedEmail: 'Ann@example.com' })
    expect(user).toEqual({
      ...first,
      ...{ email: 'Ann@example.com', email_key: 'ann@example.com' },
      contact_email: 'Ann@example.com',
    })
  })

  it('gets an address that another user has as the contact only', async () => {
    await grantTo('bob')
    await resolve({ userRef: 'ann' })
    const { user } = await resolve({ userRef: 'ann', vouchedEmail: 'bob@example.com' })
    expect(user).toMatchObject({ ...NOBODY, contact_email: 'bob@example.com' })
  })

  it('keeps the first typed address as the contact, until one is vouched for', async () => {
    await resolve({ userRef: 'ann' })
    const contactAfter = async (more: Partial<Buyer>) =>
      (await resolve({ userRef: 'ann', ...more })).user.contact_email
    expect(await contactAfter({})).toBeNull()
    expect(await contactAfter({ typedEmail: 'first@example.com' })).toBe('first@example.com')
    expect(await contactAfter({ typedEmail: 'second@example.com' })).toBe('first@example.com')
    expect(await contactAfter({})).toBe('first@example.com')
  })
})

describe('a reference that is the uid of an erased user', () => {
  async function eraseAnn(): Promise<string> {
    const { uid } = await grantTo('ann')
    const erased = { erased: env().clock(), email: null, email_key: null }
    await db().write((trx) => updateRows(trx, 'users', { aid: shop.aid, uid }, erased))
    return uid
  }

  it('is refused before payment', async () => {
    const link = { aid: shop.aid, userRef: await eraseAnn() }
    await expect(requireBuyer(db().read, link)).rejects.toMatchObject({ code: 'user_ref_erased' })
  })

  it('names nobody after payment', async () => {
    const uid = await eraseAnn()
    const { user, reference } = await resolve({ userRef: uid, typedEmail: 'ann@example.com' })
    expect(user.uid).not.toBe(uid)
    expect(user).toMatchObject({ email: 'ann@example.com' })
    expect([reference, await referencesOf(user.uid)]).toEqual([undefined, []])
  })
})

it('mail goes to the address or to the contact, and to nobody without either', async () => {
  const own = await resolve({ typedEmail: 'ann@example.com' })
  const contact = await resolve({ userRef: 'bob', typedEmail: 'bob@example.com' })
  const none = await resolve({ userRef: 'cid' })
  const uids = [own, contact, none].map(({ user }) => user.uid)
  expect([...(await findAddressesByUid(db().read, shop.aid, uids))]).toEqual(
    expect.arrayContaining([
      [own.user.uid, 'ann@example.com'],
      [contact.user.uid, 'bob@example.com'],
    ]),
  )
  expect((await findAddressesByUid(db().read, shop.aid, uids)).size).toBe(2)
})
