import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useGrants } from '../../testing/http/grants.ts'
import { sendSigned } from '../../testing/http/requests.ts'

describe.each(databases)('POST /r2/access/grant on $name', (database) => {
  const { service, app, now, dumpRecords, grant, mails, mailCount } = useGrants(database)

  describe('the mail', () => {
    it('is one for the recipient, with what it has to say, written with the grant', async () => {
      const granted = await grant({ message: 'Enjoy!\nYours', expiration: now() + 60 })
      const [mail, ...rest] = await mails()
      expect(rest).toEqual([])
      expect(mail).toMatchObject({ recipient: 'ann@example.com', uid: granted.uid, kind: 'grant' })
      expect(JSON.parse(mail?.payload ?? '')).toMatchObject({
        rid: 'news',
        resource: 'The News',
        url: 'https://example.com/news',
        message: 'Enjoy!\nYours',
        ends: now() + 60,
      })
    })

    it('is not written when it is suppressed', async () => {
      for (const suppress_email of ['true', '1', 'TRUE']) {
        await sendSigned(app, 'POST', '/r2/access/grant', {
          rid: 'news',
          email: `quiet${suppress_email}@example.com`,
          suppress_email,
        })
      }
      expect(await mailCount()).toBe(0)
      await grant({ suppress_email: false })
      expect(await mailCount()).toBe(1)
    })

    it('is not repeated by an identical repeat, which changes nothing at all', async () => {
      const input = { message: 'Hello', tags: 'a,b', first_name: 'Ann', expiration: now() + 60 }
      const first = await grant(input)
      const before = await dumpRecords()
      service.clock.advance(1)
      expect(await grant(input)).toEqual(first)
      expect(await grant({ ...input, suppress_email: true })).toEqual(first)
      expect(await grant(input)).toEqual(first)
      service.clock.advance(1000)
      // Even after it has expired: a late retry is still the same grant.
      expect(await grant(input)).toEqual(first)
      expect(await dumpRecords()).toEqual(before)
    })

    it('is one more for another message or another end, and for going back to the first', async () => {
      await grant({ message: 'one', expiration: now() + 60 })
      await grant({ message: 'two', expiration: now() + 60 })
      expect(await mailCount()).toBe(2)
      await grant({ message: 'two', expiration: now() + 61 })
      expect(await mailCount()).toBe(3)
      await grant({ message: 'two' })
      expect(await mailCount()).toBe(4)
      await grant({ message: 'one', expiration: now() + 60 })
      expect(await mailCount()).toBe(5)
      expect(new Set((await mails()).map(({ key }) => key)).size).toBe(5)
    })

    it('is not called for by new tags, names or references alone', async () => {
      await grant({ tags: 'a' })
      await grant({ tags: 'b', first_name: 'Ann', user_ref: 'ann-2' })
      expect(await mailCount()).toBe(1)
    })

    it('comes with the first repeat that does not suppress it', async () => {
      await grant({ suppress_email: true })
      expect(await mailCount()).toBe(0)
      await grant()
      expect(await mailCount()).toBe(1)
      await grant()
      expect(await mailCount()).toBe(1)
    })
  })
})
