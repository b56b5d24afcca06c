import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { replaceFile } from '../../../server/src/domain/downloads/downloads.ts'
import { databases } from '../../../server/src/testing/databases.ts'
import {
  addDownload,
  testActor,
  uploadBytes,
} from '../../../server/src/testing/downloads/downloads.ts'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import { bytesOf, sha256 } from '../../../server/src/testing/sdk/file-server.ts'
import { useApplication, useService } from '../../../server/src/testing/use-service.ts'
import { type DownloadProgress, downloadFile } from '../download.ts'

describe('downloadFile', () => {
  const { folder, path, expectWhole } = useDownloadFolder()

  describe('against the real service', () => {
    let rid: string
    let count = 0

    const service = useService(databases[0])
    const app = useApplication(service)
    beforeEach(async () => {
      rid = `file-${++count}`
      await app.addResource(rid)
    })

    /** Downloads until this many bytes have arrived, then aborts. */
    async function fetchSome(url: string, enough: number): Promise<number> {
      const stop = new AbortController()
      let got = 0
      const onProgress = ({ received }: DownloadProgress) => {
        got = received
        if (received >= enough) stop.abort()
      }
      const work = downloadFile(url, path, { signal: stop.signal, onProgress })
      expect(await caught(work)).toMatchObject({ name: 'AbortError' })
      return got
    }

    const replaceWith = (bytes: Buffer) =>
      uploadBytes(app, bytes, (file) =>
        app.environment.database.write((trx) =>
          replaceFile(
            trx,
            { aid: app.aid, rid },
            file,
            { fileName: 'new.bin', type: 'application/octet-stream' },
            testActor(app.environment),
          ),
        ),
      )

    it('a file comes whole and checked', async () => {
      const bytes = bytesOf(300_000, 7)
      await addDownload(app, rid, bytes)
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 60 })
      const file = await expectWhole(bytes, url)
      expect(file).toMatchObject({ sha256: sha256(bytes), verified: true })
    })

    it('an empty file too', async () => {
      await addDownload(app, rid, Buffer.alloc(0))
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 60 })
      expect(await expectWhole(Buffer.alloc(0), url)).toMatchObject({ size: 0, verified: true })
    })

    it('a link that may be used once covers a download in several pieces', async () => {
      const bytes = Buffer.alloc(4_000_000, bytesOf(1000, 8))
      await addDownload(app, rid, bytes)
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 600_000, limit: 1 })
      const [first, second] = [await fetchSome(url, 1_000_000), await fetchSome(url, 2_500_000)]
      expect(second).toBeGreaterThan(first)
      await expectWhole(bytes, url)
      rmSync(path)
      service.clock.advance(86_400)
      const error = await caught(downloadFile(url, path))
      expect(error).toMatchObject({ status: 410, code: 'link_used' })
    })

    it('a file that is replaced in the middle is the new one', async () => {
      const [old, young] = [Buffer.alloc(3_000_000, 'old'), Buffer.alloc(2_000_000, 'young')]
      await addDownload(app, rid, old)
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 60 })
      await fetchSome(url, 1_000_000)
      await replaceWith(young)
      expect(await expectWhole(young, url)).toMatchObject({ verified: true })
    })

    it('after a revoke nothing more comes, and after a new grant a new link goes on', async () => {
      const bytes = Buffer.alloc(3_000_000, 'for ann')
      await addDownload(app, rid, bytes)
      const who = { rid, email: 'ann@example.com', user_ref: 'ann' }
      await app.client.grantAccess(who)
      const query = { rid, user_ref: 'ann', lifetime: 60 }
      const { url } = await app.client.getDownloadUrl(query)
      const got = await fetchSome(url, 1_000_000)
      await app.client.revokeAccess({ rid, user_ref: 'ann' })
      const error = await caught(downloadFile(url, path))
      expect(error).toMatchObject({ status: 403, code: 'access_ended' })
      expect(readFileSync(`${path}.part`)).toHaveLength(got)
      await app.client.grantAccess(who)
      const next = await app.client.getDownloadUrl(query)
      const progress: number[] = []
      const onProgress = ({ received }: DownloadProgress) => progress.push(received)
      await expectWhole(bytes, next.url, { onProgress })
      expect(progress[0]).toBe(got)
    })

    it('a link that is over, or was never one, is told', async () => {
      await addDownload(app, rid)
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 1 })
      service.clock.advance(1)
      const over = await caught(downloadFile(url, path))
      expect(over).toMatchObject({ status: 410, code: 'link_expired' })
      const forged = await caught(downloadFile(`${url}x`, path))
      expect(forged).toMatchObject({ status: 403, code: 'link_invalid' })
      expect(readdirSync(folder)).toEqual([])
    })
  })
})
