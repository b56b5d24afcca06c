// Measures grants, each of them durable and with its outbox row when it is answered: 64 clients, with and without
// grouped commits, on the disk as it is and on one whose flush takes 5 ms longer.
import { join } from 'node:path'
import { roundsOf } from '../limits.mjs'
import { send } from '../load/load.mjs'
import { grants, signer, writeRequests } from '../load/requests.mjs'
import { startPostgres } from '../postgres.mjs'
import { askHome, openHome, removeHome } from '../records/homes.mjs'
import { processorSeconds, startForGrants } from '../services.mjs'
import { makeSlowFlush } from '../slow-flush.mjs'
import { median, ratios, spread } from '../statistics.mjs'

const WAYS = ['grouped', 'ungrouped']
const RECORDS = 10_000

/** More requests than are answered in one run. */
const linesFor = (seconds) => Math.max(2_000, seconds * 12_000)

async function grant(port, { target, authorization, body }) {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })
  if (response.status !== 200) throw new Error(`a grant was answered with ${response.status}`)
  return await response.json()
}

/** Sends grants one after the other: measures a grant with its own commit, and requires that it is stored. */
async function timeOfOne(service, home, from) {
  const took = []
  for (const request of grants(home, from, 15)) {
    const began = performance.now()
    const { user_ref: ref, rid } = await grant(service.port, request)
    took.push(performance.now() - began)
    const check = signer(home)('GET', `/r2/access?rid=${rid}&user_ref=${ref}`)
    const headers = { authorization: check.authorization }
    const found = await fetch(`http://127.0.0.1:${service.port}${check.target}`, { headers })
    if (found.status !== 200) throw new Error('a grant that was answered is not there')
  }
  return median(took)
}

async function countGrants(home) {
  const count = async (from) =>
    Number((await askHome(home, `select count(*) as n from ${from}`))[0].n)
  return {
    grants: await count("access where user_ref like 'new-%'"),
    mails: await count("outbox where kind = 'grant'"),
  }
}

/** Measures both ways in turn, on a separate installation. */
async function measureOnDisk({ home, preload, folder, settings, limit }) {
  const services = []
  for (const way of WAYS) services.push(await startForGrants(home, way, preload))
  const results = services.map(({ name }) => ({ name, perSecond: [], p99: [], processor: [] }))
  const count = linesFor(settings.seconds)
  let [from, answered] = [0, 0]
  const alone = await timeOfOne(services[0], home, 900_000_000)
  for (const { seconds, counts } of roundsOf(settings, limit)) {
    for (const [at, { name, port, pid }] of services.entries()) {
      const requests = writeRequests(join(folder, 'grants'), grants(home, from, count))
      from += count
      const before = processorSeconds(pid)
      const sent = await send({ name, port, requests, first: 0, count, seconds })
      answered += sent.answers
      if (!counts) continue
      results[at].perSecond.push(sent.perSecond)
      results[at].p99.push(sent.p99)
      results[at].processor.push(((processorSeconds(pid) - before) / sent.answers) * 1e6)
    }
  }
  for (const service of services) await service.stop()
  const found = await countGrants(home)
  if (found.grants < answered || found.mails < answered) {
    throw new Error(
      `${answered} grants were answered, ${found.grants} are there, ${found.mails} mails`,
    )
  }
  const [grouped, ungrouped] = results
  return {
    alone,
    contestants: results.map((one) => ({
      name: one.name,
      perSecond: spread(one.perSecond),
      p99: spread(one.p99),
      processor: spread(one.processor),
    })),
    ratio: ratios(grouped.perSecond, ungrouped.perSecond),
  }
}

/** Creates an installation that may be written to, and removes it afterwards. */
async function inHome(engine, options, work) {
  const home = await openHome(engine, RECORDS, options)
  try {
    return await work(home)
  } finally {
    await removeHome(home)
  }
}

/** On PostgreSQL the server does the flush: a slow one needs a separate server. */
async function onServer({ server, preload, folder }, work) {
  if (!preload) return await work(server)
  const own = await startPostgres(join(folder, 'slow-postgres'), { preload })
  try {
    return await work(own)
  } finally {
    await own.stop()
  }
}

/** Measures grants on one database, on both kinds of disk. */
export async function measureGrants({ engine, server, folder, settings, limit }) {
  const flush = makeSlowFlush(folder)
  const result = { engine, flush: { asItIs: flush.asItIs, slowed: flush.slowed } }
  const measure = async (mark, preload) => {
    const shared = { folder, settings, limit }
    if (engine === 'sqlite') {
      return await inHome(engine, { mark }, (home) => measureOnDisk({ home, preload, ...shared }))
    }
    return await onServer({ server, preload, folder }, (own) =>
      inHome(engine, { mark, server: own }, (home) => measureOnDisk({ home, ...shared })),
    )
  }
  result.asItIs = await measure('plain')
  result.slowed = await measure('slow', flush.library)
  if (result.slowed.alone < 5) throw new Error(`a slowed grant took ${result.slowed.alone} ms`)
  return result
}
