import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { caught, useDownloadFolder } from '../../../server/src/testing/sdk/download-folder.ts'
import {
  bytesOf,
  digestOf,
  QUICK,
  sendFile,
  sha256,
} from '../../../server/src/testing/sdk/file-server.ts'
import { type DownloadOptions, type DownloadProgress, downloadFile } from '../download.ts'
import { DownloadError } from '../errors.ts'

/** The program of a separate process that prints its progress. */
const FETCH = `
  import { downloadFile } from '@gatehouse/sdk/download'
  const [url, path] = process.argv.slice(1)
  await downloadFile(url, path, { onProgress: ({ received }) => console.log(received) })
`

/** The separate process imports the built package. */
async function prepareBuild(): Promise<void> {
  const script = new URL('../../../../scripts/prepare.mjs', import.meta.url).href
  const { prepare } = (await import(script)) as { prepare(): void }
  prepare()
}

describe('downloadFile', () => {
  const { folder, path, servers, answering, serving, ranges, besides, leavePart, expectWhole } =
    useDownloadFolder()

  describe('a path that another download has', () => {
    const bytes = bytesOf(10_000)

    /** Starts a server that pauses in the middle of its first response until `goOn` is called. */
    async function pausing(sent: number) {
      let goOn = () => {}
      const told = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const server = await answering(async (request, response, count) => {
        if (count > 0) return sendFile(request, response, { bytes })
        const head = { etag: `"${sha256(bytes)}"`, 'repr-digest': digestOf(bytes) }
        response.writeHead(200, { ...head, 'content-length': bytes.length }).flushHeaders()
        response.write(bytes.subarray(0, sent))
        await told
        response.end(bytes.subarray(sent))
      })
      return { ...server, goOn }
    }

    /** Starts a download and resolves when it has received this many bytes. */
    async function startFetching(url: string, enough: number, options: DownloadOptions = {}) {
      let work: Promise<unknown> | undefined
      await new Promise<void>((resolve, reject) => {
        const onProgress = ({ received }: DownloadProgress) => {
          if (received === enough) resolve()
        }
        work = downloadFile(url, path, { ...QUICK, ...options, onProgress })
        work.catch(reject)
      })
      return { ended: work as Promise<unknown> }
    }

    /** Creates the lock that a killed process leaves behind. */
    function leaveClaim(owner: string): void {
      mkdirSync(`${path}.part.lock`)
      writeFileSync(join(`${path}.part.lock`, owner), '')
    }
    const lockOf = () => readdirSync(`${path}.part.lock`)
    const inProgress = { name: 'DownloadError', reason: 'in_progress' }

    beforeAll(prepareBuild)

    it('is left to it, and its file is whole', async () => {
      const server = await pausing(4000)
      const { ended } = await startFetching(server.url, 4000)
      const other = await serving(bytesOf(500, 2))
      for (const overwrite of [false, true]) {
        const error = await caught(downloadFile(other.url, path, { overwrite }))
        expect(error).toBeInstanceOf(DownloadError)
        expect(error).toMatchObject(inProgress)
      }
      server.goOn()
      expect(await ended).toMatchObject({ verified: true })
      expect(readFileSync(path).equals(bytes)).toBe(true)
      expect(besides()).toEqual([])
      expect(other.requests).toHaveLength(0)
    })

    it.each([
      ['at once', () => {}],
      ['after one that is gone', () => leaveClaim(`${spawnSync('true').pid}--00000000`)],
    ])('goes to one of ten that come %s', async (_, prepare) => {
      prepare()
      const server = await pausing(0)
      const errors: unknown[] = []
      const works = Array.from({ length: 10 }, () => downloadFile(server.url, path))
      await new Promise<void>((resolve) => {
        for (const work of works) work.catch((error) => errors.push(error) === 9 && resolve())
      })
      expect(errors).toEqual(Array(9).fill(expect.objectContaining(inProgress)))
      server.goOn()
      await Promise.any(works)
      expect(readFileSync(path).equals(bytes)).toBe(true)
      expect(besides()).toEqual([])
      expect(server.requests).toHaveLength(1)
    })

    it('in another process is left to it until that is killed, and then gone on with', async () => {
      const server = await pausing(4000)
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', FETCH, server.url, path],
        {
          cwd: fileURLToPath(new URL('../..', import.meta.url)),
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      for await (const line of createInterface(child.stdout)) if (line === '4000') break
      const error = await caught(downloadFile(server.url, path))
      expect(error).toMatchObject(inProgress)
      const gone = once(child, 'close')
      child.kill('SIGKILL')
      await gone
      expect(lockOf()).toHaveLength(1)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, 'bytes=4000-'])
    })

    it('is free again if the number of its process is that of another by now', async () => {
      leaveClaim(`${process.pid}-1-00000000`)
      const server = await serving(bytes)
      await expectWhole(bytes, server.url)
    })

    it('is not free if nobody knows who has it', async () => {
      leaveClaim('somebody')
      const server = await serving(bytes)
      const error = await caught(downloadFile(server.url, path))
      expect(error).toMatchObject(inProgress)
      expect((error as Error).message).toContain(`${path}.part.lock`)
      expect(lockOf()).toEqual(['somebody'])
      expect(besides()).toEqual(['file.bin.part.lock'])
    })

    it('is free again after a failure and after a stop, whatever is left there', async () => {
      const left = ['file.bin.part', 'file.bin.part.json']
      await leavePart(bytes, 4000)
      expect(besides()).toEqual(left)
      const stop = new AbortController()
      const server = await pausing(5000)
      const { ended } = await startFetching(server.url, 5000, { signal: stop.signal })
      stop.abort()
      expect(await caught(ended)).toBe(stop.signal.reason)
      expect(besides()).toEqual(left)
      rmSync(`${path}.part`)
      mkdirSync(`${path}.part`)
      expect(await caught(downloadFile(server.url, path))).toMatchObject({ code: 'EISDIR' })
      expect(besides()).toEqual(left)
    })

    describe('and took away from one that was alive', () => {
      function takeAway(): void {
        rmSync(`${path}.part.lock`, { recursive: true })
        leaveClaim('somebody')
        writeFileSync(`${path}.part.json`, '{}')
      }
      const theirs = ['file.bin.part', 'file.bin.part.json', 'file.bin.part.lock']

      it('is not begun anew', async () => {
        const server = await pausing(0)
        const { ended } = await startFetching(server.url, 0)
        takeAway()
        writeFileSync(`${path}.part`, 'theirs')
        for (const one of servers) one.closeAllConnections()
        expect(await caught(ended)).toMatchObject(inProgress)
        expect(readFileSync(`${path}.part`, 'utf8')).toBe('theirs')
        expect(readdirSync(folder)).toEqual(theirs)
        expect(lockOf()).toEqual(['somebody'])
      })

      it('is not put in place', async () => {
        const server = await pausing(4000)
        const { ended } = await startFetching(server.url, 4000)
        takeAway()
        server.goOn()
        expect(await caught(ended)).toMatchObject(inProgress)
        expect(readdirSync(folder)).toEqual(theirs)
        expect(lockOf()).toEqual(['somebody'])
      })
    })
  })
})
