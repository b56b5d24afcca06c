import { beforeEach, describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../../testing/databases.ts'
import {
  failureIn,
  URL_PATHS,
  useDownloadRequests,
} from '../../../testing/downloads/download-requests.ts'
import { addDownload } from '../../../testing/downloads/downloads.ts'
import { dumpTables } from '../../../testing/dump.ts'

const TOKEN = /\/d\/[\w.-]+$/

describe.each(entryPointDatabases)('Downloads on $name', (database) => {
  /** Each test has its own resource. */
  let rid: string
  const requests = useDownloadRequests(database, () => rid)
  const { service, app, addNewResource } = requests
  const { publish, askUrl, linkIn } = requests
  beforeEach(async () => {
    rid = await addNewResource()
  })

  describe('a link', () => {
    it('leads to the address of its environment and ends when its life does', async () => {
      const { id } = await addDownload(app, rid)
      const now = service.clock.seconds
      for (const path of URL_PATHS) {
        const response = await askUrl({ lifetime: 3600 }, path)
        expect(response.status).toBe(200)
        const body = JSON.parse(response.text)
        expect(body).toEqual({ url: expect.stringMatching(TOKEN), expires: now + 3600 })
        expect(body.url.startsWith(`${service.url}/d/`)).toBe(true)
        expect(await linkIn(body.url)).toMatchObject({
          aid: app.aid,
          downloadId: id,
          expires: now + 3600,
        })
      }
    })

    it('in the sandbox leads to the sandbox, whose clock it goes by', async () => {
      const sandbox = await service.newApplication('sandbox')
      await sandbox.addResource('s')
      await addDownload(sandbox, 's')
      const { time } = await sandbox.client.advanceClock({ seconds: 86_400 })
      const { url, expires } = await sandbox.client.getDownloadUrl({ rid: 's', lifetime: 60 })
      expect(url.startsWith(`${service.url}/sandbox/d/`)).toBe(true)
      expect(expires).toBe(time + 60)
      expect(await linkIn(url)).toBe('invalid')
    })

    it('is another one each time, and each is good', async () => {
      await addDownload(app, rid)
      const input = { rid, lifetime: 60 }
      const urls = await Promise.all([1, 2, 3].map(() => app.client.getDownloadUrl(input)))
      expect(new Set(urls.map(({ url }) => url)).size).toBe(3)
      for (const { url } of urls) expect(await linkIn(url)).toMatchObject({ aid: app.aid })
    })

    it('is made without a write', async () => {
      await addDownload(app, rid)
      await app.client.grantAccess({ rid, email: 'dry@example.com', user_ref: 'dry' })
      await app.client.getDownloadUrl({ rid, lifetime: 60 })
      const before = await dumpTables(app.environment.database.read)
      const input = { rid, lifetime: 60, user_ref: 'dry', limit: 1, filename: 'a.txt' }
      await app.client.getDownloadUrl(input)
      await app.client.getDownload({ rid })
      expect(await dumpTables(app.environment.database.read)).toEqual(before)
    })

    it('says what it allows: whose access, how often, under which name', async () => {
      await addDownload(app, rid)
      const who = { rid, email: 'ann@example.com', user_ref: 'ann' }
      const { id: accessId } = await app.client.grantAccess(who)
      const filename = 'Überraschung “für” 你 🔑.txt'
      const input = { rid, lifetime: 60, user_ref: 'ann', limit: 1_000_000, filename }
      const { url } = await app.client.getDownloadUrl(input)
      expect(await linkIn(url)).toMatchObject({ accessId, limit: 1_000_000, fileName: filename })
      const plain = await linkIn((await app.client.getDownloadUrl({ rid, lifetime: 60 })).url)
      for (const name of ['accessId', 'limit', 'fileName']) expect(plain).not.toHaveProperty(name)
      const unnamed = JSON.parse((await askUrl({ lifetime: 60, filename: '' })).text)
      expect(await linkIn(unnamed.url)).not.toHaveProperty('fileName')
      // An unset variable must not make a link that opens for everybody.
      for (const name of ['user_ref', 'limit']) {
        expect(failureIn(await askUrl({ lifetime: 60, [name]: '' }))).toEqual({
          ...{ status: 400, code: 'invalid_parameter' },
          message: `${name}: must not be empty`,
        })
      }
    })
  })

  describe('a link for a user', () => {
    const NO_ACCESS = { status: 404, code: 'access_not_found', message: 'No such access.' }
    const email = () => `${rid}@example.com`
    const askFor = (user_ref: string) => askUrl({ lifetime: 60, user_ref })

    beforeEach(async () => {
      await addDownload(app, rid)
    })

    it('needs live access: 404 for an unknown user and for access to something else', async () => {
      await app.addResource(`${rid}-other`)
      await app.client.grantAccess({ rid: `${rid}-other`, email: email(), user_ref: rid })
      for (const ref of ['nobody', rid]) expect(failureIn(await askFor(ref))).toEqual(NO_ACCESS)
    })

    it('needs live access: 404 after its end and after a revoke, and not before', async () => {
      const expiration = service.clock.seconds + 100
      await app.client.grantAccess({ rid, email: email(), user_ref: rid, expiration })
      service.clock.advance(99)
      expect((await askFor(rid)).status).toBe(200)
      service.clock.advance(1)
      expect(failureIn(await askFor(rid))).toEqual(NO_ACCESS)
      await app.client.grantAccess({ rid, email: email(), user_ref: rid })
      expect((await askFor(rid)).status).toBe(200)
      await app.client.revokeAccess({ rid, user_ref: rid })
      expect(failureIn(await askFor(rid))).toEqual(NO_ACCESS)
    })

    it('takes any reference of the user, and the uid', async () => {
      const { uid } = await app.client.grantAccess({ rid, email: email() })
      expect((await askFor(uid)).status).toBe(200)
      await app.client.grantAccess({ rid, email: email(), user_ref: `${rid}-1` })
      await app.client.grantAccess({ rid, email: email(), user_ref: `${rid}-2` })
      const links = await Promise.all(
        [`${rid}-1`, `${rid}-2`, uid].map(async (one) =>
          linkIn(JSON.parse((await askFor(one)).text).url),
        ),
      )
      const ids = links.map((link) => (link as { accessId?: string }).accessId)
      expect(ids[0]).toBeDefined()
      expect(new Set(ids).size).toBe(1)
    })

    it("does not take another application's user", async () => {
      const other = await service.newApplication()
      await other.addResource(rid)
      const foreign = await other.client.grantAccess({ rid, email: email(), user_ref: rid })
      for (const ref of [rid, foreign.uid]) expect(failureIn(await askFor(ref))).toEqual(NO_ACCESS)
    })

    it('does not tell of access to a file that is not published', async () => {
      await app.client.grantAccess({ rid, email: email(), user_ref: rid })
      await publish(false)
      expect(failureIn(await askFor(rid))).toMatchObject({ code: 'download_not_found' })
    })
  })
})
