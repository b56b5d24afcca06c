import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Options } from '../../domain/downloads/s3/client.ts'
import { createObjects } from './objects.ts'
import { answerS3, type S3Rules } from './serve.ts'

/** A server that speaks as much of S3 as we use, checks every signature, and fails on demand. */
export interface TestS3 extends S3Rules {
  url: string
  /** Options for creating a store directly. */
  options: S3Options
  /** Settings for a service. */
  env: Record<string, string>
  /** The number of open connections. */
  readonly open: number
  /** The number of responses that are not finished. */
  readonly busy: number
  /** Bytes sent over the connections that are open now. */
  readonly sending: number
  objects(): Promise<string[]>
  /** The keys of unfinished multipart uploads. */
  uploads(): string[]
  removeObject(key: string): Promise<void>
  /** Closes all connections and accepts no new ones until `accept`. */
  refuse(): Promise<void>
  accept(): Promise<void>
  stop(): Promise<void>
}

const BUCKET = 'gatehouse-test'

export async function startS3(delivery: 'proxy' | 'redirect' = 'proxy'): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-s3-'))
  const objects = createObjects(folder)
  const sockets = new Set<Socket>()
  let busy = 0
  const server = createServer((request, response) => {
    busy++
    response.once('close', () => busy--)
    // A client that disconnects is not a failure of the server.
    answerS3(s3, objects, request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const keys = { accessKeyId: 'AKIDTESTTESTTEST', secretAccessKey: 'test/secret+of/nobody' }
  const s3: TestS3 = {
    url,
    bucket: BUCKET,
    keys,
    options: {
      bucket: BUCKET,
      region: 'us-east-1',
      endpoint: url,
      keys,
      folder: 'gatehouse',
      delivery,
    },
    env: {
      GATEHOUSE_S3_BUCKET: BUCKET,
      GATEHOUSE_S3_ENDPOINT: url,
      GATEHOUSE_S3_ACCESS_KEY_ID: keys.accessKeyId,
      GATEHOUSE_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      GATEHOUSE_S3_DELIVERY: delivery,
    },
    requests: [],
    fault: () => undefined,
    now: Date.now,
    get open() {
      return sockets.size
    },
    get busy() {
      return busy
    },
    get sending() {
      return [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
    },
    objects: objects.keys,
    uploads: () => [...objects.uploads.values()].map(({ key }) => key),
    removeObject: objects.remove,
    refuse: close,
    accept: () => listen(port),
    async stop() {
      if (server.listening) await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return s3
}
