import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { databases } from '../../../testing/databases.ts'
import { useFreshShop, useService } from '../../../testing/use-service.ts'
import { clocksOf } from '../../payments/context.ts'
import { getUser } from '../../users/users.ts'
import { grantMany } from './grant.ts'
import type { Grant } from './input.ts'

describe.each(databases)('Several grants at once on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'pass')
  const env = () => shop.environment
  const grantTo = (name: string, more: Partial<Grant> = {}): Grant => ({
    ...{ aid: shop.aid, rid: 'pass', email: `${name}@example.com`, ends: FOREVER },
    ...{ actor: 'test', ...more },
  })
  const grantAll = (...grants: Grant[]) =>
    env().database.write((trx) => grantMany(trx, grants, clocksOf(env())))

  it('say which access is new, and which has changed', async () => {
    const ann = grantTo('ann')
    const first = await grantAll(ann, { ...ann, ends: env().clock() + 60 }, grantTo('bob'))
    expect(first).toMatchObject([
      { isNew: true, changed: true, endsBefore: null, ends: FOREVER },
      { isNew: false, changed: true, endsBefore: FOREVER },
      { isNew: true, changed: true },
    ])
    expect(await grantAll(grantTo('bob'))).toMatchObject([
      { isNew: false, changed: false, endsBefore: FOREVER, ends: FOREVER },
    ])
  })

  it('are each refused or made, in their order', async () => {
    const outcomes = await grantAll(
      grantTo('cid', { rid: 'nothing' }),
      grantTo('cid'),
      grantTo('cid', { userRef: 'cid' }),
      grantTo('dot', { userRef: 'cid' }),
      grantTo('eva'),
    )
    expect(outcomes).toMatchObject([
      { code: 'resource_not_found' },
      { isNew: true },
      { isNew: false, changed: true },
      { code: 'user_ref_taken' },
      { isNew: true },
    ])
    expect(outcomes).toHaveLength(5)
  })

  it('give one address to a reader who has none, whichever reference they name', async () => {
    await shop.buy({ rid: 'pass', userRef: 'first', email: 'typed@example.com' })
    const { aid } = shop
    const { uid } = await env()
      .database.read.selectFrom('user_refs')
      .select('uid')
      .where((eb) => eb.and({ aid, ref: 'first' }))
      .executeTakeFirstOrThrow()
    await env().database.write((trx) =>
      trx.insertInto('user_refs').values({ aid, uid, ref: 'second', alias: 1 }).execute(),
    )
    const outcomes = await grantAll(
      grantTo('other'),
      grantTo('one', { userRef: 'first' }),
      grantTo('two', { userRef: 'second' }),
      grantTo('last'),
    )
    expect(outcomes).toMatchObject([
      { isNew: true },
      { isNew: false, changed: true },
      { code: 'user_ref_taken' },
      { isNew: true },
    ])
    expect((await getUser(env().database.read, aid, uid)).email).toBe('one@example.com')
  })

  it('change each their own access', async () => {
    const soon = env().clock() + 60
    const before = await grantAll(grantTo('ann'), grantTo('bob', { ends: soon }), grantTo('cid'))
    const after = await grantAll(grantTo('bob', { ends: soon + 1 }), grantTo('ann'))
    expect(after).toMatchObject([
      { changed: true, endsBefore: soon, ends: soon + 1 },
      { changed: false, endsBefore: FOREVER, ends: FOREVER },
    ])
    const ids = before.map((one) => 'accessId' in one && one.accessId)
    expect(after.map((one) => 'accessId' in one && one.accessId)).toEqual([ids[1], ids[0]])
  })

  it('take no id, uid or reference that somebody has', async () => {
    const { id, uid } = await shop.client.grantAccess({ rid: 'pass', email: 'ann@example.com' })
    const outcomes = await grantAll(
      grantTo('bob', { preserve: { id } }),
      grantTo('cid', { preserve: { uid } }),
      grantTo('dot', { userRef: uid }),
      grantTo('ann', { preserve: { id, uid }, userRef: uid }),
    )
    expect(outcomes).toMatchObject([
      { code: 'invalid_parameter', parameter: 'id' },
      { code: 'invalid_parameter', parameter: 'uid' },
      { code: 'user_ref_is_uid' },
      { isNew: false, accessId: id },
    ])
  })

  it('give an id, a uid and a reference to the first who asks for it', async () => {
    const outcomes = await grantAll(
      grantTo('ann', { preserve: { id: 'a1', uid: 'u1' }, userRef: 'ref' }),
      grantTo('bob', { preserve: { id: 'a1' } }),
      grantTo('cid', { preserve: { uid: 'u1' } }),
      grantTo('dot', { userRef: 'ref' }),
      grantTo('eva', { preserve: { uid: 'ref' } }),
    )
    expect(outcomes).toMatchObject([
      { isNew: true, accessId: 'a1' },
      { code: 'invalid_parameter', parameter: 'id' },
      { code: 'invalid_parameter', parameter: 'uid' },
      { code: 'user_ref_taken' },
      { code: 'invalid_parameter', parameter: 'uid' },
    ])
  })

  it('give a former address to the first who has it, whom it names in those that follow', async () => {
    const ann = await shop.client.grantAccess({ rid: 'pass', email: 'ann@example.com' })
    const outcomes = await grantAll(
      grantTo('bob', { preserve: { uid: 'uid-of-bob', formerAddresses: ['old@example.com'] } }),
      grantTo('old'),
      grantTo('cid', { preserve: { formerAddresses: ['old@example.com'] } }),
      grantTo('dot', { preserve: { formerAddresses: ['Ann@example.com'] } }),
      grantTo('bob', { preserve: { formerAddresses: ['old@example.com', 'ann@example.com'] } }),
    )
    expect(outcomes).toMatchObject([
      { isNew: true },
      { isNew: false, changed: false },
      { code: 'email_taken' },
      { code: 'email_taken' },
      { code: 'email_taken' },
    ])
    const { data } = await shop.client.searchAccess({ email: 'old@example.com' })
    expect(data).toMatchObject([{ uid: 'uid-of-bob', user_email: 'bob@example.com' }])
    expect((await shop.client.getUser(ann.uid)).email).toBe('ann@example.com')
  })

  it('are none if one of them fails by a defect', async () => {
    const broken = Object.defineProperty(grantTo('fay'), 'tags', {
      get() {
        throw new TypeError('a defect')
      },
    })
    await expect(grantAll(grantTo('gus'), broken)).rejects.toThrow('a defect')
    expect((await shop.client.searchAccess()).data).toEqual([])
  })
})
