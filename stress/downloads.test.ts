import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { seededRandom } from '../packages/server/src/testing/random.ts'
import { startS3, type TestS3 } from '../packages/server/src/testing/s3/s3.ts'
import { leavingCrowd, slowCrowd } from './downloads/crowd.ts'
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
import { type LargeHouse, openLargeHouse, sha256Of } from './downloads/house.ts'
import { killDuringTransfers } from './downloads/kills.ts'

const MIB = 1024 * 1024
const size = Number(process.env.DOWNLOADS_SIZE ?? 2048) * MIB
const rounds = Number(process.env.DOWNLOADS_ROUNDS ?? 20)
/** In megabytes. */
const MAX_MEMORY = 150
/** In megabytes; more than without S3, since Amazon's client is loaded and buffers parts of the file. */
const MAX_MEMORY_WITH_S3 = 250
const seed = Number(process.env.DOWNLOADS_SEED ?? Math.floor(Math.random() * 2 ** 31))

const MAX_HEAD = 4096

/** Cuts after up to 256 MiB, or after a few bytes: in the middle of the headers, of a number, or of the file. */
function randomCut({ trustsHalfHeads }: Fetcher, random: () => number): Cut {
  const isEarly = random() < 0.3
  const after = Math.floor(isEarly ? 2 ** (random() * 16) : random() * 256 * MIB)
  const politely = random() < 0.5 && !(trustsHalfHeads && after < MAX_HEAD)
  return { after, politely }
}

async function fetchWhole(house: LargeHouse, fetcher: Fetcher, url: string): Promise<void> {
  const path = join(house.folder, 'fetched')
  const began = performance.now()
  await fetchAgain(fetcher, url, path)
  const seconds = (performance.now() - began) / 1000
  expect(await sha256Of(path)).toBe(house.sha256)
  console.info(`${fetcher.name}: ${seconds.toFixed(1)} s`)
}

async function fetchThroughCuts(house: LargeHouse, fetcher: Fetcher): Promise<void> {
  const random = seededRandom(seed)
  const proxy = await startCuttingProxy(house.url, () => randomCut(fetcher, random))
  try {
    await fetchWhole(house, fetcher, proxy.through(await house.newLink()))
    console.info(`${fetcher.name}: ${proxy.cuts} cuts`)
    expect(proxy.cuts).toBeGreaterThan(0)
  } finally {
    await proxy.stop()
  }
}

describe('a large file on disk', () => {
  let house: LargeHouse

  beforeAll(async () => {
    console.info(`DOWNLOADS_SIZE=${size / MIB} DOWNLOADS_SEED=${seed}`)
    await requireTools()
    house = await openLargeHouse({ seed, size })
  }, 600_000)
  afterAll(() => house?.stop())

  it.each(fetchers)('is fetched whole by $name', async (fetcher) => {
    await fetchWhole(house, fetcher, await house.newLink())
  })

  it.each(fetchers)(
    'is fetched whole by $name, wherever the connection is cut',
    async (fetcher) => {
      await fetchThroughCuts(house, fetcher)
    },
  )

  it('is fetched whole from a server that is killed again and again', async () => {
    const random = seededRandom(seed)
    const fetching = fetchWhole(house, slowCurl, await house.newLink())
    let isOver = false
    let kills = 0
    fetching.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await sleep(200 + random() * 2_000)
      await house.killAndRestart()
      kills++
    }
    await fetching
    console.info(`${kills} kills`)
    expect(kills).toBeGreaterThan(2)
  })

  it('is fetched by 50 slow readers and a fast one within 150 MB, and holds nobody up', async () => {
    const report = await slowCrowd(house, { readers: 50, seconds: 40 })
    console.info(report)
    expect(report.memoryPeak).toBeLessThan(MAX_MEMORY)
  })

  it('leaves nothing open behind 500 readers who hang up at any byte', async () => {
    const random = seededRandom(seed)
    console.info(await leavingCrowd(house, { readers: 500, atOnce: 50, random }))
  })
})

describe('a large file in S3, handed on by us,', () => {
  let s3: TestS3
  let house: LargeHouse

  beforeAll(async () => {
    await requireTools()
    s3 = await startS3('proxy')
    house = await openLargeHouse({ seed, size, env: s3.env })
  }, 600_000)
  afterAll(async () => {
    await house?.stop()
    await s3?.stop()
  })

  it.each([curl, sdk])('is fetched whole by $name, wherever the connection is cut', async (one) => {
    await fetchThroughCuts(house, one)
    await vi.waitFor(() => expect(s3.busy).toBe(0), { timeout: 10_000 })
  })

  it('is fetched by 50 slow readers and a fast one, and holds nobody up', async () => {
    const report = await slowCrowd(house, { readers: 50, seconds: 40 })
    console.info('S3', report)
    expect(report.memoryPeak).toBeLessThan(MAX_MEMORY_WITH_S3)
  })

  it('leaves nothing open behind 500 readers who hang up at any byte', async () => {
    const random = seededRandom(seed)
    console.info('S3', await leavingCrowd(house, { readers: 500, atOnce: 50, random }))
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
