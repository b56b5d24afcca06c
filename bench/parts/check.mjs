// Measures access checks: signed, verified, over a million records.
import { deepStrictEqual } from 'node:assert'
import { join } from 'node:path'
import { makePgbench } from '../contestants/pgbench.mjs'
import { roundsOf } from '../limits.mjs'
import { CONNECTIONS, send, sendAtPace } from '../load/load.mjs'
import { accessChecks, requireSameSignature, writeRequests } from '../load/requests.mjs'
import { linesFor, linesForAll } from '../load/rounds.mjs'
import { sendBySockets } from '../load/sockets.mjs'
import { warm } from '../records/homes.mjs'
import {
  processorSeconds,
  startBare,
  startExpress,
  startGatehouse,
  startSameBytes,
} from '../services.mjs'
import { median, ratios, spread } from '../statistics.mjs'
import { measureExplained } from './explained.mjs'

const LAWS = ['uniform', 'zipf']

/** Gatehouse with every access check answered by the ordinary route: what the fast path saves. */
const ROUTE_ONLY = {
  name: 'Gatehouse without the fast path',
  settings: { GATEHOUSE_FAST_PATH: 'off' },
}

/** More requests than one connection gets answered in a round. */
const ONE_AT_A_TIME = 10_000

async function ask(port, { target, authorization }) {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { authorization } })
  if (response.status !== 200) throw new Error(`${target} was answered with ${response.status}`)
  return await response.text()
}

/** Only right answers are timed: the two contestants that know the records must agree on each. */
async function requireSameAnswers(home, gatehouse, express) {
  const sizes = []
  let typical = ''
  for (const request of accessChecks(home, 'uniform', 200)) {
    const answer = await ask(gatehouse.port, request)
    deepStrictEqual(JSON.parse(await ask(express.port, request)), JSON.parse(answer))
    sizes.push(answer.length)
    if (answer.length === median(sizes)) typical = answer
  }
  return typical
}

/** Requires that a signature with one wrong character is refused. */
async function requireRefusal(home, services) {
  const [request] = accessChecks(home, 'uniform', 1)
  const last = request.authorization.at(-1) === 'A' ? 'E' : 'A'
  const authorization = request.authorization.slice(0, -1) + last
  for (const { name, port } of services) {
    const url = `http://127.0.0.1:${port}${request.target}`
    const { status } = await fetch(url, { headers: { authorization } })
    if (status !== 401) throw new Error(`${name} answered a wrong signature with ${status}`)
  }
}

async function startContestants(home) {
  const gatehouse = await startGatehouse(home)
  const routeOnly = await startGatehouse(home, ROUTE_ONLY)
  const express = await startExpress(home)
  await requireRefusal(home, [gatehouse, routeOnly, express])
  await requireSameAnswers(home, routeOnly, express)
  const typical = await requireSameAnswers(home, gatehouse, express)
  const bare = await startBare(typical)
  const nginx = await startSameBytes(typical)
  for (const { name, port } of [bare, nginx]) {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    if ((await response.text()) !== typical) throw new Error(`${name} answers something else`)
  }
  return { gatehouse, bare, express, nginx, routeOnly }
}

/** Runs the contestants one after the other in each round; all get the same requests, and each round has new ones. */
async function measureLaw({ contestants, requests, settings, limit }) {
  const results = contestants.map(({ name }) => ({ name, perSecond: [], processor: [] }))
  const count = linesFor(settings.seconds)
  for (const { number, seconds, counts } of roundsOf(settings, limit)) {
    for (const [at, { name, port, pid, run }] of contestants.entries()) {
      const used = () => (pid === undefined ? Number.NaN : processorSeconds(pid))
      const before = used()
      const sent = await run({ name, port, requests, first: number * count, count, seconds })
      if (!counts) continue
      results[at].perSecond.push(sent.perSecond)
      results[at].processor.push(((used() - before) / sent.answers) * 1e6)
    }
  }
  return results
}

/** Measures delays at half of the rate that each contestant can answer. */
async function measureHalfLoad({ contestants, requests, results, settings, limit }) {
  const delays = contestants.map(() => [])
  for (const { seconds } of roundsOf({ ...settings, warmUp: 0 }, limit)) {
    for (const [at, { name, port }] of contestants.entries()) {
      const perSecond = median(results.find((one) => one.name === name).perSecond) / 2
      const slice = { requests, first: 0, count: linesFor(seconds) }
      delays[at].push((await sendAtPace({ name, port, ...slice, seconds, perSecond })).p99)
    }
  }
  const [ours, bare] = delays
  return { ours: spread(ours), bare: spread(bare), ratio: ratios(ours, bare) }
}

/** Measures checks one after the other, over one connection: what a site with few readers feels. */
async function measureOneAtATime({ gatehouse, requests, settings, limit }) {
  const delays = []
  for (const { number, seconds } of roundsOf({ ...settings, warmUp: 0 }, limit)) {
    const slice = { requests, first: number * ONE_AT_A_TIME, count: ONE_AT_A_TIME }
    const sent = await sendBySockets({ ...slice, port: gatehouse.port, seconds, connections: 1 })
    delays.push(sent.p50)
  }
  return spread(delays)
}

/** Measures checks on one database. `folder` is for the files of requests. */
export async function measureChecks({ home, folder, settings, limit }) {
  await requireSameSignature(home)
  const { gatehouse, bare, express, nginx, routeOnly } = await startContestants(home)
  const services = [gatehouse, bare, express, nginx, routeOnly].map((one) => ({
    ...one,
    run: send,
  }))
  const result = { engine: home.engine, records: home.records, connections: CONNECTIONS, laws: {} }
  const needed = linesForAll(settings)
  for (const law of LAWS) {
    const path = join(folder, `${home.engine}-${law}`)
    const requests = writeRequests(path, accessChecks(home, law, needed))
    const pgbench = home.server ? await makePgbench(home, law, folder) : []
    const contestants = [...services, ...pgbench]
    await warm(home)
    const results = await measureLaw({ contestants, requests, settings, limit })
    const [ours, ...others] = results
    const [, bareResult] = results
    const routeResult = results.find(({ name }) => name === ROUTE_ONLY.name)
    result.laws[law] = {
      routeToBare: ratios(routeResult.perSecond, bareResult.perSecond),
      contestants: results.map(({ name, perSecond, processor }, at) => ({
        name,
        ...(contestants[at].clients ? { clients: contestants[at].clients } : {}),
        perSecond: spread(perSecond),
        ...(Number.isNaN(processor[0]) ? {} : { processor: spread(processor) }),
      })),
      ratios: others.map((one) => ({ to: one.name, ...ratios(ours.perSecond, one.perSecond) })),
    }
    if (law === 'zipf') {
      const pair = { contestants: services.slice(0, 2), requests, results }
      result.halfLoad = await measureHalfLoad({ ...pair, settings, limit })
      result.oneAtATime = await measureOneAtATime({ gatehouse, requests, settings, limit })
    }
  }
  result.explained = await measureExplained({ home, gatehouse, rounds: settings.rounds })
  for (const service of services) await service.stop()
  return result
}
