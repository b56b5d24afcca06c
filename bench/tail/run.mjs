// Shows where the slowest answers at half load come from: `npm run bench:tail`. The same load is sent beside nothing, beside
// processes that use the processors too, and by a client that collects garbage. docs/internals/tail.md has what was found.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { send, sendAtPace } from '../load/load.mjs'
import { accessChecks, writeRequests } from '../load/requests.mjs'
import { openHome } from '../records/homes.mjs'
import { startBare, startGatehouse, stopAll, waitedMs } from '../services.mjs'
import { ratios, shown, shownSpread, spread, table } from '../statistics.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '4' },
    records: { type: 'string', default: '100000' },
  },
})
const [rounds, seconds, records] = [values.rounds, values.seconds, values.records].map(Number)

const REQUESTS = 100_000

/** Each way to disturb the measurement: processes beside it, and the garbage of the client. */
const WAYS = [
  { name: 'beside nothing', busy: 0, collects: false },
  { name: 'beside one busy process', busy: 1, collects: false },
  { name: 'beside two busy processes', busy: 2, collects: false },
  { name: 'client collects garbage', busy: 0, collects: true },
]

/** Processor time that the host gave to other machines, in ms. */
function stolenMs() {
  const [, ...jiffies] = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/)
  return Number(jiffies[7]) * 10
}

const startBusy = (count) =>
  Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;) ;']))

async function measureOne(service, way, perSecond) {
  const { name, port, requests, pid } = service
  const before = { waited: waitedMs(pid), stolen: stolenMs() }
  const slice = { requests, first: 0, count: REQUESTS, collects: way.collects }
  const sent = await sendAtPace({ name, port, ...slice, seconds, perSecond })
  return {
    p50: sent.p50,
    p99: sent.p99,
    longestPause: sent.longestPause,
    waited: (waitedMs(pid) - before.waited) / seconds,
    stolen: (stolenMs() - before.stolen) / seconds,
  }
}

async function measureWay(services, way, halfRates) {
  const busy = startBusy(way.busy)
  const measured = services.map(() => [])
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [at, service] of services.entries())
        measured[at].push(await measureOne(service, way, halfRates[at]))
    }
  } finally {
    for (const child of busy) child.kill('SIGKILL')
  }
  const of = (at, key) => measured[at].map((one) => one[key])
  const lines = services.map(({ name }, at) => [
    way.name,
    name,
    ...['p50', 'p99'].map((key) => shownSpread(spread(of(at, key)))),
    ...['longestPause', 'waited', 'stolen'].map((key) => shown(spread(of(at, key)).median)),
  ])
  const ratio = shownSpread(ratios(of(0, 'p99'), of(1, 'p99')))
  return [...lines, [way.name, 'p99 ÷', '', ratio, '', '', '']]
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-tail-'))
try {
  const home = await openHome('sqlite', records)
  const requests = writeRequests(join(folder, 'requests'), accessChecks(home, 'zipf', REQUESTS))
  const started = [await startGatehouse(home), await startBare('x'.repeat(300))]
  const services = started.map((service) => ({ ...service, requests }))
  const halfRates = []
  for (const service of services) {
    await send({ ...service, first: 0, count: REQUESTS, seconds })
    const { perSecond } = await send({ ...service, first: 0, count: REQUESTS, seconds })
    halfRates.push(perSecond / 2)
  }
  console.log(
    `${rounds} rounds of ${seconds} s at half load: ${halfRates.map(shown).join(' and ')} a second`,
  )
  const lines = [
    [
      '',
      '',
      'p50, ms',
      'p99, ms',
      'longest pause of the client, ms',
      'waited for a processor, ms/s',
      'stolen, ms/s',
    ],
  ]
  for (const way of WAYS) lines.push(...(await measureWay(services, way, halfRates)))
  console.log(table(lines))
} finally {
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
}
