import { expect, it } from 'vitest'
import { checkSignature } from '../packages/server/src/signing/check.ts'
import { hmac } from '../packages/server/src/testing/raw-http.ts'

const SAMPLES = 20_000
const LIMIT = 4.5

const AID = 'Timing0001'
const KEY = 'k'.repeat(40)
const TARGET = '/r2/access?rid=news&user_ref=ann'
const RIGHT = hmac(KEY, `GET ${TARGET}`)

const other = (character = '') => (character === 'A' ? 'B' : 'A')
const CLASSES = {
  'unknown application': `Unknown001:${RIGHT}`,
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

/** Interleaved, in an order that is drawn anew for every round: whatever else the machine does hits
 * all classes alike. */
function measure(): Map<string, number[]> {
  const samples = new Map(Object.keys(CLASSES).map((name) => [name, [] as number[]]))
  const entries = Object.entries(CLASSES)
  for (let round = 0; round < SAMPLES; round++) {
    for (const [name, authorization] of entries.sort(() => Math.random() - 0.5)) {
      samples.get(name)?.push(timeOne(authorization))
    }
  }
  return samples
}

/** Cut at one bound for both: the slowest tenth is garbage collection and other programs. */
function trimmed(a: number[], b: number[]): [number[], number[]] {
  const all = [...a, ...b].sort((x, y) => x - y)
  const bound = all[Math.floor(all.length * 0.9)] as number
  return [a.filter((x) => x <= bound), b.filter((x) => x <= bound)]
}

const mean = (xs: number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length
const variance = (xs: number[], m = mean(xs)) =>
  xs.reduce((sum, x) => sum + (x - m) ** 2, 0) / (xs.length - 1)

function welch(a: number[], b: number[]): number {
  return (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length)
}

/** Welch's t of each pair of classes. */
function compare(samples: Map<string, number[]>): Map<string, number> {
  const names = [...samples.keys()]
  const results = new Map<string, number>()
  for (const [i, one] of names.entries()) {
    for (const two of names.slice(i + 1)) {
      const [a, b] = trimmed(samples.get(one) ?? [], samples.get(two) ?? [])
      results.set(`${one} / ${two}`, welch(a, b))
    }
  }
  return results
}

it('a refusal takes as long whatever is wrong', () => {
  measure()
  // A real difference shows in every run, noise of the machine does not.
  const runs = [1, 2, 3].map(() => compare(measure()))
  for (const pair of runs[0]?.keys() ?? []) {
    const values = runs.map((run) => run.get(pair) ?? Number.NaN)
    console.log(`${pair}: t = ${values.map((t) => t.toFixed(2)).join(', ')}`)
    expect(Math.min(...values.map(Math.abs)), pair).toBeLessThan(LIMIT)
  }
})
