// Grants, each of them durable and with its row in the outbox when it is answered: 64 clients, with commits shared
// and not, on the disk as it is and on one whose flush takes 5 ms longer.
import { join } from 'node:path'
import { openHome, removeHome } from './data/homes.mjs'
import { send } from './load/load.mjs'
import { grants, signer, writeRequests } from './load/requests.mjs'
import { startPostgres } from './postgres.mjs'
import { startForGrants } from './services.mjs'
import { makeSlowFlush } from './slow-flush.mjs'
import { median, ratios, spread } from './statistics.mjs'

const WAYS = ['grouped', 'ungrouped']
const RECORDS = 10_000

/** More than are answered in one run. */
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

/** One after the other: the time of a grant that has a commit of its own, and that it is there afterwards. */
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
  const text = (table) => `select count(*) as n from ${table} where`
  const sql = `${text('access')} user_ref like 'new-%'`
  const mails = `${text('outbox')} kind = 'grant'`
  if (home.server) {
    const ask = async (query, table) =>
      Number((await home.server.ask(query.replace(table, `production.${table}`), home.name))[0].n)
    return { grants: await ask(sql, 'access'), mails: await ask(mails, 'outbox') }
  }
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(join(home.folder, 'production.sqlite'), { readOnly: true })
  const ask = (query) => database.prepare(query).get().n
  const found = { grants: ask(sql), mails: ask(mails) }
  database.close()
  return found
}

/** Both ways in turn, on an installation of its own. */
async function measureOnDisk({ home, preload, folder, settings, limit }) {
  const { rounds, seconds, warmUp } = settings
  const services = []
  for (const way of WAYS) services.push(await startForGrants(home, way, preload))
  const results = services.map(({ name }) => ({ name, perSecond: [], p99: [] }))
  const perRun = linesFor(seconds)
  let [from, answered] = [0, 0]
  const alone = await timeOfOne(services[0], home, 900_000_000)
  for (let round = -1; round < rounds && (round < 1 || !limit.isOver()); round++) {
    for (const [at, service] of services.entries()) {
      const requests = writeRequests(join(folder, 'grants'), grants(home, from, perRun))
      from += perRun
      const time = round < 0 ? warmUp : seconds
      const run = { name: service.name, port: service.port, requests, first: 0, count: perRun }
      const sent = await send({ ...run, seconds: time })
      answered += sent.answers
      if (round < 0) continue
      results[at].perSecond.push(sent.perSecond)
      results[at].p99.push(sent.p99)
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
    })),
    ratio: ratios(grouped.perSecond, ungrouped.perSecond),
  }
}

const engines = {
  async sqlite({ preload, mark }, work) {
    const home = await openHome('sqlite', RECORDS, { mark })
    try {
      return await work(home, preload)
    } finally {
      await removeHome(home)
    }
  },
  /** The flush is the server's: it gets one of its own. */
  async postgres({ preload, mark, folder }, work) {
    const server = await startPostgres(join(folder, `postgres-${mark}`), { preload })
    try {
      const home = await openHome('postgres', RECORDS, { server, mark })
      const result = await work(home, undefined)
      await removeHome(home)
      return result
    } finally {
      await server.stop()
    }
  },
}

/** Grants on one database, on both kinds of disk. */
export async function measureGrants({ engine, folder, settings, limit }) {
  const flush = makeSlowFlush(folder)
  const disks = { 'as it is': undefined, 'slowed by 5 ms': flush.library }
  const result = { engine, flush: { asItIs: flush.asItIs, slowed: flush.slowed }, disks: {} }
  for (const [name, preload] of Object.entries(disks)) {
    const mark = preload ? 'slow' : 'plain'
    result.disks[name] = await engines[engine]({ preload, mark, folder }, (home, library) =>
      measureOnDisk({ home, preload: library, folder, settings, limit }),
    )
  }
  const slowed = result.disks['slowed by 5 ms']
  if (slowed.alone < 5) throw new Error(`a slowed commit took ${slowed.alone} ms alone`)
  return result
}
