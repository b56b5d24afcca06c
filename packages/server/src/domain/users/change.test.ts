import { describe, expect, it } from 'vitest'
import { useDomainShop } from '../../testing/payments/use-domain-shop.ts'
import { setEmail, setNames } from './change.ts'
import { isPlainName } from './names.ts'
import { getUser } from './users.ts'

const { shop, env, db, historyOf } = useDomainShop()

async function newUser(): Promise<{ aid: string; uid: string; actor: string }> {
  const names = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Arbor' }
  const { uid } = await shop.client.grantAccess({ rid: 'pass', ...names })
  return { aid: shop.aid, uid, actor: 'test' }
}

const read = (uid: string) => getUser(db().read, shop.aid, uid)

describe('an address', () => {
  const change = async (who: { aid: string; uid: string; actor: string }, email: string) =>
    await db().write((trx) => setEmail(trx, who, email, env().clock()))

  it('is changed, and what is returned is what is stored', async () => {
    const who = await newUser()
    const changed = await change(who, 'New@example.com')
    expect(changed).toMatchObject({ email: 'New@example.com', email_key: 'new@example.com' })
    expect(await read(who.uid)).toEqual(changed)
    expect(await historyOf('e-mail changed')).toHaveLength(1)
  })

  it('that is the same changes nothing', async () => {
    const who = await newUser()
    const before = await read(who.uid)
    expect(await change(who, 'ann@example.com')).toEqual(before)
    expect(await historyOf('e-mail changed')).toEqual([])
  })

  it('that another user has is refused', async () => {
    const who = await newUser()
    await shop.client.grantAccess({ rid: 'pass', email: 'bob@example.com' })
    await expect(change(who, 'BOB@example.com')).rejects.toMatchObject({ code: 'email_taken' })
  })
})

describe('a name', () => {
  const change = async (
    who: { aid: string; uid: string; actor: string },
    names: { first_name?: string; last_name?: string },
  ) => await db().write((trx) => setNames(trx, who, names, env().clock()))

  it.each([
    [{ first_name: 'Bea' }, { first_name: 'Bea', last_name: 'Arbor' }],
    [{ last_name: 'Berg' }, { first_name: 'Ann', last_name: 'Berg' }],
  ])('is changed by %o, and the other one stays', async (names, expected) => {
    const who = await newUser()
    const changed = await change(who, names)
    expect(changed).toMatchObject(expected)
    expect(await read(who.uid)).toEqual(changed)
    expect(await historyOf('user renamed')).toHaveLength(1)
  })

  it('that is the same changes nothing', async () => {
    const who = await newUser()
    const before = await read(who.uid)
    expect(await change(who, { first_name: 'Ann', last_name: 'Arbor' })).toEqual(before)
    expect(await historyOf('user renamed')).toEqual([])
  })
})

it.each([
  ['Ann', true],
  ['Anne-Marie O’Neill Jr.', true],
  ['One Two Three Four', true],
  ['One Two Three Four Five', false],
  ['x'.repeat(40), true],
  ['x'.repeat(41), false],
  ['spam.example', false],
  ['1337', false],
  ['', false],
])('takes %j for a name: %s', (text, isName) => {
  expect(isPlainName(text)).toBe(isName)
})
