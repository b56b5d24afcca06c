import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db, Trx } from '../../db/database.ts'
import { insertRows } from '../../db/queries/rows.ts'
import { afterQuery } from '../../testing/after-query.ts'
import { databases } from '../../testing/databases.ts'
import { MONTHLY, ONCE } from '../../testing/payments/shop.ts'
import { plansOf } from '../../testing/query-plans.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import {
  type CheckoutInput,
  createCardChangeCheckout,
  createCheckout,
  getCheckout,
  newCheckoutRow,
} from '../payments/checkout/checkouts.ts'
import { clocksOf } from '../payments/context.ts'
import { eraseUser } from './erase.ts'
import { eraseCheckouts, listCheckoutsOfUser } from './erase-checkouts.ts'
import { mergeUsers } from './merge.ts'

const ERASED = {
  ...{ status: 'expired', user_ref: null, vouched_email: null, typed_email: null },
  ...{ first_name: '', last_name: '', return_url: null },
}

describe.each(databases)('checkouts, when a person is erased on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'news', 'pass')

  const db = () => shop.environment.database
  const addReader = async (name: string) =>
    (await shop.client.grantAccess({ rid: 'news', email: `${name}@example.com`, user_ref: name }))
      .uid
  const open = (buyer: Partial<CheckoutInput>) =>
    createCheckout(shop.environment, {
      ...{ aid: shop.aid, rid: 'pass', terms: ONCE, firstName: '', lastName: '' },
      ...buyer,
    })
  const erase = (uid: string) => {
    const who = { aid: shop.aid, uid, actor: 'test' }
    return db().write((trx) => eraseUser(trx, who, clocksOf(shop.environment)))
  }

  it('are listed with what the person paid and what they only began, and no one else’s', async () => {
    const ann = await addReader('ann')
    await addReader('bob')
    const first = await open({ userRef: 'ann' })
    service.clock.advance(1)
    const paid = await shop.buy({ rid: 'pass', userRef: 'ann' })
    service.clock.advance(1)
    const last = await open({ typedEmail: 'Ann@example.com' })
    await open({ userRef: 'bob' })
    await shop.buy({ rid: 'pass', userRef: 'bob' })
    const ids = async () =>
      (await listCheckoutsOfUser(db().read, shop.aid, ann)).map(({ id }) => id)
    expect(await ids()).toEqual([first.id, paid.id, last.id])
    await erase(ann)
    expect((await ids()).sort()).toEqual([first.id, paid.id, last.id].sort())
  })

  it('of others keep their own addresses, whatever address of hers is beside them', async () => {
    const ann = await addReader('ann')
    await addReader('bob')
    const beside = await open({
      ...{ userRef: 'bob', vouchedEmail: 'bob@example.com', typedEmail: 'ann@example.com' },
    })
    const without = await open({ vouchedEmail: 'eve@example.com', typedEmail: 'x@example.com' })
    await erase(ann)
    expect(await getCheckout(db().read, beside)).toMatchObject({
      ...{ status: 'open', vouched_email: 'bob@example.com', typed_email: null },
    })
    expect(await getCheckout(db().read, without)).toEqual(without)
  })

  it('for which the application names another reader by address stay open', async () => {
    const ann = await addReader('ann')
    await addReader('bob')
    const bobs = await open({ vouchedEmail: 'bob@example.com', typedEmail: 'ann@example.com' })
    await erase(ann)
    expect(await getCheckout(db().read, bobs)).toMatchObject({
      ...{ status: 'open', uid: null, vouched_email: 'bob@example.com', typed_email: null },
    })
  })

  it.each([
    ['other capitals', 'ann.lee+x@example.com', 'Ann.LEE+X@Example.COM'],
    ['letters outside ASCII', 'jürgen.ö@example.com', 'JÜRGEN.Ö@EXAMPLE.COM'],
    ['accents of their own', 'Jürgen.Ö@example.com', 'ju\u0308rgen.o\u0308@example.com'],
    ['a letter that only looks like ASCII', 'kim@example.com', '\u212Aim@example.com'],
    ['a letter whose small form is two', '\u0130pek@example.com', 'i\u0307pek@example.com'],
    ['punctuation that is rare', "o'neil/{1}@example.com", "O'Neil/{1}@Example.com"],
  ])('are found by an address that is spelled with %s', async (_, email, spelled) => {
    const { uid } = await shop.client.grantAccess({ rid: 'news', email })
    await addReader('bob')
    const hers = [await open({ typedEmail: spelled }), await open({ vouchedEmail: spelled })]
    const bobs = await open({ userRef: 'bob', typedEmail: spelled })
    const listed = await listCheckoutsOfUser(db().read, shop.aid, uid)
    expect(listed.map(({ id }) => id).sort()).toEqual(hers.map(({ id }) => id).sort())
    await erase(uid)
    for (const row of hers) {
      expect(await getCheckout(db().read, row)).toMatchObject({ ...ERASED, uid })
    }
    expect(await getCheckout(db().read, bobs)).toMatchObject({ status: 'open', typed_email: null })
  })

  it('of strangers whose address has letters outside ASCII stay as they are', async () => {
    const ann = await addReader('ann')
    const strangers = [
      await open({ typedEmail: 'zoë@example.com' }),
      await open({ vouchedEmail: 'jürgen@example.com' }),
    ]
    expect(await listCheckoutsOfUser(db().read, shop.aid, ann)).toEqual([])
    await erase(ann)
    for (const row of strangers) expect(await getCheckout(db().read, row)).toEqual(row)
  })

  it('are found by every name: uids, references, those of merged users, addresses, and subscriptions', async () => {
    const { environment: env, aid } = shop
    const { uid } = await shop.client.grantAccess({ rid: 'news', email: 'ann@example.com' })
    const old = await shop.client.grantAccess({ rid: 'news', email: 'old@example.com' })
    const older = await addReader('older')
    const hers = [await open({ userRef: uid }), await open({ userRef: old.uid })]
    hers.push(await open({ userRef: 'older' }))
    hers.push(
      await open({ vouchedEmail: 'Old@example.com' }),
      await open({ typedEmail: 'older@example.com' }),
    )
    for (const from of [old.uid, older]) {
      const input = { aid, from, into: uid, actor: 'test' }
      await db().write((trx) => mergeUsers(trx, input, env.clock()))
    }
    const paid = await shop.buy({ rid: 'pass', userRef: 'older', terms: MONTHLY })
    const [subscription] = (await shop.client.searchSubscriptions({ user_ref: 'older' })).data
    const until = env.clock() + 60
    hers.push(
      await createCardChangeCheckout(
        env,
        { aid, id: subscription?.id as string, linkNumber: 0 },
        until,
      ),
    )
    const listed = await listCheckoutsOfUser(db().read, aid, uid)
    expect(listed.map(({ id }) => id).sort()).toEqual([...hers, paid].map(({ id }) => id).sort())
    await erase(uid)
    for (const row of hers) {
      expect(await getCheckout(db().read, row)).toMatchObject({ ...ERASED, uid })
    }
  })

  it('end also if one was begun after the erasure had listed them', async () => {
    const ann = await addReader('ann')
    await open({ userRef: 'ann' })
    let beginning: ReturnType<typeof open> | undefined
    await db().write(async (trx) => {
      const begin = async () => {
        beginning ??= open({ typedEmail: 'ANN@example.com' })
        // On SQLite it waits for the end of the erasure, and is then nobody's.
        if (database.engine === 'postgres') await beginning
      }
      afterQuery(trx, 1, begin, /from "checkouts"/)
      await eraseUser(trx, { aid: shop.aid, uid: ann, actor: 'test' }, clocksOf(shop.environment))
    })
    const begun = (await beginning) as NonNullable<Awaited<typeof beginning>>
    const expected = database.engine === 'postgres' ? { ...ERASED, uid: ann } : { uid: null }
    expect(await getCheckout(db().read, begun)).toMatchObject(expected)
  })

  it('are found without reading those of others', async () => {
    const { environment: env, aid } = shop
    const ann = await addReader('ann')
    await open({ userRef: 'ann', typedEmail: 'ann@example.com' })
    const abandoned = Array.from({ length: 3_000 }, (_, i) => ({
      ...newCheckoutRow(aid, 'pass', 'test', env.clock()),
      ...{ status: i % 3 === 0 ? ('open' as const) : ('expired' as const), amount: 499 },
      ...{ currency: 'EUR', user_ref: `reader-${i}` },
      ...{ typed_email: `t${i}@example.com`, vouched_email: `v${i}@example.com` },
    }))
    await db().write((trx) => insertRows(trx, 'checkouts', abandoned))
    if (database.engine === 'postgres') await sql`analyze checkouts`.execute(db().read)
    const eraseWith = (watched: Db) =>
      eraseUser(watched as Trx, { aid, uid: ann, actor: 'test' }, clocksOf(env))
    const plans = await db().write((trx) => plansOf(database.engine, trx, eraseWith))
    // A step on the table or one of its indexes that only the application narrows.
    const broad =
      /SCAN checkouts|SEARCH checkouts .*\(aid=\?\)|Seq Scan on checkouts|(on|using) checkouts.*\n *Index Cond: \(aid = '[^']*'::text\)(\n|$)/
    expect(plans.filter((plan) => broad.test(plan))).toEqual([])
    expect(new Set(plans.join('\n').match(/checkouts_unpaid_\w+/g)).size).toBe(4)
  })

  it.each([
    ['a reference', { user_ref: 'ann' }],
    ['a vouched address', { vouched_email: 'ann@example.com' }],
    ['a typed address', { typed_email: 'ann@example.com' }],
    ['a first name', { first_name: 'Ann' }],
    ['a last name', { last_name: 'Lee' }],
    ['a page to return to', { return_url: 'https://magazine.example/ann' }],
  ])('count as emptied once if they had %s', async (_, known) => {
    const ann = await addReader('ann')
    const { id } = await shop.buy({ rid: 'pass', userRef: 'ann' })
    const again = () => db().write((trx) => eraseCheckouts(trx, shop.aid, ann))
    expect([await again(), await again()]).toEqual([1, 0])
    await db().write((trx) =>
      trx.updateTable('checkouts').set(known).where('id', '=', id).execute(),
    )
    expect([await again(), await again()]).toEqual([1, 0])
    expect(await getCheckout(db().read, { aid: shop.aid, id })).toMatchObject({
      ...{ user_ref: null, vouched_email: null, typed_email: null, return_url: null },
      ...{ first_name: '', last_name: '', uid: ann, status: 'paid' },
    })
  })
})
