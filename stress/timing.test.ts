import { describe, expect, it } from 'vitest'
import { checkSignature } from '../packages/server/src/signing/check.ts'
import { databases } from '../packages/server/src/testing/databases.ts'
import { hmac, RawConnection, requestBytes } from '../packages/server/src/testing/http/raw-http.ts'
import { startTestService } from '../packages/server/src/testing/service.ts'
import { MAX_T, mean, trimmed, welch } from './timing/welch.ts'

const SAMPLES = 20_000

/** On a quiet machine, t also shows what takes 50 ns longer of 11,500, such as looking for a key that is not in a map. Which
 * applications there are is no secret, so a difference this small between a known and an unknown one is none. Between two
 * wrong signatures, any difference is one. */
const UNKNOWN = 'unknown application'
const SMALL_SHARE = 0.01

/** A skipped signature check makes a large difference: over HTTP, fewer samples are enough to show it. */
const HTTP_SAMPLES = 1_000

const AID = 'Timing0001'
const KEY = 'k'.repeat(40)
const TARGET = '/r2/access?rid=news&user_ref=ann'
const RIGHT = hmac(KEY, `GET ${TARGET}`)

const other = (character = '') => (character === 'A' ? 'B' : 'A')
const CLASSES = {
  [UNKNOWN]: `Unknown001:${RIGHT}`,
  'wrong first character': `${AID}:${other(RIGHT[0])}${RIGHT.slice(1)}`,
  'wrong last character': `${AID}:${RIGHT.slice(0, 42)}${other(RIGHT[42])}`,
}

const keys = new Map([[AID, [KEY]]])
const none: readonly string[] = []
const keysOf = (aid: string) => keys.get(aid) ?? none

function timeOne(authorization: string): number {
  const request = { method: 'GET', target: TARGET, authorization: [authorization], body: '' }
  const start = process.hrtime.bigint()
  const { ok } = checkSignature(keysOf, request)
  const nanoseconds = Number(process.hrtime.bigint() - start)
  if (ok) throw new Error('accepted')
  return nanoseconds
}

type Classes = Readonly<Record<string, string>>
type Samples = Map<string, number[]>

/** Interleaves the classes, in a new random order for every round, so that other load on the machine affects all of
 * them alike. */
function* interleaved(classes: Classes, rounds: number): Generator<[name: string, value: string]> {
  const entries = Object.entries(classes)
  for (let round = 0; round < rounds; round++) yield* entries.sort(() => Math.random() - 0.5)
}

const emptySamples = (classes: Classes): Samples =>
  new Map(Object.keys(classes).map((name) => [name, []]))

/** Measures without pauses, in which other work would push one class's key out of the processor's cache. */
function measureCalls(): Samples {
  const samples = emptySamples(CLASSES)
  for (const [name, authorization] of interleaved(CLASSES, SAMPLES)) {
    samples.get(name)?.push(timeOne(authorization))
  }
  return samples
}

async function measureRequests(
  classes: Classes,
  time: (bytes: string) => Promise<number>,
): Promise<Samples> {
  const samples = emptySamples(classes)
  for (const [name, bytes] of interleaved(classes, HTTP_SAMPLES)) {
    samples.get(name)?.push(await time(bytes))
  }
  return samples
}

/** Welch's t, and by what share of its time one class takes longer. */
interface Difference {
  t: number
  share: number
}

/** Compares each pair of classes. */
function compare(samples: Samples): Map<string, Difference> {
  const names = [...samples.keys()]
  const results = new Map<string, Difference>()
  for (const [i, one] of names.entries()) {
    for (const two of names.slice(i + 1)) {
      const [a, b] = trimmed(samples.get(one) ?? [], samples.get(two) ?? [])
      results.set(`${one} / ${two}`, { t: welch(a, b), share: mean(a) / mean(b) - 1 })
    }
  }
  return results
}

/** Fails if a difference shows in every run: a real one does, noise does not. */
async function requireAlike(measureOnce: () => Samples | Promise<Samples>): Promise<void> {
  await measureOnce()
  const runs = []
  for (let run = 0; run < 3; run++) runs.push(compare(await measureOnce()))
  for (const pair of runs[0]?.keys() ?? []) {
    const found = runs.map((run) => run.get(pair) ?? { t: Number.NaN, share: Number.NaN })
    const shown = found.map(({ t, share }) => `${t.toFixed(2)} (${(share * 100).toFixed(2)} %)`)
    console.log(`${pair}: t = ${shown.join(', ')}`)
    const least = pair.includes(UNKNOWN) ? SMALL_SHARE : 0
    const differs = ({ t, share }: Difference) => Math.abs(t) >= MAX_T && Math.abs(share) >= least
    expect(found.every(differs), pair).toBe(false)
  }
}

it('a refusal takes as long whatever is wrong', async () => {
  await requireAlike(measureCalls)
})

describe.each(databases)('over HTTP on $name, with and without the fast path', (database) => {
  it.each([
    ['on', 0, 'production'],
    ['on', 100_000, 'production'],
    ['on', 0, 'sandbox'],
    ['off', 0, 'production'],
    ['off', 100_000, 'production'],
  ] as const)(
    'GET /r2/access is refused in the same time (fast path %s, %i bytes of padding, in %s)',
    async (fastPath, padding, environment) => {
      const env = { GATEHOUSE_FAST_PATH: fastPath, GATEHOUSE_LIMIT_PER_ADDRESS: '1000000000' }
      const service = await startTestService(database, { env, useRealTime: true })
      const { aid, privateKey, baseUrl } = await service.newApplication(environment)
      const prefix = baseUrl.slice(service.url.length)
      const target = `${TARGET}&padding=${'x'.repeat(padding)}`
      const right = hmac(privateKey, `GET ${target}`)
      const bytesOf = (authorization: string) =>
        requestBytes({ target: prefix + target, headers: [`Authorization: ${authorization}`] })
      const classes = {
        [UNKNOWN]: bytesOf(`Unknown001:${right}`),
        'wrong first character': bytesOf(`${aid}:${other(right[0])}${right.slice(1)}`),
        'wrong last character': bytesOf(`${aid}:${right.slice(0, 42)}${other(right[42])}`),
      }
      const connection = await RawConnection.open(service.url)
      const time = async (bytes: string) => {
        const start = process.hrtime.bigint()
        await connection.write(bytes)
        const response = await connection.answer()
        if (response?.status !== 401) throw new Error(`answered ${response?.status}`)
        return Number(process.hrtime.bigint() - start)
      }
      await requireAlike(() => measureRequests(classes, time))
      connection.close()
      await service.stop()
    },
  )
})
