import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { fetchToNowhere } from './fetchers.ts'
import type { LargeFileServer } from './large-file-server.ts'
import { hangUpAfter, startSlowReader } from './readers.ts'
import { leaksSince, type ProcessWatch, watchProcess } from './watch.ts'

const KIB = 1024
const SLOW = 100 * KIB

/** How a crowd of readers affected a server. Memory is in megabytes, times are in milliseconds. */
export interface CrowdReport {
  memoryBefore: number
  memoryPeak: number
  memoryAfter: number
  descriptors: string
  [figure: string]: number | string
}

/** Runs slow readers, a fast one and access checks concurrently, for this many seconds. */
export async function loadSlowReaders(
  server: LargeFileServer,
  { readers, seconds }: { readers: number; seconds: number },
): Promise<CrowdReport> {
  return await withLoad(server, async () => {
    const url = await server.newLink()
    const slow = await Promise.all(
      Array.from({ length: readers }, () => startSlowReader(url, SLOW)),
    )
    const until = performance.now() + seconds * 1000
    const [speeds, waits] = await Promise.all([
      repeat(until, () => fetchToNowhere(url)),
      repeat(until, () => timeCheck(server)),
    ])
    const taken = slow.map(({ bytes }) => bytes)
    expect(slow.filter(({ isOver }) => isOver)).toEqual([])
    // Each of them was served all the time: none got less than half of what it could take.
    expect(Math.min(...taken)).toBeGreaterThan((SLOW * seconds) / 2)
    for (const reader of slow) reader.close()
    return {
      slowReaders: `${readers} at ${round(Math.min(...taken) / seconds / KIB)}–${round(Math.max(...taken) / seconds / KIB)} KiB/s`,
      fastReader: `${round(Math.max(...speeds) / 1e6)} MB/s`,
      checks: waits.length,
      checkMedian: round(quantile(waits, 0.5)),
      checkP99: round(quantile(waits, 0.99)),
    }
  })
}

/** Runs readers that disconnect at any byte, with a normal close or a reset, `atOnce` concurrently. */
export async function loadAbortingReaders(
  server: LargeFileServer,
  { readers, atOnce, random }: { readers: number; atOnce: number; random: () => number },
): Promise<CrowdReport> {
  return await withLoad(server, async () => {
    const url = await server.newLink()
    let left = readers
    let bytes = 0
    async function comeAndGo(): Promise<void> {
      while (left-- > 0) {
        const from = Math.floor(random() * server.size)
        const headers = random() < 0.5 ? [] : [`Range: bytes=${from}-`]
        const most = random() < 0.1 ? 0 : Math.floor(2 ** (random() * 26))
        const taken = await hangUpAfter(url, most, { headers, reset: random() < 0.5 })
        bytes += taken
      }
    }
    await Promise.all(Array.from({ length: atOnce }, comeAndGo))
    return { readers, megabytes: round(bytes / 1e6) }
  })
}

/** Requires that the server has no more open than before, and still works. */
async function withLoad(
  server: LargeFileServer,
  work: () => Promise<Record<string, number | string>>,
): Promise<CrowdReport> {
  const watch = watchProcess(server.server.pid)
  const before = await settle(server, watch)
  const memoryBefore = round(watch.memory())
  watch.peak()
  const figures = await work()
  const memoryPeak = round(watch.peak())
  // Longer than idle connections are kept open: those of our own client are no leak.
  await vi.waitFor(() => expect(leaksSince(before, watch.open())).toEqual([]), {
    timeout: 90_000,
    interval: 100,
  })
  const descriptors = `${total(before)} before, ${total(watch.open())} after`
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  return {
    ...figures,
    memoryBefore,
    memoryPeak,
    memoryAfter: round(watch.memory()),
    descriptors,
  }
}

/** Uses everything once, waits until the number of open files is stable for 5 seconds, and returns what is open. */
async function settle(
  server: LargeFileServer,
  watch: ProcessWatch,
): Promise<ReadonlyMap<string, number>> {
  await timeCheck(server)
  await hangUpAfter(await server.newLink(), 1, { headers: [], reset: false })
  let found = watch.open()
  for (let same = 0; same < 50; ) {
    await sleep(100)
    const now = watch.open()
    same = total(now) === total(found) ? same + 1 : 0
    found = now
  }
  return found
}

const total = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

async function timeCheck({ client, app }: LargeFileServer): Promise<number> {
  const began = performance.now()
  await client.hasAccess({ rid: app.rid, user_ref: 'nobody' })
  return performance.now() - began
}

async function repeat(until: number, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = []
  while (performance.now() < until) results.push(await work())
  return results
}

const round = (value: number) => Math.round(value * 10) / 10

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
}
