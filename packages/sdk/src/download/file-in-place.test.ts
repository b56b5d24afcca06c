import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import { bytesOf, QUICK, sendFile, sha256 } from '../../../server/src/testing/sdk/file-server.ts'
import { type DownloadProgress, downloadFile } from '../download.ts'
import { DownloadError } from '../errors.ts'

describe('downloadFile', () => {
  const { folder, path, answering, serving, ranges, besides, expectWhole } = useDownloadFolder()

  describe('a file', () => {
    it.each([0, 1, 100_000])('of %i bytes is put in place whole, and checked', async (length) => {
      const bytes = bytesOf(length)
      const server = await serving(bytes)
      expect(await expectWhole(bytes, server.url)).toEqual({
        path,
        size: length,
        sha256: sha256(bytes),
        verified: true,
      })
      expect(ranges(server.requests)).toEqual([undefined])
    })

    it('is not seen under its name before it is whole', async () => {
      const bytes = bytesOf(50_000)
      const server = await serving(bytes)
      const seen: boolean[] = []
      await expectWhole(bytes, server.url, { onProgress: () => seen.push(existsSync(path)) })
      expect(seen.length).toBeGreaterThan(1)
      expect(seen).not.toContain(true)
    })

    it('tells how far it is', async () => {
      const bytes = bytesOf(300_000)
      const server = await serving(bytes)
      const progress: DownloadProgress[] = []
      await expectWhole(bytes, server.url, { onProgress: (one) => progress.push(one) })
      const received = progress.map((one) => one.received)
      expect(progress[0]).toEqual({ received: 0, total: 300_000 })
      expect(progress.at(-1)).toEqual({ received: 300_000, total: 300_000 })
      expect(received).toEqual([...received].sort((a, b) => a - b))
    })

    it('whose server tells neither length nor checksum is taken as it comes', async () => {
      const bytes = bytesOf(100_000)
      const server = await answering((_, response) => {
        response.write(bytes.subarray(0, 10))
        response.end(bytes.subarray(10))
      })
      const totals = new Set<number | undefined>()
      const onProgress = ({ total }: DownloadProgress) => totals.add(total)
      const file = await expectWhole(bytes, server.url, { onProgress })
      expect(file).toMatchObject({ size: 100_000, sha256: sha256(bytes), verified: false })
      expect([...totals]).toEqual([undefined])
    })
  })

  describe('a file that is there already', () => {
    const bytes = bytesOf(3000)

    it('is kept, and nothing is asked for', async () => {
      writeFileSync(path, 'precious')
      const server = await serving(bytes)
      const error = await caught(downloadFile(server.url, path))
      expect(error).toBeInstanceOf(DownloadError)
      expect(error).toMatchObject({ reason: 'file_exists' })
      expect(readFileSync(path, 'utf8')).toBe('precious')
      expect(server.requests).toHaveLength(0)
      expect(besides()).toEqual([])
    })

    it('is kept as well if it is a link that leads nowhere', async () => {
      symlinkSync(join(folder, 'nowhere'), path)
      const server = await serving(bytes)
      const error = await caught(downloadFile(server.url, path))
      expect(error).toMatchObject({ reason: 'file_exists' })
      expect(readdirSync(folder)).toEqual(['file.bin'])
    })

    it('is kept if it came while the other was on its way, which is kept too', async () => {
      const server = await serving(bytes)
      const onProgress = ({ received }: DownloadProgress) => {
        if (received === 3000) writeFileSync(path, 'precious')
      }
      const error = await caught(downloadFile(server.url, path, { onProgress }))
      expect(error).toMatchObject({ reason: 'file_exists' })
      expect(readFileSync(path, 'utf8')).toBe('precious')
      rmSync(path)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, 'bytes=2999-'])
    })

    it('is replaced if that is wished for, when the new one is whole', async () => {
      writeFileSync(path, 'old')
      const bad = await serving(bytes, { cutAfter: 1000, hasRanges: false })
      const options = { ...QUICK, overwrite: true }
      await caught(downloadFile(bad.url, path, { ...options, retries: 1 }))
      expect(readFileSync(path, 'utf8')).toBe('old')
      const good = await serving(bytes)
      await expectWhole(bytes, good.url, options)
    })
  })

  it('a file whose part is still there under a second name is not touched by the next one', async () => {
    const [old, young] = [bytesOf(3000, 1), bytesOf(4000, 2)]
    writeFileSync(path, old)
    linkSync(path, `${path}.part`)
    writeFileSync(`${path}.part.json`, JSON.stringify({ etag: '"old"', total: 3000 }))
    const server = await answering((request, response, count) => {
      if (count === 0) sendFile(request, response, { bytes: young, cutAfter: 100 })
      else response.writeHead(410).end()
    })
    const error = await caught(downloadFile(server.url, path, { ...QUICK, overwrite: true }))
    expect(error).toMatchObject({ status: 410 })
    expect(readFileSync(path).equals(old)).toBe(true)
    expect(ranges(server.requests)).toEqual([undefined, 'bytes=100-'])
  })
})
