// Measures how fast events reach a fast receiver, beside a loop of `fetch` that posts the same bytes to it.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmptyHome, removeHome } from '../records/homes.mjs'
import { processorSeconds, startGatehouse } from '../services.mjs'
import { writeReaders } from './bulk.mjs'
import { runCommand } from './commands.mjs'

/** Gatehouse calls one endpoint at most this often at the same time. */
const CALLS = 16

/** A receiver that responds at once, and records when each event arrived. */
async function startReceiver() {
  const arrived = []
  const bodies = []
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    arrived.push(performance.now())
    if (bodies.length < 1_000) bodies.push(Buffer.concat(chunks))
    response.writeHead(204).end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}/`
  return {
    ...{ url, arrived, bodies },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const perSecond = (count, times) => (count / (times.at(-1) - times[0])) * 1000

/** Posts as many bodies as events arrived, over as many connections as Gatehouse uses. */
async function loop({ url, bodies }, count) {
  const began = performance.now()
  let next = 0
  const post = async () => {
    while (next < count) {
      const body = bodies[next++ % bodies.length]
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await response.arrayBuffer()
      if (response.status !== 204) throw new Error(`the receiver answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: CALLS }, post))
  return (count / (performance.now() - began)) * 1000
}

async function untilArrived({ arrived }, count, limit, say) {
  let said = 0
  while (arrived.length < count) {
    if (limit.isOver()) throw new Error(`only ${arrived.length} of ${count} events arrived`)
    await sleep(50)
    if (performance.now() - said < 5_000) continue
    said = performance.now()
    say(`${arrived.length} of ${count} events have arrived`)
  }
}

async function measureDeliveries({ home, receiver, folder, settings, limit, say }) {
  const app = ['app', 'create', '--name', 'Hooked', '--env', 'production', '--json']
  const { aid } = JSON.parse(await runCommand(home, app))
  const resource = ['resource', 'create', '--aid', aid, '--rid', 'hooked', '--name', 'Hooked']
  await runCommand(home, [...resource, '--url', 'https://site.example/'])
  const allowed = { GATEHOUSE_WEBHOOK_ALLOW: '127.0.0.1/32' }
  const service = await startGatehouse(home, { settings: allowed })
  const create = ['webhook', 'create', '--aid', aid, '--url', receiver.url]
  await runCommand(home, create, { env: allowed })
  const readers = writeReaders(join(folder, 'hooked.csv'), 'hooked', settings.hooked)
  const before = processorSeconds(service.pid)
  await runCommand(home, ['access', 'import', '--events', '--aid', aid, readers])
  // Each new reader causes two events: one about the access, and one about everything that the reader has access to.
  const count = settings.hooked * 2
  await untilArrived(receiver, count, limit, say)
  const processor = processorSeconds(service.pid) - before
  await service.stop()
  if (receiver.arrived.length !== count) {
    throw new Error(`${count} events arrived ${receiver.arrived.length} times`)
  }
  return { count, perSecond: perSecond(count, receiver.arrived), processor }
}

/** Measures deliveries to one endpoint, from the first to the last, then the loop. */
export async function measureWebhooks({ engine, server, folder, settings, limit, say }) {
  const home = await openEmptyHome(engine, 'webhooks', server ? { server } : {})
  const receiver = await startReceiver()
  try {
    const ours = await measureDeliveries({ home, receiver, folder, settings, limit, say })
    const bare = await loop(receiver, ours.count)
    say(`${ours.perSecond.toFixed(0)} events a second, the loop ${bare.toFixed(0)}`)
    return { ...ours, bare, ratio: ours.perSecond / bare }
  } finally {
    receiver.stop()
    await removeHome(home)
  }
}
