// Compares one process with two: responses per second, memory, time to the first response, and the cost of idling.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../scripts/loopback.mjs'
import { roundsOf } from './limits.mjs'
import { send } from './load/load.mjs'
import { accessChecks, writeRequests } from './load/requests.mjs'
import { processesOf, processorSeconds, residentMegabytes, startGatehouse } from './services.mjs'
import { ratios, spread } from './statistics.mjs'

const WORKERS = [1, 2]

/** The processes that answer requests: a process that has started others only supervises them. */
function servingProcesses(pid) {
  const [first, ...started] = processesOf(pid)
  return started.length > 0 ? started : [first]
}

/** The first worker answers before the last one is ready. */
async function untilAllServe({ pid, name }, workers) {
  await until(name, async () => servingProcesses(pid).length === workers)
}

async function measureIdle(service, seconds) {
  // The work right after a start is not idling.
  await sleep(1_000)
  const before = processorSeconds(service.pid)
  await sleep(seconds * 1000)
  return ((processorSeconds(service.pid) - before) / seconds) * 100
}

/** The start times of the service that runs already, and of some more next to it. */
async function measureStarts(home, first, rounds) {
  const times = [first.startedIn]
  while (times.length < rounds) {
    const service = await startGatehouse(home)
    times.push(service.startedIn)
    await service.stop()
  }
  return spread(times)
}

/** Measures one and two processes on the largest installation. */
export async function measureScaling({ home, folder, settings, limit }) {
  const path = join(folder, `${home.engine}-scaling`)
  const count = settings.seconds * 40_000
  // One more round for the warm-up.
  const checks = accessChecks(home, 'uniform', count * (settings.rounds + 1))
  const requests = writeRequests(path, checks)
  const services = []
  for (const workers of WORKERS) {
    const service = await startGatehouse(home, { workers, name: `${workers} of Gatehouse` })
    await untilAllServe(service, workers)
    services.push(service)
  }
  const start = await measureStarts(home, services[0], settings.rounds)
  const idle = []
  for (const service of services) idle.push(await measureIdle(service, settings.idleSeconds))
  const perSecond = services.map(() => [])
  for (const { number, seconds, counts } of roundsOf(settings, limit)) {
    for (const [at, { name, port }] of services.entries()) {
      const sent = await send({ name, port, requests, first: number * count, count, seconds })
      if (counts) perSecond[at].push(sent.perSecond)
    }
  }
  const memory = services.map(({ pid }) => servingProcesses(pid).map(residentMegabytes))
  for (const service of services) await service.stop()
  return {
    engine: home.engine,
    records: home.records,
    start,
    processes: WORKERS.map((workers, at) => ({
      workers,
      perSecond: spread(perSecond[at]),
      memory: memory[at],
      idlePercent: idle[at],
    })),
    ratio: ratios(perSecond[1], perSecond[0]),
  }
}
