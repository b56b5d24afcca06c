import { existsSync, readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import { bytesOf, sendFile, sha256 } from '../../../server/src/testing/sdk/file-server.ts'
import { type DownloadProgress, downloadFile } from '../download.ts'

describe('downloadFile', () => {
  const { folder, path, answering, serving, ranges, expectWhole } = useDownloadFolder()

  describe('a signal', () => {
    const bytes = bytesOf(200_000)

    it('ends the download with its reason, and what has arrived stays', async () => {
      const server = await answering((request, response, count) => {
        if (count > 0) return sendFile(request, response, { bytes })
        const { length } = bytes
        response.writeHead(200, { etag: `"${sha256(bytes)}"`, 'content-length': length })
        response.write(bytes.subarray(0, 70_000))
      })
      const stop = new AbortController()
      const reason = new Error('enough')
      const onProgress = ({ received }: DownloadProgress) => {
        if (received === 70_000) stop.abort(reason)
      }
      const options = { signal: stop.signal, onProgress, retries: 0 }
      expect(await caught(downloadFile(server.url, path, options))).toBe(reason)
      expect(server.requests).toHaveLength(1)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, 'bytes=70000-'])
    })

    it('counts until the file is in place', async () => {
      const server = await serving(bytes)
      const stop = new AbortController()
      const onProgress = ({ received }: DownloadProgress) => {
        if (received === bytes.length) stop.abort()
      }
      const work = downloadFile(server.url, path, { signal: stop.signal, onProgress })
      expect(await caught(work)).toBe(stop.signal.reason)
      expect(existsSync(path)).toBe(false)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, 'bytes=199999-'])
    })

    it('ends a pause', async () => {
      const stop = new AbortController()
      const server = await answering((_, response) => {
        response.writeHead(503, { 'retry-after': '200' }).end()
        response.once('close', () => setTimeout(50).then(() => stop.abort()))
      })
      const error = await caught(downloadFile(server.url, path, { signal: stop.signal }))
      expect(error).toMatchObject({ name: 'AbortError' })
      expect(server.requests).toHaveLength(1)
    })

    it('that was given before keeps anything from being done', async () => {
      const server = await serving(bytes)
      const signal = AbortSignal.abort()
      expect(await caught(downloadFile(server.url, path, { signal }))).toBe(signal.reason)
      expect(server.requests).toHaveLength(0)
      expect(readdirSync(folder)).toEqual([])
    })
  })
})
