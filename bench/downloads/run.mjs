// Measures how fast one large file is delivered on loopback: Gatehouse and nginx with sendfile, in one run, one after
// the other in each round. `npm run bench:downloads -- --size 2048 --rounds 5` (size in MiB)
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stop } from '../../scripts/loopback.mjs'
import { requireTools } from '../../scripts/tools.mjs'
import { processorSeconds } from '../services.mjs'
import { ratios, shownSpread, spread, table } from '../statistics.mjs'
import { makeHouse, startContestants } from './contestants.mjs'

const TARGET = 0.5
const CONNECTIONS = [1, 4]

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2048' },
    rounds: { type: 'string', default: '5' },
  },
})
const size = Number(values.size) * 1024 * 1024
const rounds = Number(values.rounds)
if (!(size > 0) || !(rounds >= 3)) throw new Error('--size in MiB, --rounds 3 or more')

/** Fetches the whole file; returns when curl began and when it was done, in seconds. */
async function fetchOnce(url) {
  const args = ['-sS', '--fail', '-o', '/dev/null', '-w', '%{size_download} %{time_total}', url]
  const child = spawn('curl', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const [code] = await once(child, 'close')
  const [bytes, seconds] = output.split(' ').map(Number)
  if (code !== 0 || bytes !== size) throw new Error(`curl ended with ${code} after ${bytes} bytes`)
  const ended = performance.now() / 1000
  return { began: ended - seconds, ended }
}

/** Fetches the whole file on each of several connections concurrently. */
async function measure({ url, children }, connections) {
  const used = () => children.reduce((sum, { pid }) => sum + processorSeconds(pid), 0)
  const before = used()
  const fetched = await Promise.all(Array.from({ length: connections }, () => fetchOnce(url)))
  const seconds =
    Math.max(...fetched.map(({ ended }) => ended)) - Math.min(...fetched.map(({ began }) => began))
  const gigabytes = (size * connections) / 1e9
  return { speed: gigabytes / seconds, processor: (used() - before) / gigabytes }
}

async function measureAll(contestants) {
  const results = contestants.flatMap(({ name }) =>
    CONNECTIONS.map((connections) => ({ name, connections, samples: [] })),
  )
  // The first round fills caches and warms up the JIT compilers.
  for (let round = 0; round <= rounds; round++) {
    for (const connections of CONNECTIONS) {
      for (const contestant of contestants) {
        const sample = await measure(contestant, connections)
        const of = (one) => one.name === contestant.name && one.connections === connections
        if (round > 0) results.find(of).samples.push(sample)
      }
    }
  }
  return results
}

const speeds = ({ samples }) => samples.map(({ speed }) => speed)

/** The ratio to nginx in the same round. */
function ratioOf(one, results) {
  const nginx = results.find(({ connections }) => connections === one.connections)
  return ratios(speeds(one), speeds(nginx))
}

function show(results) {
  const lines = results.map((one) => [
    one.name,
    String(one.connections),
    shownSpread(spread(speeds(one))),
    shownSpread(ratioOf(one, results)),
    shownSpread(spread(one.samples.map(({ processor }) => processor))),
  ])
  const head = ['', 'connections', 'GB/s', 'ratio to nginx', 'processor s/GB']
  console.log(table([head, ...lines]))
}

requireTools({ curl: 'curl', nginx: 'nginx' })
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const children = []
try {
  const contestants = await startContestants(await makeHouse(folder, size), children)
  console.log(`${values.size} MiB, ${rounds} rounds, curl -o /dev/null: median (least–most)\n`)
  const results = await measureAll(contestants)
  show(results)
  const alone = results.find(({ name, connections }) => name === 'Gatehouse' && connections === 1)
  const ratio = ratioOf(alone, results)
  const isReached = ratio.median >= TARGET
  console.log(
    `\nGatehouse, one connection: ${shownSpread(ratio)} of nginx; the target is ${TARGET}.`,
  )
  process.exitCode = isReached ? 0 : 1
} finally {
  for (const child of children) await stop(child)
  rmSync(folder, { recursive: true, force: true })
}
