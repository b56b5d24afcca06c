import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Options } from '../../domain/downloads/storage/s3/client.ts'
import { listenLocally } from '../http/local-listener.ts'
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

function settingsFor(url: string, delivery: 'proxy' | 'redirect') {
  const keys = { accessKeyId: 'AKIDTESTTESTTEST', secretAccessKey: 'test/secret+of/nobody' }
  const options: S3Options = {
    bucket: BUCKET,
    region: 'us-east-1',
    endpoint: url,
    pathStyle: true,
    keys,
    folder: 'gatehouse',
    delivery,
  }
  const env = {
    GATEHOUSE_S3_BUCKET: BUCKET,
    GATEHOUSE_S3_ENDPOINT: url,
    GATEHOUSE_S3_ACCESS_KEY_ID: keys.accessKeyId,
    GATEHOUSE_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    GATEHOUSE_S3_DELIVERY: delivery,
  }
  return { url, bucket: BUCKET, keys, options, env }
}

export async function startS3(delivery: 'proxy' | 'redirect' = 'proxy'): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-s3-'))
  const objects = createObjects(folder)
  let busy = 0
  const server = createServer((request, response) => {
    busy++
    response.once('close', () => busy--)
    // A client that disconnects is not a failure of the server.
    answerS3(s3, objects, request, response).catch(() => response.destroy())
  })
  const { port, sockets, refuse, accept } = await listenLocally(server)
  const s3: TestS3 = {
    ...settingsFor(`http://127.0.0.1:${port}`, delivery),
    requests: [],
    fault: () => undefined,
    now: Date.now,
    headers: {},
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
    refuse,
    accept,
    async stop() {
      if (server.listening) await refuse()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return s3
}
