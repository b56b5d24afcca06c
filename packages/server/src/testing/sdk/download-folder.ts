import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { type DownloadOptions, downloadFile } from '../../../../sdk/src/download.ts'
import { ConnectionError } from '../../../../sdk/src/errors.ts'
import { QUICK, type Reply, sendFile, TOKEN } from './file-server.ts'

type Listener = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** Returns the error of a promise that rejects. */
export const caught = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error)

/** A folder that is empty before each test, a path in it for a download, and servers that end with the test. */
export function useDownloadFolder() {
  const folder = join(tmpdir(), `gatehouse-sdk-${randomUUID()}`)
  const path = join(folder, 'file.bin')
  const servers: Server[] = []

  beforeEach(() => {
    mkdirSync(folder)
  })
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts a server; the listener gets the number of each request, counted from 0. */
  async function answering(listener: Listener) {
    const requests: IncomingMessage[] = []
    const server = createServer((request, response) => {
      requests.push(request)
      listener(request, response, requests.length - 1)
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/d/${TOKEN}`, port, requests }
  }
  const serving = (bytes: Buffer, more: Partial<Reply> = {}) =>
    answering((request, response) => sendFile(request, response, { bytes, ...more }))

  const ranges = (requests: readonly IncomingMessage[]) =>
    requests.map(({ headers }) => headers.range)

  /** Lists everything in the folder except the file itself. */
  const besides = () => readdirSync(folder).filter((name) => name !== 'file.bin')

  /** Leaves this many bytes of a file behind, like an interrupted process. */
  async function leavePart(bytes: Buffer, length: number): Promise<void> {
    const server = await serving(bytes, { cutAfter: length })
    const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 0 }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(readFileSync(`${path}.part`)).toEqual(bytes.subarray(0, length))
  }

  async function expectWhole(bytes: Buffer, url: string, options: DownloadOptions = {}) {
    const file = await downloadFile(url, path, { ...QUICK, ...options })
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(besides()).toEqual([])
    return file
  }
  return { folder, path, servers, answering, serving, ranges, besides, leavePart, expectWhole }
}
