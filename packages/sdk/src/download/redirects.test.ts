import http from 'node:http'
import https from 'node:https'
import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import {
  bytesOf,
  digestOf,
  QUICK,
  sendFile,
  TOKEN,
} from '../../../server/src/testing/sdk/file-server.ts'
import { downloadFile } from '../download.ts'

describe('downloadFile', () => {
  const { path, answering, serving, ranges, expectWhole } = useDownloadFolder()

  describe('a redirect', () => {
    const bytes = bytesOf(6000)
    const redirecting = (location: string | undefined, status = 302) =>
      answering((_, response) => {
        response.writeHead(status, location === undefined ? {} : { location }).end('elsewhere')
      })

    it.each([301, 302, 303, 307, 308])('of %i is followed to another host', async (status) => {
      const store = await serving(bytes)
      const server = await redirecting(`http://localhost:${store.port}/object?sig=1`, status)
      await expectWhole(bytes, server.url)
      const [{ url, headers } = {}] = store.requests
      expect(url).toBe('/object?sig=1')
      expect(headers).toMatchObject({ host: `localhost:${store.port}` })
      for (const name of ['authorization', 'cookie', 'referer', 'origin']) {
        expect(headers).not.toHaveProperty(name)
      }
      expect(inspect(headers)).not.toContain(TOKEN)
    })

    it('is asked for anew at every try, since where it leads does not last', async () => {
      const store = await answering((request, response) => {
        sendFile(request, response, { bytes, cutAfter: 2500, etag: '"s3"', digest: '' })
      })
      const server = await answering((_, response, count) => {
        const location = `http://127.0.0.1:${store.port}/${count}`
        response.writeHead(302, { location }).end()
      })
      const file = await expectWhole(bytes, server.url)
      expect(file.verified).toBe(false)
      expect(store.requests.map(({ url }) => url)).toEqual(['/0', '/1', '/2'])
      expect(ranges(store.requests)).toEqual([undefined, 'bytes=2500-', 'bytes=5000-'])
      expect(store.requests.at(-1)?.headers['if-range']).toBe('"s3"')
    })

    describe('with a checksum', () => {
      const wrong = digestOf(bytesOf(6000, 2))
      const to = (port: number, digest: string) =>
        answering((_, response) => {
          const location = `http://127.0.0.1:${port}/next`
          response.writeHead(302, { location, 'repr-digest': digest }).end()
        })
      const plainStore = () => serving(bytes, { etag: '"s3"', digest: '' })

      it('vouches for a file that comes without one', async () => {
        const store = await plainStore()
        const server = await to(store.port, digestOf(bytes))
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: true })
      })

      it('finds out a file that is another', async () => {
        const store = await plainStore()
        const server = await to(store.port, wrong)
        const error = await caught(downloadFile(server.url, path, QUICK))
        expect(error).toMatchObject({ reason: 'damaged' })
      })

      it('vouches for one that comes in pieces', async () => {
        const store = await answering((request, response) => {
          sendFile(request, response, { bytes, cutAfter: 2500, etag: '"s3"', digest: '' })
        })
        const server = await to(store.port, digestOf(bytes))
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: true })
        expect(store.requests).toHaveLength(3)
      })

      it('stands back behind that of the file', async () => {
        const store = await serving(bytes)
        const server = await to(store.port, wrong)
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: true })
      })

      it('counts on the way within the host of the link', async () => {
        const store = await plainStore()
        const server = await answering((request, response) => {
          const isFirst = request.url?.endsWith(TOKEN)
          const location = isFirst ? '/next' : `http://127.0.0.1:${store.port}/object`
          const digest = isFirst ? {} : { 'repr-digest': digestOf(bytes) }
          response.writeHead(302, { location, ...digest }).end()
        })
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: true })
      })

      it('does not count from any other host, nor from one that another led back to', async () => {
        const store = await plainStore()
        const ports: number[] = []
        const server = await answering((_, response, count) => {
          const location = `http://127.0.0.1:${count === 0 ? ports[0] : store.port}/object`
          response.writeHead(302, { location, ...(count > 0 && { 'repr-digest': wrong }) }).end()
        })
        const between = await to(server.port, wrong)
        ports.push(between.port)
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: false })
        expect([server, between].map(({ requests }) => requests.length)).toEqual([2, 1])
      })
    })

    it('may be relative to where it is', async () => {
      const server = await answering((request, response) => {
        if (request.url === '/d/file') sendFile(request, response, { bytes })
        else response.writeHead(302, { location: 'file' }).end()
      })
      await expectWhole(bytes, server.url)
    })

    it.each([
      ['file:///etc/passwd'],
      ['ftp://127.0.0.1/x'],
      ['data:text/plain,x'],
      ['http://['],
      [''],
      [undefined],
    ])('to %s is not followed', async (location) => {
      const server = await redirecting(location)
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ name: 'DownloadError', reason: 'bad_answer' })
      expect(server.requests).toHaveLength(1)
    })

    it('that has no end is given up', async () => {
      const server = await redirecting('?again')
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ reason: 'bad_answer' })
      expect(server.requests).toHaveLength(6)
    })

    it('does not lead out of an encrypted connection', async () => {
      const plain = await serving(bytes)
      const server = await redirecting(plain.url)
      // The client believes that this connection is encrypted.
      const encrypted = vi
        .spyOn(https, 'request')
        .mockImplementation(((_: URL, ...more: [never]) =>
          http.request(server.url, ...more)) as typeof https.request)
      const url = server.url.replace('http:', 'https:')
      const error = await caught(downloadFile(url, path, QUICK))
      encrypted.mockRestore()
      expect(error).toMatchObject({ reason: 'bad_answer' })
      expect([server, plain].map(({ requests }) => requests.length)).toEqual([1, 0])
    })
  })
})
