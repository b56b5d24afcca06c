import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload, uploadBytes } from '../../testing/downloads/downloads.ts'
import { ENDED, NOT_FOUND, usePlannedLinks } from '../../testing/downloads/planned-links.ts'
import { dumpTables } from '../../testing/dump.ts'
import { archiveApplication } from '../apps/applications.ts'
import { publishDownload, removeDownload, replaceFile } from './downloads.ts'
import { type LinkInput, openLink, planLink } from './links.ts'

const LAST_SECOND = 253402300799
const NO_ACCESS = { code: 'access_not_found', status: 404 }

describe.each(databases)('links to files on $name', (database) => {
  const links = usePlannedLinks(database)
  const { service, app, db, now, key } = links
  const { doing, plan, grant, addressFor, open } = links

  describe('when one is made', () => {
    beforeEach(() => addDownload(app, 'guide'))

    it('ends after its lifetime, at its expiration, or at the earlier of both', async () => {
      const ends = async (input: Partial<LinkInput>) => (await plan(input)).expires - now()
      expect(await ends({ lifetime: 1 })).toBe(1)
      expect(await ends({ lifetime: 86_400 })).toBe(86_400)
      expect(await ends({ expiration: now() + 1 })).toBe(1)
      expect(await ends({ lifetime: 60, expiration: now() + 90 })).toBe(60)
      expect(await ends({ lifetime: 90, expiration: now() + 60 })).toBe(60)
    })

    it('ends within the range of times, however long it was to live', async () => {
      expect((await plan({ lifetime: LAST_SECOND })).expires).toBe(LAST_SECOND)
      expect((await plan({ expiration: LAST_SECOND })).expires).toBe(LAST_SECOND)
    })

    it('must be told an end', async () => {
      const refusal = { code: 'invalid_parameter', message: expect.stringMatching(/expiration/) }
      await expect(plan()).rejects.toMatchObject(refusal)
    })

    it.each([
      [{ lifetime: 0 }, 'lifetime', 400],
      [{ lifetime: -1 }, 'lifetime', 400],
      [{ expiration: 0 }, 'expiration', 402],
      [{ lifetime: 60, expiration: 1 }, 'expiration', 402],
    ])('is refused if it would be over at once: %o', async (input, parameter, status) => {
      await expect(plan(input)).rejects.toMatchObject({ parameter, status })
    })

    it('is refused if it would end this very second', async () => {
      await expect(plan({ expiration: now() })).rejects.toMatchObject({ code: 'link_end_passed' })
      const both = plan({ lifetime: 60, expiration: now() })
      await expect(both).rejects.toMatchObject({ code: 'link_end_passed' })
    })

    it('lives no longer than the operator allows, and is told how long that is', async () => {
      expect((await plan({ lifetime: 60 }, 60)).expires).toBe(now() + 60)
      expect((await plan({ lifetime: 61, expiration: now() + 60 }, 60)).expires).toBe(now() + 60)
      for (const input of [{ lifetime: 61 }, { expiration: now() + 61 }, { lifetime: 1e11 }]) {
        await expect(plan(input, 60)).rejects.toMatchObject({
          ...{ code: 'link_life_too_long', status: 402 },
          message: expect.stringContaining('60 seconds'),
        })
      }
    })

    it('writes nothing', async () => {
      await grant('ann')
      await addressFor()
      const before = await dumpTables(db().read)
      await addressFor({ userRef: 'ann', limit: 3, fileName: 'Für Ann.pdf' })
      expect(await dumpTables(db().read)).toEqual(before)
    })

    it('has an id of its own each time, and says what was asked for', async () => {
      const input = { lifetime: 60, limit: 7, fileName: 'Nº 7 🙂.pdf' }
      const [one, other] = [await plan(input), await plan(input)]
      expect(one).toMatchObject({ aid: app.aid, limit: 7, fileName: 'Nº 7 🙂.pdf' })
      expect(one.accessId).toBeUndefined()
      expect(other).toEqual({ ...one, id: other.id })
      expect(other.id).not.toBe(one.id)
    })

    it('lies at the address of its environment, and is nothing in the other one', async () => {
      const shop = await service.newApplication('sandbox')
      await shop.addResource('guide')
      await addDownload(shop, 'guide')
      const input = { aid: shop.aid, rid: 'guide', lifetime: 60 }
      const link = await planLink(shop.environment.database.read, input, undefined, now())
      const address = await shop.environment.downloadLink(link)
      expect(address).toMatch(new RegExp(`^${service.url}/sandbox/d/[A-Za-z0-9._-]+$`))
      expect(await addressFor()).toMatch(new RegExp(`^${service.url}/d/[A-Za-z0-9._-]+$`))
      await expect(open(address)).rejects.toThrow('the link is invalid')
    })

    it('needs a published download of that application', async () => {
      await expect(plan({ rid: 'maps', lifetime: 60 })).rejects.toMatchObject(NOT_FOUND)
      await expect(plan({ rid: 'nowhere', lifetime: 60 })).rejects.toMatchObject(NOT_FOUND)
      const other = await service.newApplication()
      await other.addResource('guide')
      await expect(plan({ aid: other.aid, lifetime: 60 })).rejects.toMatchObject(NOT_FOUND)
      await db().write((trx) => publishDownload(trx, key(), false, doing()))
      await expect(plan({ lifetime: 60 })).rejects.toMatchObject(NOT_FOUND)
      await db().write((trx) => publishDownload(trx, key(), true, doing()))
      await plan({ lifetime: 60 })
      await db().write((trx) => removeDownload(trx, key(), doing()))
      await expect(plan({ lifetime: 60 })).rejects.toMatchObject(NOT_FOUND)
    })

    it('for a reader needs live access of hers to this very resource', async () => {
      const input = { lifetime: 60, userRef: 'ann' }
      await expect(plan(input)).rejects.toMatchObject(NO_ACCESS)
      await grant('ann', { rid: 'maps' })
      await expect(plan(input)).rejects.toMatchObject(NO_ACCESS)
      const { id } = await grant('ann', { expiration: now() + 30 })
      expect((await plan(input)).accessId).toBe(id)
      service.clock.advance(30)
      await expect(plan(input)).rejects.toMatchObject(NO_ACCESS)
      await grant('ann')
      await app.client.revokeAccess({ rid: 'guide', user_ref: 'ann' })
      await expect(plan(input)).rejects.toMatchObject(NO_ACCESS)
    })

    it('for a reader of another application is refused', async () => {
      const other = await service.newApplication()
      await other.addResource('guide')
      const { uid } = await other.client.grantAccess({ rid: 'guide', email: 'ann@example.com' })
      await other.client.grantAccess({ rid: 'guide', email: 'b@example.com', user_ref: 'bob' })
      for (const userRef of ['bob', uid]) {
        await expect(plan({ lifetime: 60, userRef })).rejects.toMatchObject(NO_ACCESS)
      }
    })

    it('for a reader without a reference is made by her uid', async () => {
      const { uid, id } = await app.client.grantAccess({ rid: 'guide', email: 'ann@example.com' })
      expect((await plan({ lifetime: 60, userRef: uid })).accessId).toBe(id)
    })
  })

  describe('when one is used', () => {
    it('leads to the download, and to nobody in particular', async () => {
      const made = await addDownload(app, 'guide')
      expect(await open(await addressFor())).toEqual({ download: made, uid: null })
    })

    it('is over from the second of its end', async () => {
      await addDownload(app, 'guide')
      const address = await addressFor({ lifetime: 60 })
      service.clock.advance(59)
      await open(address)
      service.clock.advance(1)
      await expect(open(address)).rejects.toThrow('the link is expired')
    })

    it('leads to the file that is there now', async () => {
      await addDownload(app, 'guide', Buffer.from('old'))
      const address = await addressFor()
      const { sha256 } = await uploadBytes(app, Buffer.from('new'), (file) =>
        db().write((trx) =>
          replaceFile(trx, key(), file, { fileName: 'new.txt', type: 'text/plain' }, doing()),
        ),
      )
      const { download } = await open(address)
      expect(download).toMatchObject({ sha256, file_name: 'new.txt', type: 'text/plain', size: 3 })
    })

    it('leads nowhere while it is not published, and on when it is again', async () => {
      await addDownload(app, 'guide')
      const address = await addressFor()
      await db().write((trx) => publishDownload(trx, key(), false, doing()))
      await expect(open(address)).rejects.toMatchObject(NOT_FOUND)
      await db().write((trx) => publishDownload(trx, key(), true, doing()))
      await open(address)
    })

    it('leads nowhere once it was removed, also if the resource has another then', async () => {
      await addDownload(app, 'guide')
      const address = await addressFor()
      await db().write((trx) => removeDownload(trx, key(), doing()))
      await expect(open(address)).rejects.toMatchObject(NOT_FOUND)
      await addDownload(app, 'guide')
      await expect(open(address)).rejects.toMatchObject(NOT_FOUND)
      await open(await addressFor())
    })

    it('leads nowhere once its application is archived', async () => {
      await addDownload(app, 'guide')
      const address = await addressFor()
      await db().write((trx) => archiveApplication(trx, app.aid, now(), 'test'))
      await expect(open(address)).rejects.toMatchObject(NOT_FOUND)
    })

    it('leads to nothing of another application, whatever it says', async () => {
      const other = await service.newApplication()
      await other.addResource('guide')
      const theirs = await addDownload(other, 'guide')
      await addDownload(app, 'guide')
      const link = await plan({ lifetime: 60 })
      const crossed = [
        { ...link, downloadId: theirs.id },
        { ...link, aid: other.aid },
      ]
      for (const one of crossed) {
        await expect(openLink(db().read, one, now())).rejects.toMatchObject(NOT_FOUND)
      }
      const access = await other.client.grantAccess({ rid: 'guide', email: 'ann@example.com' })
      const foreign = { ...link, accessId: access.id }
      await expect(openLink(db().read, foreign, now())).rejects.toMatchObject(ENDED)
    })
  })
})
