import { beforeEach, describe, expect, it } from 'vitest'
import { updateRows } from '../../db/queries/rows.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, toDeliveryRows } from '../../testing/downloads/downloads.ts'
import { dumpTables } from '../../testing/dump.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { listDeliveries, recordDeliveries } from '../downloads/deliveries.ts'
import { listHistory } from '../history/history.ts'
import { listMailsOfUser } from '../mail/user-mails.ts'
import { addReference, setEmail } from '../users/change.ts'
import { type NameKind, resolveUsers } from '../users/resolve.ts'
import { eraseUser } from './erase.ts'
import { mergeUsers } from './merge.ts'
import { collectPerson } from './person-data.ts'

// Each grant of a race waits for the others' lock, for three seconds at most: more of them fail on a busy machine.
const RIDS = Array.from({ length: 12 }, (_, i) => `issue-${i}`)

describe.each(databases)('the people of an application on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['news', 'maps', 'plans'] })
  let now: number
  beforeEach(async () => {
    now = service.clock.now / 1000
  })

  const db = () => app.environment.database
  const who = (uid: string) => ({ aid: app.aid, uid, actor: 'cli' })
  const grant = (email: string, more: { rid?: string } & Record<string, unknown> = {}) =>
    app.client.grantAccess({ rid: 'news', email, ...more })
  const merge = (from: string, into: string) =>
    db().write((trx) => mergeUsers(trx, { aid: app.aid, from, into, actor: 'cli' }, now))

  /** Records a file delivery to a user, `seconds` ago. */
  const deliver = (uid: string | null, rid = 'news', seconds = 0) =>
    db().write((trx) =>
      recordDeliveries(
        trx,
        toDeliveryRows([
          {
            ...{ aid: app.aid, rid, download_id: 'd', link: 'l', uid },
            ...{ at: now - seconds, bytes: 1000 + seconds, outcome: 'complete' },
          },
        ]),
        now,
      ),
    )

  describe('a new address', () => {
    it('keeps the uid, the references and the access', async () => {
      const { uid } = await grant('ann@example.com', { user_ref: 'ann' })
      await db().write((trx) => setEmail(trx, who(uid), 'Ann@New.example', now))
      expect(await app.client.getUser(uid)).toMatchObject({ uid, email: 'Ann@New.example' })
      expect(await app.client.getAccess({ rid: 'news', user_ref: 'ann' })).toMatchObject({ uid })
      expect((await grant('ann@new.example')).uid).toBe(uid)
    })

    it('leaves the old one free for somebody else', async () => {
      const { uid } = await grant('ann@example.com')
      await db().write((trx) => setEmail(trx, who(uid), 'other@example.com', now))
      expect((await grant('ann@example.com')).uid).not.toBe(uid)
    })

    it('is refused if another user has it, in whatever case', async () => {
      const { uid } = await grant('ann@example.com')
      await grant('bob@example.com')
      const before = await dumpTables(db().read)
      await expect(
        db().write((trx) => setEmail(trx, who(uid), 'BOB@example.com', now)),
      ).rejects.toMatchObject({ code: 'email_taken' })
      expect(await dumpTables(db().read)).toEqual(before)
    })

    it('can be the old one in other letters', async () => {
      const { uid } = await grant('ann@example.com')
      await db().write((trx) => setEmail(trx, who(uid), 'Ann@Example.com', now))
      expect(await app.client.getUser(uid)).toMatchObject({ email: 'Ann@Example.com' })
    })

    it('is not in the history', async () => {
      const { uid } = await grant('ann@example.com')
      await db().write((trx) => setEmail(trx, who(uid), 'ann2@example.com', now))
      const history = await listHistory(db().read, app.aid, { uid })
      expect(history.at(-1)).toMatchObject({ actor: 'cli', action: 'e-mail changed' })
      expect(JSON.stringify(history)).not.toContain('@')
    })

    describe('of which the reader is told', () => {
      const notice = () => ({ delivery: 'queued', realTime: service.clock.now }) as const
      const change = (uid: string, email: string) =>
        db().write((trx) => setEmail(trx, who(uid), email, now, notice()))
      const mailsOf = async (uid: string) =>
        (await listMailsOfUser(db().read, app.aid, uid)).filter(
          ({ kind }) => kind === 'address_changed',
        )

      it('sends a mail to both addresses, and neither names the other one', async () => {
        const { uid } = await grant('ann@old.example', { first_name: 'Ann' })
        await change(uid, 'ann.new@example.com')
        const mails = (await mailsOf(uid)).map(({ recipient, payload, status }) => ({
          ...{ recipient, status },
          payload: JSON.parse(payload) as unknown,
        }))
        const payload = { at: now, first_name: 'Ann' }
        expect(mails.sort((a, b) => a.recipient.localeCompare(b.recipient))).toEqual([
          {
            ...{ recipient: 'ann.new@example.com', status: 'queued' },
            payload: { ...payload, role: 'added', other: 'a…@o….example' },
          },
          {
            ...{ recipient: 'ann@old.example', status: 'queued' },
            payload: { ...payload, role: 'removed', other: 'a…@e….com' },
          },
        ])
        const history = await listHistory(db().read, app.aid, { uid })
        expect(history.slice(-2).map(({ action }) => action)).toEqual([
          ...['e-mail changed', 'old address notified'],
        ])
        expect(JSON.stringify(history)).not.toContain('@')
      })

      it('sends none if nothing but the case changes, and none if it is refused', async () => {
        const { uid } = await grant('ann@example.com')
        await grant('bob@example.com')
        await change(uid, 'Ann@Example.com')
        await expect(change(uid, 'bob@example.com')).rejects.toMatchObject({ code: 'email_taken' })
        await change(uid, 'Ann@Example.com')
        expect(await mailsOf(uid)).toEqual([])
      })

      it('sends one if no address was known before', async () => {
        const { uid } = await grant('ann@example.com', { user_ref: 'ann' })
        const { aid } = app
        await db().write((trx) =>
          updateRows(trx, 'users', { aid, uid }, { email: null, email_key: null }),
        )
        await change(uid, 'ann@new.example')
        expect(await mailsOf(uid)).toMatchObject([
          { recipient: 'ann@new.example', payload: expect.stringContaining('"other":""') },
        ])
      })

      it('leaves nothing of the addresses when the reader is erased', async () => {
        const { uid } = await grant('ann@old.example')
        await change(uid, 'ann@new.example')
        const clocks = { now, realTime: service.clock.now }
        await db().write((trx) => eraseUser(trx, who(uid), clocks))
        const rows = await mailsOf(uid)
        expect(rows).toHaveLength(2)
        expect(JSON.stringify(rows)).not.toMatch(/ann|@|example/)
      })
    })

    it('goes to one of two users who ask for it at once', async () => {
      const uids = [(await grant('a@example.com')).uid, (await grant('b@example.com')).uid]
      const results = await Promise.allSettled(
        uids.map((uid) => db().write((trx) => setEmail(trx, who(uid), 'c@example.com', now))),
      )
      expect(results.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    })
  })

  describe('a further reference', () => {
    it('finds the same access', async () => {
      const { uid } = await grant('ann@example.com', { user_ref: 'ann' })
      expect(await db().write((trx) => addReference(trx, who(uid), 'member 7', now))).toBe(true)
      const found = await app.client.getAccess({ rid: 'news', user_ref: 'member 7' })
      expect(found).toMatchObject({ uid, user_ref: 'ann' })
    })

    it('is refused if it names another user', async () => {
      const { uid } = await grant('ann@example.com')
      await grant('bob@example.com', { user_ref: 'bob' })
      const adding = db().write((trx) => addReference(trx, who(uid), 'bob', now))
      await expect(adding).rejects.toMatchObject({ code: 'user_ref_taken' })
    })

    it('is refused if it is the uid of another user', async () => {
      const { uid } = await grant('ann@example.com')
      const bob = await grant('bob@example.com')
      const adding = db().write((trx) => addReference(trx, who(uid), bob.uid, now))
      await expect(adding).rejects.toMatchObject({ code: 'user_ref_is_uid' })
    })

    it('changes nothing if it is her own, or her own uid', async () => {
      const { uid } = await grant('ann@example.com', { user_ref: 'ann' })
      const before = await dumpTables(db().read)
      for (const ref of ['ann', uid]) {
        expect(await db().write((trx) => addReference(trx, who(uid), ref, now))).toBe(false)
      }
      expect(await dumpTables(db().read)).toEqual(before)
    })
  })

  describe('a name at the command line', () => {
    const uidsNamed = async (name: string, only?: NameKind) =>
      (await resolveUsers(db().read, app.aid, name, only)).map(({ user }) => user.uid)

    it('is a uid, a reference or an address', async () => {
      const { uid } = await grant('ann@example.com', { user_ref: 'ann' })
      for (const name of [uid, 'ann', 'ANN@example.com']) {
        expect(await uidsNamed(name)).toEqual([uid])
      }
    })

    it('names two if it could be either, until it is said how to read it', async () => {
      const ann = await grant('ann@example.com', { user_ref: 'bob@example.com' })
      const bob = await grant('bob@example.com')
      expect(await uidsNamed('bob@example.com')).toEqual([ann.uid, bob.uid])
      expect(await uidsNamed('bob@example.com', 'user_ref')).toEqual([ann.uid])
      expect(await uidsNamed('bob@example.com', 'email')).toEqual([bob.uid])
    })

    it('of another application is unknown', async () => {
      const { uid } = await grant('ann@example.com')
      const other = await service.newApplication()
      await expect(resolveUsers(db().read, other.aid, uid)).rejects.toMatchObject({
        code: 'user_not_found',
      })
    })
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
      expect(data.every((one) => one.uid !== from.uid)).toBe(true)
      for (const [i, rid] of RIDS.entries()) {
        const records = data.filter((one) => one.rid === rid)
        const kept = records.find((one) => one.uid === into.uid)
        // A grant to the old address after the merge creates a new user.
        const later = records.find((one) => one.uid !== into.uid)
        const { old, new: own } = ends(i)
        if (later) expect([later.expires, kept?.expires]).toEqual([old, own])
        // Both came before the merge, which keeps the later end, or the second came after it and set its own.
        else expect([own, Math.max(old, own)]).toContain(kept?.expires)
        expect(kept).toBeDefined()
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

  describe('the export of a person', () => {
    it('holds everything that is known, and nothing of others', async () => {
      await grant('bob@example.com', { user_ref: 'bob' })
      const { uid, id } = await grant('ann@example.com', {
        user_ref: 'ann',
        first_name: 'Ann',
        message: 'Enjoy!',
        tags: 'gift',
      })
      const person = await collectPerson(db().read, app.aid, uid)
      expect(person).toMatchObject({
        user: { uid, email: 'ann@example.com', first_name: 'Ann', created: now, erased: null },
        references: ['ann'],
        access: [{ id, rid: 'news', expires: null, tags: ['gift'], sources: [{ kind: 'grant' }] }],
        mails: [{ recipient: 'ann@example.com', content: { message: 'Enjoy!' } }],
      })
      expect(person.history.map((one) => one.action)).toEqual([
        'user created',
        'reference added',
        'granted',
      ])
      expect(JSON.stringify(person)).not.toContain('bob')
    })

    it('holds what was delivered to her, oldest first, and nothing of others', async () => {
      const { uid } = await grant('ann@example.com')
      const { uid: bob } = await grant('bob@example.com')
      await deliver(uid, 'maps')
      await deliver(uid, 'news', 60)
      await deliver(bob)
      await deliver(null)
      const { deliveries } = await collectPerson(db().read, app.aid, uid)
      expect(deliveries).toEqual([
        {
          id: expect.any(String),
          rid: 'news',
          at: now - 60,
          answers: 1,
          bytes: 1060,
          outcome: 'complete',
        },
        {
          id: expect.any(String),
          rid: 'maps',
          at: now,
          answers: 1,
          bytes: 1000,
          outcome: 'complete',
        },
      ])
    })
  })

  describe('an erased person', () => {
    const erase = (uid: string) =>
      db().write((trx) => eraseUser(trx, who(uid), { now, realTime: 0 }))

    it('is in no table any more, but for her uid', async () => {
      const { uid } = await grant('Zoë.Secret@example.com', {
        user_ref: 'ref-secret',
        first_name: 'Zoë-secret',
        last_name: 'Secret',
        message: 'a secret message',
      })
      await grant('zoë.secret@example.com', { rid: 'maps', user_ref: 'second-secret' })
      await app.client.revokeAccess({ rid: 'maps', user_ref: 'second-secret' })
      await addDownload(app, 'news')
      const query = { rid: 'news', lifetime: 60, user_ref: 'ref-secret', filename: 'for secret' }
      const { url } = await app.client.getDownloadUrl(query)
      expect((await fetch(url)).status).toBe(200)
      await deliver(uid)
      expect(await erase(uid)).toEqual({ revoked: 1, references: 2, mails: 2 })
      // Sites hear by which references they know her; that event is deleted in time.
      await db().write((trx) =>
        trx.updateTable('events').set({ body: '{}' }).where('type', '=', 'user.erased').execute(),
      )
      const rows = Object.values(await dumpTables(db().read))
      const everything = JSON.stringify(rows).toLowerCase()
      expect(everything).not.toContain('secret')
      expect(everything).toContain(uid.toLowerCase())
      // The delivery stays on record, under a uid that identifies nobody.
      expect(await listDeliveries(db().read, { aid: app.aid, uid })).not.toEqual([])
      await service.requireInvariants()
    })

    it('has no access, and is unknown to the API', async () => {
      const { uid } = await grant('ann@example.com', { user_ref: 'ann' })
      await erase(uid)
      await expect(app.client.getUser(uid)).rejects.toMatchObject({ status: 404 })
      for (const user_ref of ['ann', uid]) {
        const asked = app.client.getAccess({ rid: 'news', user_ref })
        await expect(asked).rejects.toMatchObject({ status: 404 })
      }
      await expect(erase(uid)).rejects.toMatchObject({ code: 'user_not_found' })
    })

    it('comes back as somebody new', async () => {
      const old = await grant('ann@example.com', { user_ref: 'ann' })
      await erase(old.uid)
      const back = await grant('ann@example.com', { user_ref: 'ann' })
      expect(back.uid).not.toBe(old.uid)
      expect(back.id).not.toBe(old.id)
    })

    it('gets none of the mails that were still to be sent', async () => {
      const { uid } = await grant('ann@example.com')
      await db().write(async (trx) => {
        await trx.updateTable('outbox').set({ status: 'queued' }).where('uid', '=', uid).execute()
      })
      await erase(uid)
      const mails = await db()
        .read.selectFrom('outbox')
        .selectAll()
        .where('uid', '=', uid)
        .execute()
      expect(mails).toMatchObject([{ status: 'dead', recipient: '', payload: '{}' }])
    })

    it('is erased whatever is granted to her meanwhile', async () => {
      for (const rid of RIDS) await app.addResource(rid)
      const { uid } = await grant('ann@example.com')
      const grants = RIDS.map((rid) => grant('ann@example.com', { rid, user_ref: 'ann' }))
      await grants[5]
      await erase(uid)
      const granted = await Promise.all(grants)
      const { data } = await app.client.searchAccess({ show_expired: true })
      expect(data.filter((one) => one.uid === uid)).toEqual([])
      const refs = await db().read.selectFrom('user_refs').selectAll().execute()
      expect(refs.filter((one) => one.uid === uid)).toEqual([])
      expect(data.length).toBe(granted.filter((one) => one.uid !== uid).length)
      await service.requireInvariants()
    })
  })
})
