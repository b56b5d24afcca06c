import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { seededRandom } from '../packages/server/src/testing/random.ts'
import { startS3, type TestS3 } from '../packages/server/src/testing/s3/s3.ts'
import { loadAbortingReaders, loadSlowReaders } from './downloads/crowd.ts'
import { type Cut, startCuttingProxy } from './downloads/cutting-proxy.ts'
import {
  curl,
  type Fetcher,
  fetchAgain,
  fetchers,
  requireTools,
  sdk,
  slowCurl,
} from './downloads/fetchers.ts'
import { killDuringTransfers } from './downloads/kills.ts'
import {
  type LargeFileServer,
  sha256Of,
  startLargeFileServer,
} from './downloads/large-file-server.ts'
import { seedSetting, setting } from './settings.ts'

const MIB = 1024 * 1024
const size = setting('DOWNLOADS_SIZE', 2048) * MIB
const rounds = setting('DOWNLOADS_ROUNDS', 20)
/** In megabytes. */
const MAX_MEMORY = 150
/** In megabytes; more than without S3, since Amazon's client is loaded and buffers parts of the file. */
const MAX_MEMORY_WITH_S3 = 250
const seed = seedSetting('DOWNLOADS_SEED')

const MAX_HEAD = 4096

/** Cuts after up to 256 MiB, or after a few bytes: in the middle of the headers, of a number, or of the file. */
function randomCut({ trustsHalfHeads }: Fetcher, random: () => number): Cut {
  const isEarly = random() < 0.3
  const after = Math.floor(isEarly ? 2 ** (random() * 16) : random() * 256 * MIB)
  const politely = random() < 0.5 && !(trustsHalfHeads && after < MAX_HEAD)
  return { after, politely }
}

async function fetchWhole(server: LargeFileServer, fetcher: Fetcher, url: string): Promise<void> {
  const path = join(server.folder, 'fetched')
  const began = performance.now()
  await fetchAgain(fetcher, url, path)
  const seconds = (performance.now() - began) / 1000
  expect(await sha256Of(path)).toBe(server.sha256)
  console.info(`${fetcher.name}: ${seconds.toFixed(1)} s`)
}

async function fetchThroughCuts(server: LargeFileServer, fetcher: Fetcher): Promise<void> {
  const random = seededRandom(seed)
  const proxy = await startCuttingProxy(server.url, () => randomCut(fetcher, random))
  try {
    await fetchWhole(server, fetcher, proxy.through(await server.newLink()))
    console.info(`${fetcher.name}: ${proxy.cuts} cuts`)
    expect(proxy.cuts).toBeGreaterThan(0)
  } finally {
    await proxy.stop()
  }
}

describe('a large file on disk', () => {
  let server: LargeFileServer

  beforeAll(async () => {
    console.info(`DOWNLOADS_SIZE=${size / MIB} DOWNLOADS_SEED=${seed}`)
    await requireTools()
    server = await startLargeFileServer({ seed, size })
  }, 600_000)
  afterAll(() => server?.stop())

  it.each(fetchers)('is fetched whole by $name', async (fetcher) => {
    await fetchWhole(server, fetcher, await server.newLink())
  })

  it.each(fetchers)(
    'is fetched whole by $name, wherever the connection is cut',
    async (fetcher) => {
      await fetchThroughCuts(server, fetcher)
    },
  )

  it('is fetched whole from a server that is killed again and again', async () => {
    const random = seededRandom(seed)
    const fetching = fetchWhole(server, slowCurl, await server.newLink())
    let isOver = false
    let kills = 0
    const end = () => {
      isOver = true
    }
    fetching.then(end, end)
    while (!isOver) {
      await sleep(200 + random() * 2_000)
      await server.killAndRestart()
      kills++
    }
    await fetching
    console.info(`${kills} kills`)
    expect(kills).toBeGreaterThan(2)
  })

  it('is fetched by 50 slow readers and a fast one within 150 MB, and holds nobody up', async () => {
    const report = await loadSlowReaders(server, { readers: 50, seconds: 40 })
    console.info(report)
    expect(report.memoryPeak).toBeLessThan(MAX_MEMORY)
  })

  it('leaves nothing open behind 500 readers who hang up at any byte', async () => {
    const random = seededRandom(seed)
    console.info(await loadAbortingReaders(server, { readers: 500, atOnce: 50, random }))
  })
})

describe('a large file in S3, handed on by us,', () => {
  let s3: TestS3
  let server: LargeFileServer

  beforeAll(async () => {
    await requireTools()
    s3 = await startS3('proxy')
    server = await startLargeFileServer({ seed, size, env: s3.env })
  }, 600_000)
  afterAll(async () => {
    await server?.stop()
    await s3?.stop()
  })

  it.each([curl, sdk])('is fetched whole by $name, wherever the connection is cut', async (one) => {
    await fetchThroughCuts(server, one)
    await vi.waitFor(() => expect(s3.busy).toBe(0), { timeout: 10_000 })
  })

  it('is fetched by 50 slow readers and a fast one, and holds nobody up', async () => {
    const report = await loadSlowReaders(server, { readers: 50, seconds: 40 })
    console.info('S3', report)
    expect(report.memoryPeak).toBeLessThan(MAX_MEMORY_WITH_S3)
  })

  it('leaves nothing open behind 500 readers who hang up at any byte', async () => {
    const random = seededRandom(seed)
    console.info('S3', await loadAbortingReaders(server, { readers: 500, atOnce: 50, random }))
    await vi.waitFor(() => expect(s3.busy).toBe(0), { timeout: 10_000 })
  })
})

describe.each(databases)(
  'a server that is killed while files come and go, on $name,',
  (database) => {
    it(`has no record without its whole file after ${rounds} kills`, async () => {
      console.info(`DOWNLOADS_ROUNDS=${rounds} DOWNLOADS_SEED=${seed}`)
      const report = await killDuringTransfers(database, { rounds, seed })
      console.info(database.name, report)
      expect(report.uploadsKilled).toBeGreaterThan(0)
      expect(report.whole).toBeGreaterThan(0)
      expect(report.broken).toBeGreaterThan(0)
    })
  },
)
