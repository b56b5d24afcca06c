import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import { bytesOf, sendFile, sha256, TOKEN } from '../../../server/src/testing/sdk/file-server.ts'
import { type DownloadProgress, downloadFile } from '../download.ts'

describe('downloadFile', () => {
  const { folder, path, answering, serving, ranges, leavePart, expectWhole } = useDownloadFolder()

  describe('what an earlier download left behind', () => {
    const bytes = bytesOf(10_000)

    it('is taken up where it stopped', async () => {
      await leavePart(bytes, 4000)
      const server = await serving(bytes)
      const first: DownloadProgress[] = []
      await expectWhole(bytes, server.url, { onProgress: (one) => first.push(one) })
      expect(ranges(server.requests)).toEqual(['bytes=4000-'])
      expect(first[0]).toEqual({ received: 4000, total: 10_000 })
    })

    it('is asked about before it is used, though nothing is missing', async () => {
      await leavePart(bytes, 9000)
      writeFileSync(`${path}.part`, bytes)
      const server = await serving(bytes)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=9999-'])
    })

    it('is thrown away if the file is another by now', async () => {
      await leavePart(bytes, 4000)
      const other = bytesOf(7000, 2)
      const server = await serving(other)
      await expectWhole(other, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=4000-'])
    })

    it.each([
      ['another entity tag', { etag: '"other"' }],
      ['another length', { 'content-range': 'bytes 4000-10000/10001' }],
      ['another place', { 'content-range': 'bytes 3999-9999/10000' }],
      ['no place', { 'content-range': 'bytes */10000' }],
    ])('is not mixed with an answer that has %s', async (_, headers) => {
      await leavePart(bytes, 4000)
      const server = await answering((request, response, count) => {
        if (count > 0) return sendFile(request, response, { bytes })
        const right = { etag: `"${sha256(bytes)}"`, 'content-range': 'bytes 4000-9999/10000' }
        response.writeHead(206, { ...right, ...headers }).end(bytes.subarray(4000))
      })
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=4000-', undefined])
    })

    it('is thrown away if the server has no such part', async () => {
      await leavePart(bytes, 4000)
      const server = await answering((request, response, count) => {
        if (count > 0) return sendFile(request, response, { bytes })
        response.writeHead(416, { 'content-range': 'bytes */10000' }).end()
      })
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=4000-', undefined])
    })

    it.each([
      ['no notes', () => rmSync(`${path}.part.json`)],
      ['broken notes', () => writeFileSync(`${path}.part.json`, '{"etag":"')],
      [
        'notes of something else',
        () => writeFileSync(`${path}.part.json`, '{"etag":7,"total":"x"}'),
      ],
      ['notes of another time', () => writeFileSync(`${path}.part.json`, '{"etag":7}')],
      ['more bytes than the file', () => writeFileSync(`${path}.part`, bytesOf(10_001))],
    ])('is thrown away with %s', async (_, spoil) => {
      await leavePart(bytes, 4000)
      spoil()
      const server = await serving(bytes)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined])
    })

    it.each(['', 'W/"weak"', 'unquoted'])('is not resumed by an entity tag of %j', async (etag) => {
      const server = await answering((request, response, count) => {
        sendFile(request, response, { bytes, etag, cutAfter: count === 0 ? 4000 : undefined })
      })
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, undefined])
    })

    it('holds no link', async () => {
      await leavePart(bytes, 4000)
      expect(readFileSync(`${path}.part.json`, 'utf8')).not.toContain(TOKEN)
    })

    it('is not followed to where a link leads, and nothing is asked for', async () => {
      const elsewhere = join(folder, 'elsewhere')
      writeFileSync(elsewhere, 'precious')
      symlinkSync(elsewhere, `${path}.part`)
      const server = await serving(bytes)
      expect(await caught(downloadFile(server.url, path))).toMatchObject({ code: 'ELOOP' })
      expect(readFileSync(elsewhere, 'utf8')).toBe('precious')
      expect(server.requests).toHaveLength(0)
    })
  })

  it('a file that is replaced in the middle comes from its new beginning', async () => {
    const [old, young] = [bytesOf(9000, 1), bytesOf(12_000, 2)]
    const server = await answering((request, response, count) => {
      const cutAfter = [5000, 3000, undefined][count]
      sendFile(request, response, { bytes: count === 0 ? old : young, cutAfter })
    })
    const file = await expectWhole(young, server.url)
    expect(file.verified).toBe(true)
    expect(ranges(server.requests)).toEqual([undefined, 'bytes=5000-', 'bytes=3000-'])
  })

  it('a file that is replaced in the middle gets as many tries as any other', async () => {
    const [old, young] = [bytesOf(9000, 1), bytesOf(4000, 2)]
    const server = await answering((request, response, count) => {
      if (count === 0) return sendFile(request, response, { bytes: old, cutAfter: 8000 })
      sendFile(request, response, { bytes: young, cutAfter: 500 })
    })
    await expectWhole(young, server.url, { retries: 2 })
    expect(server.requests).toHaveLength(9)
  })
})
