import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { ENDED, usePlannedLinks } from '../../testing/downloads/planned-links.ts'
import { setOpens } from '../passes/opens.ts'
import { eraseUser } from '../people/erase.ts'
import { mergeUsers } from '../people/merge.ts'

describe.each(databases)('links to files on $name', (database) => {
  const { service, app, db, now, key, plan, grant, addressFor, open } = usePlannedLinks(database)

  describe('one that is bound to an access', () => {
    beforeEach(() => addDownload(app, 'guide'))

    it('is good through a pass, while the pass is live and opens the resource', async () => {
      const { database } = app.environment
      const setPass = (rids: string[]) =>
        database.write((trx) =>
          setOpens(trx, key('pass'), { rids, prefixes: [], all: false }, now(), 'test'),
        )
      await app.addResource('pass')
      await grant('ann', { rid: 'pass', expiration: now() + 60 })
      await expect(plan({ lifetime: 60, userRef: 'ann' })).rejects.toMatchObject({
        code: 'access_not_found',
      })
      await setPass(['guide'])
      const address = await addressFor({ userRef: 'ann' })
      expect(await open(address)).toMatchObject({ download: { rid: 'guide' } })
      await setPass(['other'])
      await expect(open(address)).rejects.toMatchObject(ENDED)
      await setPass(['guide'])
      await open(address)
      service.clock.advance(60)
      await expect(open(address)).rejects.toMatchObject(ENDED)
    })

    it('tells whose it is', async () => {
      const { uid } = await grant('ann')
      expect(await open(await addressFor({ userRef: 'ann' }))).toMatchObject({ uid })
    })

    it('is dead at once after a revoke, and stays dead when access is granted again', async () => {
      await grant('ann')
      await grant('bob')
      const [hers, his] = [
        await addressFor({ userRef: 'ann' }),
        await addressFor({ userRef: 'bob' }),
      ]
      await app.client.revokeAccess({ rid: 'guide', user_ref: 'ann' })
      await expect(open(hers)).rejects.toMatchObject(ENDED)
      await grant('ann')
      await expect(open(hers)).rejects.toMatchObject(ENDED)
      // A new link works, and other readers' links still do.
      await open(await addressFor({ userRef: 'ann' }))
      await open(his)
    })

    it('is dead from the second in which the access ends, and good again with a new end', async () => {
      await grant('ann', { expiration: now() + 60 })
      const address = await addressFor({ userRef: 'ann' })
      service.clock.advance(59)
      await open(address)
      service.clock.advance(1)
      await expect(open(address)).rejects.toMatchObject(ENDED)
      await grant('ann', { expiration: now() + 60 })
      await open(address)
    })

    it('goes on with whom the access goes to in a merge', async () => {
      const from = await grant('old')
      const into = await grant('new', { rid: 'maps' })
      const address = await addressFor({ userRef: 'old' })
      await merge(from.uid, into.uid)
      expect(await open(address)).toMatchObject({ uid: into.uid })
    })

    it('ends where a merge makes one access of two, but for that of the one who is left', async () => {
      const [from, into] = [await grant('old'), await grant('new')]
      const [gone, kept] = [
        await addressFor({ userRef: 'old' }),
        await addressFor({ userRef: 'new' }),
      ]
      await merge(from.uid, into.uid)
      await expect(open(gone)).rejects.toMatchObject(ENDED)
      expect(await open(kept)).toMatchObject({ uid: into.uid })
    })

    it('is dead once the person was erased', async () => {
      const { uid } = await grant('ann')
      const address = await addressFor({ userRef: 'ann' })
      const who = { aid: app.aid, uid, actor: 'test' }
      await db().write((trx) => eraseUser(trx, who, { now: now(), realTime: service.clock.now }))
      await expect(open(address)).rejects.toMatchObject(ENDED)
    })

    const merge = (from: string, into: string) =>
      db().write((trx) => mergeUsers(trx, { aid: app.aid, from, into, actor: 'test' }, now()))
  })
})
