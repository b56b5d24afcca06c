import { beforeEach, describe, expect, it } from 'vitest'
import { updateRows } from '../../db/queries/rows.ts'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { usePeople } from '../../testing/people/people.ts'
import { listHistory } from '../history/history.ts'
import { listMailsOfUser } from '../mail/user-mails.ts'
import { addReference, setEmail } from '../users/change.ts'
import { type NameKind, resolveUsers } from '../users/resolve.ts'
import { eraseUser } from './erase.ts'
import { collectPerson } from './person-data.ts'

describe.each(databases)('the people of an application on $name', (database) => {
  const { service, app, db, who, grant, deliver } = usePeople(database)
  let now: number
  beforeEach(() => {
    now = service.clock.now / 1000
  })

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
        db().write((trx) => setEmail(trx, who(uid), email, now, { notice: notice() }))
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
})
