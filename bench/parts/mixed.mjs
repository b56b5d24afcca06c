// Measures access checks while others grant: over connections that are kept, and over a new one for each check.
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { roundsOf } from '../limits.mjs'
import { accessChecks, grants, writeRequests } from '../load/requests.mjs'
import { readRequests, sendBySockets } from '../load/sockets.mjs'
import { openHome, removeHome } from '../records/homes.mjs'
import { processorSeconds, startGatehouse } from '../services.mjs'
import { percentile, spread } from '../statistics.mjs'

const GRANTERS = [0, 1, 8, 64]
const RECORDS = 10_000
/** Few checks, so that they wait for the grants and not for each other. */
const CHECKS_PER_SECOND = 100
const KEPT_CONNECTIONS = 4

/** Sends one request over a connection of its own; resolves when the response has begun. */
function askOnce(port, bytes) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => socket.write(bytes))
    socket.once('data', (chunk) => {
      const took = performance.now() - began
      socket.destroy()
      if (chunk.toString('latin1', 0, 12) === 'HTTP/1.1 200') resolve(took)
      else reject(new Error(`a check was answered with ${chunk.toString('latin1', 0, 40)}`))
    })
  })
}

/** Checks on new connections at a fixed pace, for this many seconds. */
async function checkOnNew(port, texts, seconds) {
  const running = []
  const began = performance.now()
  for (let n = 0; performance.now() - began < seconds * 1000; n++) {
    running.push(askOnce(port, texts[n % texts.length]))
    await sleep(1000 / CHECKS_PER_SECOND)
  }
  const sorted = (await Promise.all(running)).sort((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), answers: sorted.length }
}

function requireGood(sent) {
  if (sent.failed + sent.refused === 0) return sent
  throw new Error(`beside grants: ${sent.failed} failed, ${sent.refused} refused`)
}

/** One round with this many granters. */
async function measureBeside({ port, pid }, { granters, checks, toGrant, seconds }) {
  const before = processorSeconds(pid)
  const [granted, kept, fresh] = await Promise.all([
    granters === 0
      ? undefined
      : sendBySockets({ port, ...toGrant, connections: granters, seconds: seconds + 0.5 }),
    sendBySockets({
      ...{ port, requests: checks, first: 0, count: checks.lines, seconds },
      ...{ connections: KEPT_CONNECTIONS, perSecond: CHECKS_PER_SECOND },
    }),
    checkOnNew(port, readRequests(checks, 0, 1_000), seconds),
  ])
  requireGood(kept)
  if (granted) requireGood(granted)
  const answers = kept.answers + fresh.answers + (granted?.answers ?? 0)
  return {
    perSecond: granted?.perSecond ?? 0,
    ...{ keptP50: kept.p50, keptP99: kept.p99, newP50: fresh.p50, newP99: fresh.p99 },
    processor: ((processorSeconds(pid) - before) / answers) * 1e6,
  }
}

const summarize = (rounds) =>
  Object.fromEntries(
    Object.keys(rounds[0]).map((name) => [name, spread(rounds.map((round) => round[name]))]),
  )

/** Measures an installation that may be written to. */
async function measureHome({ home, folder, settings, limit }) {
  const service = await startGatehouse(home)
  const checks = writeRequests(join(folder, 'mixed-checks'), accessChecks(home, 'uniform', 2_000))
  const found = GRANTERS.map(() => [])
  let from = 0
  for (const { seconds, counts } of roundsOf(settings, limit)) {
    for (const [at, granters] of GRANTERS.entries()) {
      const count = Math.max(2_000, seconds * 4_000)
      const path = join(folder, 'mixed-grants')
      const toGrant = { requests: writeRequests(path, grants(home, from, count)), first: 0, count }
      from += count
      const round = await measureBeside(service, { granters, checks, toGrant, seconds })
      if (counts) found[at].push(round)
    }
  }
  await service.stop()
  return {
    beside: GRANTERS.map((granters, at) => ({ granters, ...summarize(found[at]) })),
  }
}

export async function measureMixed({ engine, server, folder, settings, limit }) {
  const home = await openHome(engine, RECORDS, { mark: 'mixed', ...(server ? { server } : {}) })
  try {
    return await measureHome({ home, folder, settings, limit })
  } finally {
    await removeHome(home)
  }
}
