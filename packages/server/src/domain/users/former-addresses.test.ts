import { describe, expect, it } from 'vitest'
import type { Trx } from '../../db/database.ts'
import { insertRows } from '../../db/queries/rows.ts'
import { databases } from '../../testing/databases.ts'
import { usePeople } from '../../testing/people/people.ts'
import { somebodyWaits } from '../../testing/somebody-waits.ts'
import { grantAccess, grantMany } from '../access/grants/grant.ts'
import { previewGrant } from '../access/grants/preview.ts'
import { listAccessForStaff } from '../access/list-for-staff.ts'
import { eraseUser } from '../people/erase.ts'
import { finishErasures } from '../people/erasures.ts'
import { mergeUsers } from '../people/merge.ts'
import { collectPerson } from '../people/person-data.ts'
import { type Buyer, resolveBuyer } from './buyer.ts'
import { setEmail } from './change.ts'
import { searchUsers } from './find.ts'
import { resolveUsers } from './resolve.ts'
import { findUidsByEmail, findUserByEmail } from './user-email.ts'

describe.each(databases)('the address of a user who was merged, on $name', (database) => {
  const { service, app, db, who, grant, merge } = usePeople(database)
  const clocks = () => ({ now: service.clock.seconds, realTime: service.clock.now })

  /** Merges a user with the old address and reference into one with the new ones. */
  async function mergeOldIntoNew() {
    const gone = await grant('Old@example.com', { user_ref: 'old' })
    const kept = await grant('new@example.com', { user_ref: 'new' })
    await merge(gone.uid, kept.uid)
    return { gone, kept }
  }
  const former = () =>
    db()
      .read.selectFrom('former_addresses')
      .select(['email', 'uid'])
      .where('aid', '=', app.aid)
      .orderBy('email')
      .execute()
  const change = (uid: string, email: string) =>
    db().write((trx) => setEmail(trx, who(uid), email, clocks().now))
  const erase = (uid: string) => db().write((trx) => eraseUser(trx, who(uid), clocks()))
  const find = async (email: string) => (await findUserByEmail(db().read, app.aid, email))?.uid
  /** Writes a row that only a race can make. */
  const addFormer = (email: string, uid: string) =>
    db().write((trx) =>
      insertRows(trx, 'former_addresses', [{ aid: app.aid, email_key: email, email, uid }]),
    )
  const resolve = async (trx: Trx, buyer: Partial<Buyer>) => {
    const unknown = { userRef: undefined, vouchedEmail: undefined, typedEmail: undefined }
    const input = { aid: app.aid, ...unknown, firstName: '', lastName: '', ...buyer }
    return (await resolveBuyer(trx, input, clocks().now, 'test')).user
  }
  const buy = (buyer: Partial<Buyer>) => db().write((trx) => resolve(trx, buyer))
  const inputOf = (email: string, more: { userRef?: string; rid?: string } = {}) => ({
    ...{ aid: app.aid, rid: 'maps', email, ends: clocks().now + 60, actor: 'test' },
    ...more,
  })

  describe('names the user who is left', () => {
    it.each([{ user_ref: 'old' }, { user_ref: 'new' }, {}])(
      'in a grant with %o, whose mail goes to the own address',
      async (ref) => {
        const { kept } = await mergeOldIntoNew()
        const granted = await grant('OLD@example.com', { rid: 'maps', ...ref })
        expect(granted).toMatchObject({ uid: kept.uid, user_email: 'new@example.com' })
        const { mails } = await collectPerson(db().read, app.aid, kept.uid)
        const about = mails.filter(({ content }) => JSON.stringify(content).includes('maps'))
        expect(about.map(({ recipient }) => recipient)).toEqual(['new@example.com'])
        await service.requireInvariants()
      },
    )

    it('in grants at once, in their order, and in a preview', async () => {
      const { kept } = await mergeOldIntoNew()
      const [one, other] = [{ days: 1 }, { days: 2 }].map(({ days }, i) => ({
        ...inputOf(i === 0 ? 'new@example.com' : 'old@example.com'),
        ends: clocks().now + days,
      })) as [ReturnType<typeof inputOf>, ReturnType<typeof inputOf>]
      const outcomes = await db().write((trx) =>
        grantMany(trx, [one, other, inputOf('nobody@example.com')], clocks()),
      )
      expect(outcomes).toMatchObject([
        { isNew: true },
        { isNew: false, ends: other.ends },
        { isNew: true },
      ])
      const { data } = await app.client.searchAccess({ rid: 'maps', email: 'new@example.com' })
      expect(data).toMatchObject([{ uid: kept.uid, expires: other.ends }])
      const seen = await db().write((trx) => previewGrant(trx, one, clocks()))
      expect(seen).toMatchObject({ uid: kept.uid, outcome: 'shortened' })
    })

    it.each(['vouchedEmail', 'typedEmail'])('in a purchase with a %s', async (kind) => {
      const { kept } = await mergeOldIntoNew()
      const user = await buy({ [kind]: 'old@example.com' })
      expect(user).toMatchObject({ uid: kept.uid, email: 'new@example.com' })
    })

    it('to staff, and in searches, also by its beginning', async () => {
      const { kept } = await mergeOldIntoNew()
      const named = await resolveUsers(db().read, app.aid, 'old@example.com')
      expect(named).toMatchObject([{ kind: 'email', user: { uid: kept.uid } }])
      const window = { offset: 0, limit: 10 }
      const { rows } = await searchUsers(db().read, { aid: app.aid, q: 'OLD@ex' }, window)
      expect(rows.map(({ uid }) => uid)).toEqual([kept.uid])
      const { total } = await app.client.searchAccess({ email: 'Old@Example.com' })
      const filter = {
        aid: app.aid,
        state: 'live',
        sort: '-created',
        email: 'old@example.com',
      } as const
      const list = await listAccessForStaff(db().read, filter, window, clocks().now)
      expect([total, list.total]).toEqual([1, 1])
    })

    it('after several merges, and is in the export', async () => {
      const { gone, kept } = await mergeOldIntoNew()
      const last = await grant('last@example.com')
      await merge(kept.uid, last.uid)
      for (const email of ['old@example.com', 'new@example.com', 'last@example.com']) {
        expect(await find(email)).toBe(last.uid)
      }
      const person = await collectPerson(db().read, app.aid, last.uid)
      expect(person.former_addresses).toEqual(['Old@example.com', 'new@example.com'])
      const none = await collectPerson(db().read, app.aid, gone.uid)
      expect(none.former_addresses).toEqual([])
      await service.requireInvariants()
    })
  })

  it('is taken over by a user who has none, and is no former address then', async () => {
    const gone = await grant('old@example.com', { user_ref: 'old' })
    const kept = await buy({ userRef: 'new' })
    await merge(gone.uid, kept.uid)
    expect(await find('old@example.com')).toBe(kept.uid)
    expect(await former()).toEqual([])
  })

  it('stays the contact only, if it was no more', async () => {
    const gone = await buy({ userRef: 'old', typedEmail: 'typed@example.com' })
    const kept = await grant('new@example.com')
    await merge(gone.uid, kept.uid)
    expect(await former()).toEqual([])
    expect(await find('typed@example.com')).toBeUndefined()
  })

  it('does not become that of a reader who has none, by a purchase', async () => {
    const { kept } = await mergeOldIntoNew()
    await buy({ userRef: 'cat' })
    const user = await buy({ userRef: 'cat', vouchedEmail: 'old@example.com' })
    expect(user).toMatchObject({ email: null, contact_email: 'old@example.com' })
    expect(await find('old@example.com')).toBe(kept.uid)
  })

  describe('that staff enter', () => {
    it('becomes the address of that user, and names nobody else', async () => {
      const { kept } = await mergeOldIntoNew()
      const other = await grant('other@example.com')
      await change(other.uid, 'old@example.com')
      expect(await find('old@example.com')).toBe(other.uid)
      expect(await former()).toEqual([])
      expect((await grant('old@example.com', { rid: 'maps' })).uid).toBe(other.uid)
      expect(await find('new@example.com')).toBe(kept.uid)
      await service.requireInvariants()
    })

    it('may be the user’s own former one; the one before is forgotten', async () => {
      const { kept } = await mergeOldIntoNew()
      await change(kept.uid, 'OLD@example.com')
      expect(await former()).toEqual([])
      expect(await find('old@example.com')).toBe(kept.uid)
      expect(await find('new@example.com')).toBeUndefined()
      await service.requireInvariants()
    })
  })

  describe('that somebody has too, after a race', () => {
    it('names the one who has it', async () => {
      const { kept } = await mergeOldIntoNew()
      const other = await grant('other@example.com')
      await addFormer('other@example.com', kept.uid)
      expect(await find('other@example.com')).toBe(other.uid)
      const uids = await findUidsByEmail(db().read, app.aid, ['Other@example.com'])
      expect([...uids]).toEqual([['other@example.com', other.uid]])
      expect((await grant('other@example.com', { rid: 'maps' })).uid).toBe(other.uid)
      const { data } = await app.client.searchAccess({ email: 'other@example.com' })
      expect(new Set(data.map(({ uid }) => uid))).toEqual(new Set([other.uid]))
    })

    it('goes where that one is merged into', async () => {
      const [kept, other, last] = [
        await grant('a@example.com'),
        await grant('b@example.com'),
        await grant('c@example.com'),
      ]
      await addFormer('b@example.com', kept.uid)
      await merge(other.uid, last.uid)
      expect(await former()).toEqual([{ email: 'b@example.com', uid: last.uid }])
      await service.requireInvariants()
    })

    it('is no former address of the one who has it', async () => {
      const [kept, other] = [await grant('a@example.com'), await grant('b@example.com')]
      await addFormer('b@example.com', kept.uid)
      await merge(kept.uid, other.uid)
      expect(await former()).toEqual([{ email: 'a@example.com', uid: other.uid }])
      await service.requireInvariants()
    })
  })

  it('is anybody’s again after an erasure', async () => {
    const { kept } = await mergeOldIntoNew()
    await erase(kept.uid)
    expect(await former()).toEqual([])
    expect(await find('old@example.com')).toBeUndefined()
    const back = await grant('old@example.com', { user_ref: 'old' })
    expect(back.uid).not.toBe(kept.uid)
    expect(back.user_email).toBe('old@example.com')
  })

  it('names nobody if an older process erased its user, and goes in the second pass', async () => {
    const { kept } = await mergeOldIntoNew()
    await erase(kept.uid)
    for (const email of ['old@example.com', 'x@example.com']) await addFormer(email, kept.uid)
    expect(await find('old@example.com')).toBeUndefined()
    expect((await buy({ typedEmail: 'old@example.com' })).email).toBe('old@example.com')
    expect((await grant('x@example.com')).user_email).toBe('x@example.com')
    const { environment } = app
    const control = service.ctx.control
    await finishErasures({ database: db(), control, realTime: environment.realTime })
    expect(await former()).toEqual([])
  })

  describe('while the merge commits', () => {
    const work: Record<string, (trx: Trx) => Promise<string>> = {
      'a grant': async (trx) => (await grantAccess(trx, inputOf('old@example.com'), clocks())).uid,
      'a grant with the reference': async (trx) =>
        (await grantAccess(trx, inputOf('old@example.com', { userRef: 'old' }), clocks())).uid,
      'a purchase': async (trx) => (await resolve(trx, { typedEmail: 'old@example.com' })).uid,
    }
    const all = Object.entries(work).map(([what, run]) => ({ what, run }))

    it.each(all)('names the user who is left to $what that waits', async ({ run }) => {
      const gone = await grant('old@example.com', { user_ref: 'old' })
      const kept = await grant('new@example.com', { user_ref: 'new' })
      expect(await duringMerge(gone.uid, kept.uid, run)).toBe(kept.uid)
      await service.requireInvariants()
    })

    it.each(all)('and the one who is left is merged too: $what', async ({ run }) => {
      const { kept } = await mergeOldIntoNew()
      const last = await grant('last@example.com')
      expect(await duringMerge(kept.uid, last.uid, run)).toBe(last.uid)
      await service.requireInvariants()
    })

    /** Starts something when a merge is done but not committed. */
    async function duringMerge(
      from: string,
      into: string,
      run: (trx: Trx) => Promise<string>,
    ): Promise<string> {
      let attempts = 0
      let running: Promise<string> | undefined
      await db().write(async (trx) => {
        await mergeUsers(trx, { aid: app.aid, from, into, actor: 'test' }, clocks().now)
        running = db().write(async (other) => {
          attempts++
          return await run(other)
        })
        if (database.engine === 'postgres') await somebodyWaits(db().read)
      })
      const uid = (await running) as string
      expect(attempts).toBe(1)
      return uid
    }
  })
})
