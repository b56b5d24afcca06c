import { existsSync, readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../server/src/testing/random.ts'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import { bytesOf, QUICK, sendFile, sha256 } from '../../../server/src/testing/sdk/file-server.ts'
import { downloadFile } from '../download.ts'
import { ConnectionError } from '../errors.ts'

describe('downloadFile', () => {
  const { folder, path, answering, serving, ranges, besides, expectWhole } = useDownloadFolder()

  describe('a connection that breaks', () => {
    it('at random places costs no byte twice, and the file is right', async () => {
      const seed = Math.floor(Math.random() * 2 ** 31)
      console.log(`cuts of seed ${seed}`)
      const random = seededRandom(seed)
      const bytes = bytesOf(400_000, seed)
      const server = await answering((request, response) => {
        const cutAfter = random() < 0.2 ? 0 : Math.floor(random() * 60_000)
        sendFile(request, response, { bytes, cutAfter })
      })
      const received: number[] = []
      await expectWhole(bytes, server.url, { onProgress: (one) => received.push(one.received) })
      expect(server.requests.length).toBeGreaterThan(5)
      // Each request resumes where the previous one stopped.
      expect(received).toEqual([...received].sort((a, b) => a - b))
      for (const { headers } of server.requests) {
        if (headers.range === undefined) continue
        expect(received).toContain(Number(/^bytes=(\d+)-$/.exec(headers.range)?.[1]))
        expect(headers['if-range']).toBe(`"${sha256(bytes)}"`)
      }
    })

    it('is tried again only so often without getting any further', async () => {
      const bytes = bytesOf(1000)
      const server = await serving(bytes, { cutAfter: 100, hasRanges: false })
      const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 3 }))
      expect(error).toBeInstanceOf(ConnectionError)
      expect(server.requests).toHaveLength(4)
      expect(existsSync(path)).toBe(false)
    })

    it('is tried again as often as it takes while there is more each time', async () => {
      const bytes = bytesOf(100)
      const server = await serving(bytes, { cutAfter: 10 })
      await expectWhole(bytes, server.url, { retries: 1 })
      expect(server.requests).toHaveLength(10)
    })

    it('before any answer is a ConnectionError with its cause, in the end', async () => {
      const server = await answering((request) => request.socket.destroy())
      const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 2 }))
      expect(error).toBeInstanceOf(ConnectionError)
      expect((error as Error).cause).toBeDefined()
      expect(server.requests).toHaveLength(3)
      expect(besides()).toEqual([])
    })

    it('is also one on which nothing comes', async () => {
      const bytes = bytesOf(5000)
      const server = await answering((request, response, count) => {
        if (count === 0) return
        if (count > 1) return sendFile(request, response, { bytes })
        response.writeHead(200, { etag: `"${sha256(bytes)}"`, 'content-length': bytes.length })
        response.write(bytes.subarray(0, 2000))
      })
      await expectWhole(bytes, server.url, { idleTimeout: 150 })
      expect(ranges(server.requests)).toEqual([undefined, undefined, 'bytes=2000-'])
    })

    it('is not one on which something comes, however slowly', async () => {
      const bytes = bytesOf(12)
      const server = await answering(async (_, response) => {
        response.writeHead(200, { 'content-length': bytes.length })
        for (const byte of bytes) {
          response.write(Uint8Array.of(byte))
          await setTimeout(50)
        }
        response.end()
      })
      await expectWhole(bytes, server.url, { idleTimeout: 400 })
      expect(server.requests).toHaveLength(1)
    })

    it('may be waited for without an end', async () => {
      const bytes = bytesOf(100)
      const server = await answering(async (request, response) => {
        await setTimeout(50)
        sendFile(request, response, { bytes })
      })
      await expectWhole(bytes, server.url, { idleTimeout: Number.POSITIVE_INFINITY })
      expect(server.requests).toHaveLength(1)
    })

    it.each([0, -1, Number.NaN])('is not waited for %d milliseconds', async (idleTimeout) => {
      const server = await serving(bytesOf(100))
      const error = await caught(downloadFile(server.url, path, { idleTimeout }))
      expect(error).toBeInstanceOf(RangeError)
      expect(server.requests).toHaveLength(0)
      expect(readdirSync(folder)).toEqual([])
    })
  })

  it('a server without ranges sends all of it again, until it gets through', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    console.log(`cuts of seed ${seed}`)
    const random = seededRandom(seed)
    const bytes = bytesOf(50_000, seed)
    const server = await answering((request, response, count) => {
      const cutAfter = count < 6 ? Math.floor(random() * 49_000) : undefined
      sendFile(request, response, { bytes, cutAfter, hasRanges: false })
    })
    await expectWhole(bytes, server.url)
    expect(server.requests).toHaveLength(7)
  })

  it('a server that sends less than it was asked for is asked for the rest', async () => {
    const bytes = bytesOf(2500)
    const etag = '"no digest"'
    const server = await answering((request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0])
      if (from === 0) return sendFile(request, response, { bytes, etag, digest: '', cutAfter: 900 })
      const part = bytes.subarray(from, from + 700)
      const range = `bytes ${from}-${from + part.length - 1}/${bytes.length}`
      response.writeHead(206, { etag, 'content-range': range, 'content-length': part.length })
      response.end(part)
    })
    await expectWhole(bytes, server.url)
    expect(ranges(server.requests)).toEqual([undefined, 'bytes=900-', 'bytes=1600-', 'bytes=2300-'])
  })
})
