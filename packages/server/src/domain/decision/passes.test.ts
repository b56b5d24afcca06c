import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useDecisions } from '../../testing/payments/decisions.ts'
import { ONCE } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { archivePrice, createPrice, type Terms } from '../resources/prices.ts'
import type { GrantedDecision } from './decide.ts'
import type { HeldRecord } from './held-records.ts'
import { listEntitlements, listEntitlementsOf } from './list.ts'

describe.each(databases)('a decision on $name', (database) => {
  const { shop, db, now, ask, askOne, buy, grant, open } = useDecisions(database)

  it('offers what can be bought to those who have nothing, and nothing to others', async () => {
    const price = (terms: Partial<Terms> & { rid?: string }) =>
      db().write((trx) =>
        createPrice(trx, { aid: shop.aid, rid: 'third', ...ONCE, ...terms }, now(), 'test'),
      )
    const [month, gone] = [await price({ recurring: 1, period: '1 month' }), await price({})]
    await db().write((trx) => archivePrice(trx, { aid: shop.aid, id: gone.id }, now(), 'test'))
    await grant('lea', undefined, 'third')
    const offersTo = async (userRef: string) => {
      const decision = await askOne(userRef, 'third')
      return decision.granted ? undefined : decision.offers.map(({ id }) => id)
    }
    expect(await offersTo('lea')).toBeUndefined()
    expect(await offersTo('stranger')).toEqual([month.id])
    const ofPass = await price({ rid: 'gold', amount: 5000 })
    await open('gold', { prefixes: ['th'] })
    expect(await offersTo('stranger')).toEqual([month.id, ofPass.id])
    await open('gold', {})
  })

  it('lists what somebody may see, page by page, and never cuts silently', async () => {
    for (const rid of ['extra', 'news', 'third']) await grant('mia', undefined, rid)
    await shop.client.revokeAccess({ rid: 'extra', user_ref: 'mia' })
    await buy('mia', { period: '1 day' }, { rid: 'extra' })
    const page = async (after: string, limit: number) => {
      const question = { aid: shop.aid, userRef: 'mia', after, limit }
      const { entitlements, next } = await listEntitlements(db().read, question, now())
      return [...entitlements.map(({ rid, code }) => `${rid} ${code}`), next]
    }
    expect(await page('', 2)).toEqual(['extra purchased', 'news granted', 'news'])
    expect(await page('news', 2)).toEqual(['third granted', undefined])
    expect(await page('', 3)).toHaveLength(4)
    await open('third', { all: true })
    const question = { aid: shop.aid, userRef: 'mia', after: 'news', limit: 2 }
    const { entitlements } = await listEntitlements(db().read, question, now())
    expect(entitlements).toMatchObject([{ rid: 'third', opens: { all: true } }])
    await open('third', {})
    await shop.advance(DAY)
    expect(await page('', 3)).toEqual(['news granted', 'third granted', undefined])
  })

  it('goes through passes where nothing direct is live, and says which', async () => {
    await open('gold', { rids: ['film'], prefixes: ['news/'] })
    await open('silver', { prefixes: ['news/'] })
    const start = now()
    await grant('ola', start + DAY, 'film')
    await grant('ola', start + 3 * DAY, 'gold')
    const id = (await grant('ola', start + 2 * DAY, 'silver')).id
    const [film, article, other] = await ask('ola', 'film', 'news/1', 'news')
    expect(film).toMatchObject({ code: 'granted', via: undefined, until: start + DAY })
    expect(film?.nextChange).toBe(start + DAY)
    expect((film as GrantedDecision).sources.map(({ via }) => via)).toEqual([undefined, 'gold'])
    expect(article).toMatchObject({ granted: true, via: 'gold', until: start + 3 * DAY })
    expect(article?.nextChange).toBe(start + 2 * DAY)
    expect(other).toMatchObject({ code: 'never_granted', via: undefined })
    await shop.advance(DAY + 1)
    expect(await ask('ola', 'film')).toMatchObject([
      { granted: true, via: 'gold', until: start + 3 * DAY, nextChange: start + 3 * DAY },
    ])
    await shop.client.revokeAccess({ rid: 'gold', user_ref: 'ola' })
    const revoked = now()
    expect(await ask('ola', 'film', 'news/2')).toMatchObject([
      { code: 'revoked', via: 'gold', since: revoked },
      { code: 'granted', via: 'silver', record: { id }, until: start + 2 * DAY },
    ])
    await shop.advance(DAY)
    expect(await ask('ola', 'film', 'news/2', 'silver')).toMatchObject([
      { code: 'revoked', via: 'gold', since: revoked },
      { code: 'expired', via: 'silver', since: start + 2 * DAY },
      { code: 'expired', via: undefined },
    ])
    await open('silver', {})
    expect(await ask('ola', 'news/2')).toMatchObject([{ code: 'revoked', via: 'gold' }])
  })

  it('names of several passes the one that lasts longest, in whatever order they come', async () => {
    await open('gold', { prefixes: ['news/'] })
    await open('silver', { prefixes: ['news/'] })
    const ends = { gold: now() + DAY, silver: now() + 2 * DAY }
    await grant('pia', ends.gold, 'gold')
    await grant('pia', ends.silver, 'silver')
    await grant('pit', ends.silver, 'gold')
    await grant('pit', ends.gold, 'silver')
    expect(await ask('pia', 'news/1')).toMatchObject([{ via: 'silver', until: ends.silver }])
    expect(await ask('pit', 'news/1')).toMatchObject([{ via: 'gold', until: ends.silver }])
    for (const rid of ['gold', 'silver']) await open(rid, {})
  })

  it('lists of many readers what each may see, and whether there is more', async () => {
    const uids: string[] = []
    for (const who of ['una', 'uri', 'uwe']) {
      const { uid } = await grant(who, now() + DAY, 'extra')
      uids.push(uid)
    }
    const [una = '', uri = '', uwe = ''] = uids
    for (const rid of ['news', 'third']) await grant('uri', now() + 2 * DAY, rid)
    const list = async (known = new Map<string, HeldRecord[]>()) => {
      const found = await listEntitlementsOf(db().read, shop.aid, uids, known, 2, now())
      return uids.map((uid) => {
        const { entitlements = [], next } = found.get(uid) ?? {}
        return [entitlements.map(({ rid, nextChange }) => `${rid} ${nextChange}`), next]
      })
    }
    const ends = now() + DAY
    expect(await list()).toEqual([
      [[`extra ${ends}`], undefined],
      [[`extra ${ends}`, `news ${ends + DAY}`], 'news'],
      [[`extra ${ends}`], undefined],
    ])
    const recordOf = (rid: string, more: Partial<HeldRecord> = {}): HeldRecord => ({
      ...{ id: rid, rid, ends: ends + DAY, revoked: null, sources: [], ...more },
    })
    const known = new Map([
      [una, [recordOf('third'), recordOf('news', { revoked: ends })]],
      [uri, [recordOf('news', { ends: now() })]],
      [uwe, [recordOf('extra'), recordOf('film')]],
    ])
    expect(await list(known)).toEqual([
      [['third undefined'], undefined],
      [[], undefined],
      [['extra undefined', 'film undefined'], undefined],
    ])
  })
})
