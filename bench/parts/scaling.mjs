// Compares one process with two: responses per second, memory, time to the first response and of a command, and the cost
// of idling.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../scripts/loopback.mjs'
import { accessChecks, writeRequests } from '../load/requests.mjs'
import { linesForAll, measureRounds } from '../load/rounds.mjs'
import {
  processesOf,
  processorSeconds,
  residentMegabytes,
  startGatehouse,
  timeCommand,
} from '../services.mjs'
import { ratios, spread } from '../statistics.mjs'

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

/** Measures all services at once: each of them should leave the processor alone. */
async function measureIdle(services, { settleSeconds, idleSeconds }) {
  const used = () => services.map(({ pid }) => processorSeconds(pid))
  // The work right after a start is not idling.
  await sleep(settleSeconds * 1000)
  const before = used()
  await sleep(idleSeconds * 1000)
  return used().map((after, at) => ((after - before[at]) / idleSeconds) * 100)
}

async function measureCommands(home, rounds) {
  const times = []
  for (let round = 0; round < rounds; round++) times.push(await timeCommand(home, ['app', 'list']))
  return spread(times)
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

/** Measures throughput, memory and idle processor time with one and with two worker processes, and the times of starts and
 * commands, on the largest installation. */
export async function measureScaling({ home, folder, settings, limit }) {
  const path = join(folder, `${home.engine}-scaling`)
  const requests = writeRequests(path, accessChecks(home, 'uniform', linesForAll(settings)))
  const services = []
  for (const workers of WORKERS) {
    const service = await startGatehouse(home, { workers, name: `${workers} of Gatehouse` })
    await untilAllServe(service, workers)
    services.push(service)
  }
  const start = await measureStarts(home, services[0], settings.rounds)
  const command = await measureCommands(home, settings.rounds)
  const memoryAfterStart = services.map(({ pid }) =>
    Math.max(...servingProcesses(pid).map(residentMegabytes)),
  )
  const idle = await measureIdle(services, settings)
  const loaded = services.map((service) => ({ ...service, requests }))
  const results = await measureRounds({ services: loaded, settings, limit })
  const memory = services.map(({ pid }) => servingProcesses(pid).map(residentMegabytes))
  for (const service of services) await service.stop()
  return {
    engine: home.engine,
    records: home.records,
    start,
    command,
    processes: WORKERS.map((workers, at) => ({
      workers,
      perSecond: spread(results[at].perSecond),
      processor: spread(results[at].processor),
      memory: memory[at],
      memoryAfterStart: memoryAfterStart[at],
      idlePercent: idle[at],
    })),
    ratio: ratios(results[1].perSecond, results[0].perSecond),
  }
}
