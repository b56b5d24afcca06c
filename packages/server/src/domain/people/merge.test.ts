import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { RIDS, usePeople } from '../../testing/people/people.ts'
import { listDeliveries } from '../downloads/deliveries.ts'
import type { HistoryAction } from '../history/actions.ts'
import { listHistory } from '../history/history.ts'
import { eraseUser } from './erase.ts'
import { collectPerson } from './person-data.ts'

describe.each(databases)('the people of an application on $name', (database) => {
  const { service, app, db, who, grant, merge, deliver } = usePeople(database)
  let now: number
  beforeEach(() => {
    now = service.clock.now / 1000
  })

  describe('a merge', () => {
    it('moves references and records, and leaves nothing behind', async () => {
      const from = await grant('old@example.com', { user_ref: 'old', first_name: 'Ann' })
      await grant('old@example.com', { rid: 'maps', user_ref: 'older', tags: 'a,b' })
      const into = await grant('new@example.com', { rid: 'plans', user_ref: 'new' })
      expect(await merge(from.uid, into.uid)).toEqual({ references: 2, moved: 2, joined: 0 })
      for (const user_ref of ['old', 'older', 'new']) {
        for (const rid of ['news', 'maps', 'plans']) {
          const found = await app.client.getAccess({ rid, user_ref })
          expect(found).toMatchObject({ uid: into.uid, user_email: 'new@example.com' })
        }
      }
      expect(await app.client.getUser(into.uid)).toMatchObject({ first_name: 'Ann' })
      await expect(app.client.getUser(from.uid)).rejects.toMatchObject({ status: 404 })
      await service.requireInvariants()
    })

    it.each([
      { case: 'the first one’s, if it is later', from: 900, into: 100, end: 900 },
      { case: 'the other one’s, if it is later', from: 100, into: 900, end: 900 },
      { case: 'none, if one of them has none', from: undefined, into: 900, end: undefined },
    ])('leaves one record where both had one; its end is $case', async ({ from, into, end }) => {
      const at = (seconds: number | undefined) =>
        seconds === undefined ? {} : { expiration: now + seconds }
      const gone = await grant('old@example.com', { user_ref: 'old', tags: 'b,c', ...at(from) })
      const kept = await grant('new@example.com', { user_ref: 'new', tags: 'a,b', ...at(into) })
      expect(await merge(gone.uid, kept.uid)).toMatchObject({ moved: 0, joined: 1 })
      const { expires: _, ...rest } = kept
      expect(await app.client.getAccess({ rid: 'news', user_ref: 'old' })).toEqual({
        ...rest,
        tags: ['a', 'b', 'c'],
        ...(end === undefined ? {} : { expires: now + end }),
      })
      const found = await app.client.searchAccess({ tag: 'c', show_expired: true })
      expect(found.data.map((one) => one.id)).toEqual([kept.id])
      const history = await listHistory(db().read, app.aid, { accessId: gone.id })
      expect(history.at(-1)).toMatchObject({
        action: 'revoked',
        after: JSON.stringify({ revoked: now, merged_into: kept.id }),
      })
      await service.requireInvariants()
    })

    it('lets a later grant and a revoke work on the record that is left', async () => {
      const gone = await grant('old@example.com', { expiration: now + 900 })
      const kept = await grant('new@example.com', { user_ref: 'new', expiration: now + 100 })
      await merge(gone.uid, kept.uid)
      const again = await grant('new@example.com', { user_ref: 'new', expiration: now + 50 })
      expect(again).toMatchObject({ id: kept.id, expires: now + 50 })
      await app.client.revokeAccess({ rid: 'news', user_ref: 'new' })
      await service.requireInvariants()
    })

    it('keeps a grant that was changed many times, whose changes stay with the record it was of', async () => {
      let gone = await grant('old@example.com')
      for (const seconds of [500, 600, 700, 800, 900]) {
        gone = await grant('old@example.com', { expiration: now + seconds })
      }
      const kept = await grant('new@example.com', { user_ref: 'new', expiration: now + 100 })
      await merge(gone.uid, kept.uid)
      const left = await app.client.getAccess({ rid: 'news', user_ref: 'new' })
      expect(left).toMatchObject({ id: kept.id, expires: now + 900 })
      await service.requireInvariants()
    })

    it('moves revoked records and mails too', async () => {
      const gone = await grant('old@example.com', { user_ref: 'old' })
      await app.client.revokeAccess({ rid: 'news', user_ref: 'old' })
      const kept = await grant('new@example.com', { rid: 'maps', suppress_email: true })
      await merge(gone.uid, kept.uid)
      const person = await collectPerson(db().read, app.aid, kept.uid)
      expect(person.access.map((one) => one.id).sort()).toEqual([gone.id, kept.id].sort())
      expect(person.mails).toMatchObject([{ recipient: 'old@example.com' }])
      // The history of a merged user belongs to the person.
      expect(person.history.map((one) => one.access_id)).toContain(gone.id)
    })

    it('leaves on each record the reference that it was granted under', async () => {
      const gone = await grant('old@example.com', { user_ref: 'old' })
      await grant('old@example.com', { rid: 'maps', user_ref: 'older' })
      const kept = await grant('new@example.com', { rid: 'plans', user_ref: 'new' })
      await merge(gone.uid, kept.uid)
      const { data } = await app.client.searchAccess({ email: 'new@example.com' })
      const shown = Object.fromEntries(data.map(({ rid, user_ref }) => [rid, user_ref]))
      expect(shown).toEqual({ news: 'old', maps: 'older', plans: 'new' })
    })

    it('says in the history what moved where, and which end it changed', async () => {
      const gone = await grant('old@example.com', { expiration: now + 900 })
      await grant('old@example.com', { rid: 'maps' })
      const kept = await grant('new@example.com', { expiration: now + 100 })
      await merge(gone.uid, kept.uid)
      const entryOf = async (action: HistoryAction) => {
        const rows = (await listHistory(db().read, app.aid)).filter((row) => row.action === action)
        expect(rows).toHaveLength(1)
        const { uid, rid, before, after } = rows[0] as NonNullable<(typeof rows)[0]>
        return { uid, rid, before: JSON.parse(before ?? '{}'), after: JSON.parse(after ?? '{}') }
      }
      expect(await entryOf('moved')).toEqual({
        ...{ uid: kept.uid, rid: 'maps' },
        ...{ before: { uid: gone.uid }, after: { uid: kept.uid } },
      })
      expect(await entryOf('merged')).toEqual({
        ...{ uid: kept.uid, rid: 'news', before: { ends: now + 100 } },
        after: { ends: now + 900, merged_from: gone.id },
      })
      expect(await entryOf('revoked')).toEqual({
        ...{ uid: gone.uid, rid: 'news', before: { ends: now + 900 } },
        after: { revoked: now, merged_into: kept.id },
      })
    })

    it.each([
      { case: 'both names', named: { first_name: 'New', last_name: 'Name' } },
      { case: 'a first name', named: { first_name: 'New' } },
      { case: 'a last name', named: { last_name: 'Name' } },
    ])('changes no name of a user who has $case', async ({ named }) => {
      const names = { first_name: 'Old', last_name: 'Reader' }
      const gone = await grant('old@example.com', { ...names, rid: 'maps' })
      const kept = await grant('new@example.com', named)
      await merge(gone.uid, kept.uid)
      const { user } = await collectPerson(db().read, app.aid, kept.uid)
      expect(user).toMatchObject({ first_name: '', last_name: '', ...named })
    })

    it('closes the grant that ends first, and no earlier than now', async () => {
      const gone = await grant('old@example.com', { expiration: now + 900 })
      const kept = await grant('new@example.com', { expiration: now + 800 })
      service.clock.advance(60)
      await merge(gone.uid, kept.uid)
      const { access } = await collectPerson(db().read, app.aid, kept.uid)
      const sources = access.find(({ id }) => id === kept.id)?.sources ?? []
      expect(sources.map(({ expires, closed }) => [expires, closed]).sort()).toEqual([
        [now + 800, now + 60],
        [now + 900, null],
      ])
    })

    it('mails nothing again if the grant of the user who is left is repeated', async () => {
      const gone = await grant('old@example.com', { message: 'For the old one' })
      const given = { message: 'For the new one' }
      const kept = await grant('new@example.com', given)
      await merge(gone.uid, kept.uid)
      const mails = async () => (await collectPerson(db().read, app.aid, kept.uid)).mails.length
      const before = await mails()
      await grant('new@example.com', given)
      expect(await mails()).toBe(before)
      await grant('new@example.com', { message: 'For the old one' })
      expect(await mails()).toBe(before + 1)
    })

    it('moves what was delivered, also what is noted only after it', async () => {
      const gone = await grant('old@example.com')
      const kept = await grant('new@example.com')
      const other = await grant('other@example.com')
      for (const { uid } of [gone, kept, other]) await deliver(uid)
      await deliver(gone.uid, 'maps', 60)
      await merge(gone.uid, kept.uid)
      const of = async (uid: string) =>
        (await listDeliveries(db().read, { aid: app.aid, uid })).map(({ rid }) => rid)
      expect(await of(gone.uid)).toEqual([])
      expect(await of(kept.uid)).toEqual(['news', 'news', 'maps'])
      expect(await of(other.uid)).toEqual(['news'])
      await deliver(gone.uid, 'plans')
      const { deliveries } = await collectPerson(db().read, app.aid, kept.uid)
      expect(deliveries.map(({ rid }) => rid).sort()).toEqual(['maps', 'news', 'news', 'plans'])
    })

    it('of a user with herself, a stranger or an erased user is refused', async () => {
      const { uid } = await grant('ann@example.com')
      const other = await service.newApplication()
      await other.addResource('news')
      const foreign = await other.client.grantAccess({ rid: 'news', email: 'bob@example.com' })
      await expect(merge(uid, uid)).rejects.toMatchObject({ code: 'invalid_parameter' })
      await expect(merge(uid, foreign.uid)).rejects.toMatchObject({ code: 'user_not_found' })
      await expect(merge(foreign.uid, uid)).rejects.toMatchObject({ code: 'user_not_found' })
      const gone = await grant('gone@example.com')
      await db().write((trx) => eraseUser(trx, who(gone.uid), { now, realTime: 0 }))
      await expect(merge(uid, gone.uid)).rejects.toMatchObject({ code: 'user_not_found' })
    })

    it('loses no grant that is made meanwhile to either of the two', async () => {
      for (const rid of RIDS) await app.addResource(rid)
      const from = await grant('old@example.com')
      const into = await grant('new@example.com')
      const ends = (i: number) => ({ old: now + 100 + i, new: now + 200 - i * 5 })
      const grants = RIDS.flatMap((rid, i) => [
        grant('old@example.com', { rid, expiration: ends(i).old }),
        grant('new@example.com', { rid, expiration: ends(i).new }),
      ])
      await grants[8]
      await merge(from.uid, into.uid)
      await Promise.all(grants)
      const { data } = await app.client.searchAccess({ show_expired: true, pagesize: 1000 })
      for (const [i, rid] of RIDS.entries()) {
        const records = data.filter((one) => one.rid === rid)
        expect(records.map((one) => one.uid)).toEqual([into.uid])
        // The merge keeps the later end. A grant to either address that comes after it sets its own.
        const { old, new: own } = ends(i)
        expect([old, own]).toContain(records[0]?.expires)
      }
      await service.requireInvariants()
    })

    it('lets a revoke that comes in the middle find what it revokes', async () => {
      for (const round of RIDS.slice(0, 8).keys()) {
        const email = (name: string) => `${name}${round}@example.com`
        const from = await grant(email('old'), { user_ref: `old ${round}` })
        const into = await grant(email('new'), { rid: 'maps' })
        const [revoked] = await Promise.all([
          app.client.revokeAccess({ rid: 'news', user_ref: `old ${round}` }),
          merge(from.uid, into.uid),
        ])
        expect(revoked.id).toBe(from.id)
      }
      await service.requireInvariants()
    })
  })
})
