import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import { bytesOf, QUICK, sendFile, TOKEN } from '../../../server/src/testing/sdk/file-server.ts'
import { type DownloadProgress, downloadFile } from '../download.ts'
import { ApiError, ConnectionError, NotFoundError, UnavailableError } from '../errors.ts'

describe('downloadFile', () => {
  const { folder, path, servers, answering, serving, ranges, expectWhole } = useDownloadFolder()

  describe('a failure', () => {
    const bytes = bytesOf(3000)
    const body = (code: string) =>
      JSON.stringify({ error: { message: `It is ${code}.`, code, request_id: 'r1' } })

    it.each([
      [400, 'invalid_request'],
      [403, 'link_invalid'],
      [404, 'download_not_found'],
      [410, 'link_used'],
      [412, 'precondition_failed'],
    ])('of %i is told at once, and leaves nothing', async (status, code) => {
      const server = await answering((_, response) => {
        response.writeHead(status).end(body(code))
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toBeInstanceOf(ApiError)
      const message = `It is ${code}.`
      expect(error).toMatchObject({ status, code, message, requestId: 'r1' })
      if (status === 404) expect(error).toBeInstanceOf(NotFoundError)
      expect(server.requests).toHaveLength(1)
      expect(readdirSync(folder)).toEqual([])
    })

    it('in the middle leaves what has arrived, for a new link to go on with', async () => {
      const server = await answering((request, response, count) => {
        if (count > 0) return void response.writeHead(410).end(body('link_expired'))
        sendFile(request, response, { bytes, cutAfter: 1000 })
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ status: 410, code: 'link_expired' })
      const next = await serving(bytes)
      await expectWhole(bytes, next.url)
      expect(ranges(next.requests)).toEqual(['bytes=1000-'])
    })

    it.each([429, 500, 502, 503, 504])('of %i may pass, and is tried again', async (status) => {
      const server = await answering((request, response, count) => {
        if (count < 2) response.writeHead(status).end('<html>not now</html>')
        else sendFile(request, response, { bytes })
      })
      await expectWhole(bytes, server.url)
      expect(server.requests).toHaveLength(3)
    })

    it('that does not pass is told in the end, whatever its body', async () => {
      const server = await answering((_, response) => {
        response.writeHead(503).end('x'.repeat(1_000_000))
      })
      const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 2 }))
      expect(error).toBeInstanceOf(UnavailableError)
      expect(server.requests).toHaveLength(3)
    })

    it('whose body has no end is told nevertheless', async () => {
      const server = await answering((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        }
        response.writeHead(403).on('drain', more)
        more()
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ status: 403, code: 'unknown' })
    })

    it('is not tried again sooner than the server says', async () => {
      const times: number[] = []
      const server = await answering((request, response, count) => {
        times.push(performance.now())
        if (count === 0) response.writeHead(503, { 'retry-after': '1' }).end()
        else sendFile(request, response, { bytes })
      })
      await expectWhole(bytes, server.url)
      expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(990)
    })

    it('is told at once if the server says to come back in an hour', async () => {
      const server = await answering((_, response) => {
        response.writeHead(503, { 'retry-after': '3600' }).end()
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ status: 503, retryAfter: 3600 })
      expect(server.requests).toHaveLength(1)
    })

    it.each([204, 206, 304])('is also a %i that was not asked for', async (status) => {
      const server = await answering((_, response) => {
        response.writeHead(status).end()
      })
      const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 0 }))
      expect(error).toBeInstanceOf(ConnectionError)
    })

    it('is also a file that was packed on its way', async () => {
      const server = await answering((_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes)
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ name: 'DownloadError', reason: 'bad_answer' })
      expect(server.requests).toHaveLength(1)
      expect(server.requests[0]?.headers['accept-encoding']).toBe('identity')
    })

    it('of the disk is told as it is', async () => {
      const server = await serving(bytes)
      const nowhere = join(folder, 'no', 'such', 'folder')
      expect(await caught(downloadFile(server.url, nowhere))).toMatchObject({ code: 'ENOENT' })
      expect(server.requests).toHaveLength(0)
    })

    it('of the caller is told as it is, and not tried again', async () => {
      const server = await serving(bytes)
      const own = new Error('my own')
      const onProgress = ({ received }: DownloadProgress) => {
        if (received > 0) throw own
      }
      expect(await caught(downloadFile(server.url, path, { ...QUICK, onProgress }))).toBe(own)
      expect(server.requests).toHaveLength(1)
      await expectWhole(bytes, server.url)
    })
  })

  it('the link is in no error', async () => {
    const refusing = await serving(bytesOf(10))
    servers.pop()?.close()
    const leading = await answering((_, response) => {
      response.writeHead(302, { location: `gopher://${TOKEN}` }).end()
    })
    const failing = await answering((_, response) => void response.writeHead(403).end(TOKEN))
    const urls = [
      refusing.url,
      leading.url,
      failing.url,
      `no-address/${TOKEN}`,
      `ftp://127.0.0.1/${TOKEN}`,
    ]
    for (const url of urls) {
      const error = await caught(downloadFile(url, path, { ...QUICK, retries: 0 }))
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(TOKEN)
    }
  })
})
