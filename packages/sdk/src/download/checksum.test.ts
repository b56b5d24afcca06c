import { readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import { bytesOf, digestOf, QUICK, sendFile } from '../../../server/src/testing/sdk/file-server.ts'
import { downloadFile } from '../download.ts'
import { DownloadError } from '../errors.ts'

describe('downloadFile', () => {
  const { folder, path, answering, serving, ranges, leavePart, expectWhole } = useDownloadFolder()

  describe('a checksum that does not fit', () => {
    const bytes = bytesOf(5000)
    const wrong = Buffer.from(bytes)
    wrong[4321] = (wrong[4321] as number) ^ 1

    it('costs a second try from the first byte', async () => {
      const server = await answering((request, response, count) => {
        const reply = { etag: '"same"', digest: digestOf(bytes) }
        sendFile(request, response, { bytes: count === 0 ? wrong : bytes, ...reply })
      })
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, undefined])
    })

    it('is an error the second time, and nothing is left', async () => {
      const server = await serving(wrong, { digest: digestOf(bytes) })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toBeInstanceOf(DownloadError)
      expect(error).toMatchObject({ reason: 'damaged' })
      expect(server.requests).toHaveLength(2)
      expect(readdirSync(folder)).toEqual([])
    })

    it('is found in what lay on the disk meanwhile, too', async () => {
      await leavePart(bytes, 4500)
      writeFileSync(`${path}.part`, wrong.subarray(0, 4500))
      const server = await serving(bytes)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=4500-', undefined])
    })
  })
})
