import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EnvironmentName } from '../../context.ts'
import { databases } from '../../testing/databases.ts'
import { sendSigned, withoutRequestId } from '../../testing/http/requests.ts'
import { getPage, submitForm } from '../../testing/payments/page-client.ts'
import { goToPayment, payOnPage } from '../../testing/payments/page-shop.ts'
import { replaceProvider } from '../../testing/payments/replace-provider.ts'
import type { TestApplication } from '../../testing/service.ts'
import type { FakeSession } from '../../testing/stripe/ledger.ts'
import { useFakeStripe, useService } from '../../testing/use-service.ts'
import { createStripe } from '../payments/stripe/stripe.ts'
import { eraseUser } from '../people/erase.ts'
import { mergeUsers } from '../people/merge.ts'
import { collectPerson } from '../people/person-data.ts'
import { addReference } from './change.ts'
import { resolveUsers } from './resolve.ts'
import { isErasedUid } from './user-ref.ts'

const places = databases.flatMap((database) =>
  (['production', 'sandbox'] as const).map((place) => ({ database, place, name: database.name })),
)

describe.each(places)('the names of a user who is gone, in the $place on $name', (where) => {
  const place: EnvironmentName = where.place
  const stripe = useFakeStripe()
  const service = useService(where.database, { useRealTime: true })
  let app: TestApplication
  beforeAll(async () => {
    const { secretKey, webhookSecret, url: api } = stripe
    // The configuration of production refuses test keys, so the provider is set directly.
    replaceProvider(
      service.ctx.environments.production,
      createStripe({ secretKey, webhookSecret, api }),
    )
    app = await service.newApplication(place)
    for (const rid of ['news', 'article', 'maps']) await app.addResource(rid)
  })

  const env = () => app.environment
  const now = () => env().clock()
  const grant = (name: string, more: Record<string, unknown> = {}) =>
    app.client.grantAccess({ rid: 'news', email: `${name}@example.com`, ...more })
  const merge = (from: string, into: string) =>
    env().database.write((trx) =>
      mergeUsers(trx, { aid: app.aid, from, into, actor: 'test' }, now()),
    )
  const erase = (uid: string) =>
    env().database.write((trx) =>
      eraseUser(
        trx,
        { aid: app.aid, uid, actor: 'test' },
        { now: now(), realTime: env().realTime() },
      ),
    )
  const linkFor = (user_ref: string, more: { email?: string } = {}) =>
    app.client.purchaseLink({
      ...{ rid: 'article', amount: '2.90', currency: 'EUR', user_ref, ...more },
      expires: now() + 3_600,
    })

  /** Goes from a purchase link to the end of its checkout. */
  async function buy(link: string, email: string): Promise<void> {
    const page = await goToPayment(link, { email })
    const done = place === 'production' ? payByStripe() : await payOnPage(page)
    expect((await getPage(done)).status).toBe(200)
  }
  function payByStripe(): string {
    const session = [...stripe.ledger.sessions.values()].at(-1) as FakeSession
    stripe.pay(session.id)
    return session.success_url
  }

  /** Returns the status of an access check, and requires that the fast path and the route agree. A
   * `content-length` header forces the route. */
  async function check(rid: string, user_ref: string): Promise<number> {
    const ask = (headers = {}) =>
      sendSigned(app, 'GET', '/r2/access', { rid, user_ref }, { headers })
    const [fast, route] = [await ask(), await ask({ 'content-length': '0' })]
    expect(JSON.parse(withoutRequestId(fast).replace(/,\}/, '}'))).toEqual(
      JSON.parse(withoutRequestId(route).replace(/,\}/, '}')),
    )
    const { total } = await app.client.searchAccess({ rid, user_ref })
    expect(total).toBe(route.status === 200 ? 1 : 0)
    return route.status
  }

  it('are those of the user who is left: a purchase with an old uid can be seen and ended', async () => {
    const gone = await grant('ann')
    expect(gone.user_ref).toBe(gone.uid)
    const kept = await grant('bob', { rid: 'maps' })
    await merge(gone.uid, kept.uid)
    await buy(await linkFor(gone.uid), 'ann@example.com')
    for (const user_ref of [gone.uid, kept.uid]) {
      for (const rid of ['news', 'article', 'maps']) expect(await check(rid, user_ref)).toBe(200)
    }
    const bought = await app.client.getAccess({ rid: 'article', user_ref: gone.uid })
    expect(bought).toMatchObject({ uid: kept.uid, user_email: 'bob@example.com' })
    const { data } = await app.client.searchPayments({ user_ref: gone.uid })
    expect(data).toMatchObject([{ rid: 'article' }])
    await app.client.revokeAccess({ rid: 'article', user_ref: gone.uid })
    for (const ref of [gone.uid, kept.uid]) expect(await check('article', ref)).toBe(404)
    await service.requireInvariants()
  })

  it('name nobody once a user is erased: a link is refused before anybody pays', async () => {
    const { uid } = await grant('cid')
    const link = await linkFor(uid)
    const vouched = await linkFor(uid, { email: 'dan@example.com' })
    await erase(uid)
    const paid = stripe.ledger.sessions.size
    for (const one of [link, vouched]) {
      expect((await submitForm(one, { email: 'cid@example.com' })).status).toBe(402)
    }
    expect(stripe.ledger.sessions.size).toBe(paid)
    const granted = grant('cid', { user_ref: uid })
    await expect(granted).rejects.toMatchObject({ status: 402, code: 'user_ref_erased' })
    expect(await check('news', uid)).toBe(404)
    expect(await isErasedUid(env().database.read, app.aid, uid)).toBe(true)
    await service.requireInvariants()
  })

  it('lead over several merges, and end with the user who is left', async () => {
    const users = [
      await grant('eve', { user_ref: 'eve-1' }),
      await grant('fay', { rid: 'maps' }),
      await grant('gus', { rid: 'article', user_ref: 'gus-1' }),
    ] as const
    const [eve, fay, gus] = users
    await merge(eve.uid, fay.uid)
    for (const ref of ['eve-1', eve.uid, fay.uid]) expect(await check('news', ref)).toBe(200)
    await merge(fay.uid, gus.uid)
    for (const ref of ['eve-1', eve.uid, fay.uid, 'gus-1', gus.uid]) {
      for (const rid of ['news', 'maps', 'article']) expect(await check(rid, ref)).toBe(200)
    }
    const person = await collectPerson(env().database.read, app.aid, gus.uid)
    expect(person.references).toEqual(['gus-1'])
    expect(person.aliases).toEqual(['eve-1', eve.uid, fay.uid].sort())
    const named = await resolveUsers(env().database.read, app.aid, eve.uid)
    expect(named.map(({ user }) => user.uid)).toEqual([gus.uid])
    await service.requireInvariants()
    await erase(gus.uid)
    for (const ref of [eve.uid, fay.uid, gus.uid]) {
      expect(await check('news', ref)).toBe(404)
      expect((await submitForm(await linkFor(ref), { email: 'x@example.com' })).status).toBe(402)
      const again = grant('new', { user_ref: ref })
      await expect(again).rejects.toMatchObject({ code: 'user_ref_erased' })
    }
    // A reference, unlike a uid, is free again after an erasure.
    expect((await grant('eve', { user_ref: 'eve-1' })).uid).not.toBe(gus.uid)
  })

  it('work in grants to the user who is left, and nobody else gets them', async () => {
    const gone = await grant('hal', { user_ref: 'hal-1' })
    const kept = await grant('ivy', { user_ref: 'ivy-1' })
    await merge(gone.uid, kept.uid)
    for (const user_ref of ['hal-1', gone.uid]) {
      const granted = await grant('ivy', { user_ref, rid: 'maps' })
      expect(granted).toMatchObject({ uid: kept.uid, user_ref })
      const other = grant('joe', { user_ref })
      await expect(other).rejects.toMatchObject({ status: 402, code: 'user_ref_taken' })
    }
    const joe = await grant('joe')
    const who = { aid: app.aid, uid: joe.uid, actor: 'test' }
    const adding = env().database.write((trx) => addReference(trx, who, gone.uid, now()))
    await expect(adding).rejects.toMatchObject({ code: 'user_ref_taken' })
    await service.requireInvariants()
  })

  it('are checked by the database: no access can show what is not its own user’s', async () => {
    await grant('kim', { user_ref: 'kim-1' })
    const lee = await grant('lee', { user_ref: 'lee-1' })
    const wrong = [
      sql`update access set user_ref = 'kim-1' where id = ${lee.id}`,
      sql`update access set user_ref = 'nobody' where id = ${lee.id}`,
      sql`delete from user_refs where aid = ${app.aid} and ref = 'lee-1'`,
      sql`update user_refs set uid = ${(await grant('kim')).uid}
        where aid = ${app.aid} and ref = 'lee-1'`,
    ]
    for (const statement of wrong) {
      const written = env().database.write((trx) => statement.execute(trx))
      await expect(written).rejects.toThrow(/access/)
    }
    expect(await check('news', 'lee-1')).toBe(200)
  })
})
