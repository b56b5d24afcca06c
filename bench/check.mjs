// Access checks: signed, verified, over a million records.
import { deepStrictEqual } from 'node:assert'
import { join } from 'node:path'
import { makePgbench } from './contestants/pgbench.mjs'
import { CONNECTIONS, send, sendAtPace } from './load/load.mjs'
import { accessChecks, writeRequests } from './load/requests.mjs'
import { startBare, startExpress, startGatehouse, startSameBytes } from './services.mjs'
import { median, ratios, spread } from './statistics.mjs'

const LAWS = ['uniform', 'zipf']

/** Longer than what any of them answers in one run. */
const linesFor = (seconds) => Math.max(1_000, seconds * 60_000)

async function ask(port, { target, authorization }) {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { authorization } })
  if (response.status !== 200) throw new Error(`${target} was answered with ${response.status}`)
  return await response.text()
}

/** Nobody is timed who answers wrongly: the two that know the records must say the same of each. */
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

/** A signature that is wrong by one letter opens nothing. */
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
  const express = await startExpress(home)
  await requireRefusal(home, [gatehouse, express])
  const typical = await requireSameAnswers(home, gatehouse, express)
  const bare = await startBare(typical)
  const nginx = await startSameBytes(typical)
  for (const { name, port } of [bare, nginx]) {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    if ((await response.text()) !== typical) throw new Error(`${name} answers something else`)
  }
  return { gatehouse, bare, express, nginx }
}

/** One after the other in each round; every round goes on in the file where the last one ended. */
async function measureLaw({ contestants, requests, settings, limit }) {
  const { rounds, seconds, warmUp } = settings
  const results = contestants.map(({ name }) => ({ name, perSecond: [], p99: [] }))
  const perRound = linesFor(seconds)
  for (let round = -1; round < rounds && (round < 1 || !limit.isOver()); round++) {
    const [first, time] = round < 0 ? [0, warmUp] : [(round * perRound) % requests.lines, seconds]
    for (const [at, contestant] of contestants.entries()) {
      const run = { name: contestant.name, requests, first, count: perRound, seconds: time }
      const sent = await contestant.run({ ...run, port: contestant.port })
      if (round < 0) continue
      results[at].perSecond.push(sent.perSecond)
      results[at].p99.push(sent.p99)
    }
  }
  return results
}

/** Delays while so many requests come as are half of what it can answer. */
async function measureHalfLoad({ contestants, requests, results, settings }) {
  const delays = contestants.map(({ name }) => ({ name, p99: [], perSecond: [] }))
  for (let round = 0; round < settings.rounds; round++) {
    for (const [at, { name, port }] of contestants.entries()) {
      const full = median(results.find((one) => one.name === name).perSecond)
      const perSecond = full / 2
      const pace = {
        perSecond,
        seconds: settings.seconds,
        first: 0,
        count: linesFor(settings.seconds),
      }
      const sent = await sendAtPace({ name, port, requests, ...pace })
      delays[at].p99.push(sent.p99)
      delays[at].perSecond.push(sent.perSecond)
    }
  }
  return delays
}

/** The check on one database. `folder` is for the requests. */
export async function measureChecks({ home, folder, settings, limit }) {
  const { gatehouse, bare, express, nginx } = await startContestants(home)
  const services = [gatehouse, bare, express, nginx].map((one) => ({ ...one, run: send }))
  const result = { engine: home.engine, records: home.records, connections: CONNECTIONS, laws: {} }
  const needed = linesFor(settings.seconds) * settings.rounds
  for (const law of LAWS) {
    const path = join(folder, `${home.engine}-${law}`)
    const requests = writeRequests(path, accessChecks(home, law, needed))
    const pgbench = home.server ? await makePgbench(home, law, folder) : []
    const contestants = [...services, ...pgbench]
    const results = await measureLaw({ contestants, requests, settings, limit })
    const [ours, ...others] = results
    result.laws[law] = {
      contestants: results.map((one) => ({ name: one.name, perSecond: spread(one.perSecond) })),
      ratios: others.map((one) => ({ to: one.name, ...ratios(ours.perSecond, one.perSecond) })),
    }
    if (law === 'zipf') {
      const pair = services.slice(0, 2)
      const [own, theirs] = await measureHalfLoad({
        contestants: pair,
        requests,
        results,
        settings,
      })
      const names = { ours: spread(own.p99), bare: spread(theirs.p99) }
      result.halfLoad = { ...names, ratio: ratios(own.p99, theirs.p99) }
    }
  }
  for (const service of services) await service.stop()
  return result
}
