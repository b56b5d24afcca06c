import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { useGrants } from '../../testing/http/grants.ts'
import { sendSigned } from '../../testing/http/requests.ts'

describe.each(databases)('POST /r2/access/grant on $name', (database) => {
  const { service, app, now, db, dumpRecords, grant, mailCount } = useGrants(database)

  describe('the record', () => {
    it('is the AccessDetails, as a look-up then shows it', async () => {
      const granted = await grant({ tags: 'b, a ,b', expiration: now() + 10 })
      expect(granted).toMatchObject({ tags: ['b', 'a'], amount: 0, currency: 'USD' })
      expect(await app.client.getAccess({ rid: 'news', user_ref: 'ann' })).toEqual(granted)
    })

    it("shows the application's currency on free access", async () => {
      await app.environment.database.write((trx) =>
        trx
          .updateTable('applications')
          .set({ currency: 'JPY' })
          .where('aid', '=', app.aid)
          .execute(),
      )
      expect(await grant()).toMatchObject({ amount: 0, currency: 'JPY' })
    })

    it('is one for each user and resource: a repeat updates it, same id and created', async () => {
      const first = await grant({ expiration: now() + 10 })
      service.clock.advance(5)
      const second = await grant({ expiration: now() + 100 })
      expect(second).toEqual({ ...first, expires: now() + 100 })
      const archive = await grant({ rid: 'archive' })
      expect(archive.id).not.toBe(first.id)
      expect(archive.created).toBe(now())
      expect((await app.client.searchAccess()).total).toBe(2)
    })

    it('stays the same when it had expired, and is live again', async () => {
      const first = await grant({ expiration: now() + 10 })
      service.clock.advance(11)
      expect(await app.client.hasAccess({ rid: 'news', user_ref: 'ann' })).toBe(false)
      const again = await grant({ expiration: now() + 10 })
      expect(again).toEqual({ ...first, expires: now() + 10 })
      expect(await app.client.getAccess({ rid: 'news', user_ref: 'ann' })).toEqual(again)
    })

    it('takes the new end in place of the old, earlier or later, and none means no end', async () => {
      expect((await grant({ expiration: now() + 100 })).expires).toBe(now() + 100)
      expect((await grant({ expiration: now() + 50 })).expires).toBe(now() + 50)
      expect(await grant()).not.toHaveProperty('expires')
      expect((await grant({ expiration: now() + 70 })).expires).toBe(now() + 70)
    })

    it('takes `expires`, as the record calls it, for `expiration`; both are a 400', async () => {
      const parameters = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
      const ask = (ends: Record<string, string>) =>
        sendSigned(app, 'POST', '/r2/access/grant', { ...parameters, ...ends })
      const end = String(now() + 60)
      const granted = await ask({ expires: end })
      expect(JSON.parse(granted.text).expires).toBe(now() + 60)
      expect((await grant({ expires: now() + 70 })).expires).toBe(now() + 70)
      for (const both of [
        { expires: end, expiration: end },
        { expires: end, expiration: '0' },
      ]) {
        const refused = await ask(both)
        expect(refused.status).toBe(400)
        expect(JSON.parse(refused.text).error.message).toBe(
          'expires: means the same as expiration; send only one of them',
        )
      }
      expect((await ask({ expires: 'soon' })).status).toBe(400)
      await grant({ expires: now() + 60 })
      service.clock.advance(60)
      expect(await app.client.hasAccess({ rid: 'news', user_ref: 'ann' })).toBe(false)
    })

    it.each([0, 1, 253402300799])('takes %i as an end', async (expiration) => {
      expect((await grant({ expiration })).expires).toBe(expiration)
    })

    it('is not for ever because a variable was not set: an empty end is a 400, a bare name too', async () => {
      const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
      const ask = (ends: string) =>
        sendSigned(app, 'POST', `/r2/access/grant?${new URLSearchParams(input)}&${ends}`)
      for (const name of ['expiration', 'expires']) {
        for (const ends of [`${name}=`, name]) {
          const { status, text } = await ask(ends)
          expect([status, JSON.parse(text).error.message]).toEqual([
            400,
            `${name}: must not be empty`,
          ])
        }
      }
      expect((await app.client.searchAccess({ show_expired: true })).total).toBe(0)
    })

    it('may be born expired, of which no mail tells', async () => {
      const granted = await grant({ expiration: now() })
      await grant({ expiration: now() - 1, message: 'Enjoy!' })
      await grant({ expiration: now() })
      expect(await mailCount()).toBe(0)
      expect(granted.expires).toBe(now())
      expect(await app.client.hasAccess({ rid: 'news', user_ref: 'ann' })).toBe(false)
      const query = { rid: 'news', user_ref: 'ann', show_expired: true }
      expect(await app.client.getAccess(query)).toEqual(granted)
    })

    it('is a new one after a revoke, with nothing of the old', async () => {
      const first = await grant({ tags: 'old', expiration: now() + 1000 })
      await app.client.revokeAccess({ rid: 'news', user_ref: 'ann' })
      service.clock.advance(1)
      const second = await grant()
      expect(second).toEqual({
        id: expect.any(String),
        aid: app.aid,
        rid: 'news',
        uid: first.uid,
        amount: 0,
        currency: 'USD',
        created: now(),
        user_ref: 'ann',
        user_email: 'ann@example.com',
        contact_email: '',
        tags: [],
      })
      expect(second.id).not.toBe(first.id)
      // The same message again, but for a new record, which has a mail of its own.
      expect(await mailCount()).toBe(2)
    })

    it('gets new tags when they are given, and keeps the old ones when not', async () => {
      await grant({ tags: 'a,b' })
      expect((await grant({ expiration: now() + 9 })).tags).toEqual(['a', 'b'])
      expect((await grant({ tags: '' })).tags).toEqual(['a', 'b'])
      expect((await grant({ tags: 'c' })).tags).toEqual(['c'])
      expect((await app.client.searchAccess({ tag: 'c' })).total).toBe(1)
      expect((await app.client.searchAccess({ tag: 'a' })).total).toBe(0)
    })
  })

  describe('an unknown resource', () => {
    it.each(['nothing', 'NEWS', 'news%'])('is a 404, and nothing changes (%s)', async (rid) => {
      const before = await dumpTables(db())
      await expect(grant({ rid, email: 'new@example.com' })).rejects.toMatchObject({
        status: 404,
        code: 'resource_not_found',
      })
      expect(await dumpTables(db())).toEqual(before)
    })

    it('is one that only another application has', async () => {
      const other = await service.newApplication()
      await other.addResource('theirs')
      const before = await dumpTables(db())
      await expect(grant({ rid: 'theirs' })).rejects.toMatchObject({ status: 404 })
      expect(await dumpTables(db())).toEqual(before)
    })
  })

  describe('the user', () => {
    it('is named by the e-mail address, however it is written', async () => {
      const first = await grant({ email: 'Zo\u00eb.Ann@Example.com' })
      const second = await grant({ rid: 'archive', email: 'ZOE\u0308.ann@example.COM' })
      expect(second.uid).toBe(first.uid)
      // The first spelling is kept.
      expect(second.user_email).toBe('Zo\u00eb.Ann@Example.com')
    })

    it('may have several references; the record shows that of its last grant', async () => {
      const first = await grant({ user_ref: 'one' })
      const second = await grant({ user_ref: 'two' })
      expect(second).toEqual({ ...first, user_ref: 'two' })
      expect((await grant({ user_ref: 'one' })).user_ref).toBe('one')
      for (const user_ref of ['one', 'two']) {
        expect((await app.client.getAccess({ rid: 'news', user_ref })).id).toBe(first.id)
      }
    })

    it('is shown by the uid where no grant named a reference', async () => {
      const granted = await app.client.grantAccess({ rid: 'news', email: 'anon@example.com' })
      expect(granted.user_ref).toBe(granted.uid)
    })

    it('cannot be given the reference of another e-mail: 402 that names the way out', async () => {
      await grant({ email: 'owner@example.com', user_ref: 'owner' })
      await grant({ email: 'known@example.com', user_ref: 'known' })
      const before = await dumpTables(db())
      for (const email of ['stranger@example.com', 'known@example.com']) {
        await expect(grant({ email, user_ref: 'owner' })).rejects.toMatchObject({
          status: 402,
          code: 'user_ref_taken',
          message: expect.stringContaining('gatehouse user set-email | merge | add-ref'),
        })
      }
      expect(await dumpTables(db())).toEqual(before)
    })

    it("cannot be given another user's uid as a reference", async () => {
      const { uid } = await app.client.grantAccess({ rid: 'news', email: 'anon@example.com' })
      const before = await dumpTables(db())
      await expect(grant({ user_ref: uid })).rejects.toMatchObject({
        status: 402,
        code: 'user_ref_is_uid',
      })
      expect(await dumpTables(db())).toEqual(before)
    })

    it('may be named by its own uid, which is no reference: the uid goes on as before', async () => {
      const email = 'anon@example.com'
      const { uid, id } = await app.client.grantAccess({ rid: 'news', email })
      const before = await dumpRecords()
      const again = await grant({ email, user_ref: uid })
      expect(again).toMatchObject({ id, uid, user_ref: uid })
      expect(await dumpRecords()).toEqual(before)
      expect(await app.client.hasAccess({ rid: 'news', user_ref: uid })).toBe(true)
    })

    it('gets new names when they are given, one by one, and keeps them when not', async () => {
      const { uid } = await grant({ first_name: 'Ann', last_name: 'Lee' })
      await grant({ expiration: now() + 9 })
      expect(await app.client.getUser(uid)).toMatchObject({ first_name: 'Ann', last_name: 'Lee' })
      await grant({ last_name: 'O’Neill' })
      expect(await app.client.getUser(uid)).toMatchObject({
        first_name: 'Ann',
        last_name: 'O’Neill',
      })
    })
  })

  it('is a 400 that names the parameter for what is missing or cannot be read', async () => {
    const good = { rid: 'news', email: 'ann@example.com' }
    const bad: [string, Record<string, string>][] = [
      ['rid', { rid: '' }],
      ['email', { email: '' }],
      ['email', { email: 'ann' }],
      ['email', { email: 'ann@example.com, eve@example.com' }],
      ['expiration', { expiration: '-1' }],
      ['expiration', { expiration: '253402300800' }],
      ['expiration', { expiration: '1e9' }],
      ['suppress_email', { suppress_email: 'no' }],
      ['message', { message: 'x'.repeat(10_001) }],
      ['user_ref', { user_ref: 'x'.repeat(256) }],
      ['rid', { rid: 'x'.repeat(256) }],
      ['tags', { tags: `a,${'x'.repeat(101)}` }],
    ]
    const before = await dumpTables(db())
    for (const [name, wrong] of bad) {
      const response = await sendSigned(app, 'POST', '/r2/access/grant', { ...good, ...wrong })
      expect([response.status, JSON.parse(response.text).error.message]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${name}: `)),
      ])
    }
    expect(await dumpTables(db())).toEqual(before)
  })

  it('says of milliseconds that they are milliseconds', async () => {
    const late = { rid: 'news', email: 'ann@example.com', expiration: String(service.clock.now) }
    const response = await sendSigned(app, 'POST', '/r2/access/grant', late)
    // The current time in milliseconds, taken as seconds, is beyond the year 9999.
    expect(response.status).toBe(400)
    expect(response.text).toContain('not milliseconds')
  })
})
