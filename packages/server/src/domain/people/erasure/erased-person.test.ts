import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { addDownload } from '../../../testing/downloads/downloads.ts'
import { dumpTables } from '../../../testing/dump.ts'
import { RIDS, usePeople } from '../../../testing/people/people.ts'
import { listDeliveries } from '../../downloads/deliveries.ts'
import { eraseUser } from '../erase.ts'

describe.each(databases)('the people of an application on $name', (database) => {
  let now: number
  const { service, app, db, who, grant, merge, deliver } = usePeople(database)
  beforeEach(() => {
    now = service.clock.now / 1000
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
      const twin = await grant('twin.secret@example.com', { rid: 'plans' })
      await merge(twin.uid, uid)
      await addDownload(app, 'news')
      const query = { rid: 'news', lifetime: 60, user_ref: 'ref-secret', filename: 'for secret' }
      const { url } = await app.client.getDownloadUrl(query)
      expect((await fetch(url)).status).toBe(200)
      await deliver(uid)
      expect(await erase(uid)).toEqual({ revoked: 2, references: 3, mails: 3 })
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
