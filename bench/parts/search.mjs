// Measures searches: each filter and none, the first page, page after page, and a jump into the middle by a process
// that has served nothing yet. Installations of all sizes are queried in turn.
import { Agent, request } from 'node:http'
import { encodeParameters } from '@gatehouse/sdk/signing'
import { signer } from '../load/requests.mjs'
import { askHome } from '../records/homes.mjs'
import { BUSIEST, emailOf, refOf } from '../records/shape.mjs'
import { startGatehouse } from '../services.mjs'
import { median, ratios, spread } from '../statistics.mjs'

/** A reader who exists in every size. */
const SOMEBODY = 1_234

const FILTERS = {
  none: {},
  rid: { rid: BUSIEST.rid },
  user_ref: { user_ref: refOf(SOMEBODY) },
  email: { email: emailOf(SOMEBODY) },
  tag: { tag: BUSIEST.tag },
  show_expired: { show_expired: true },
}

/** Sends requests on one connection, like a client that reads everything. */
function clientOf(service, home) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const signed = signer(home)
  return (parameters) => {
    const { target, authorization } = signed(
      'GET',
      `/r2/access/search?${encodeParameters(parameters)}`,
    )
    const options = {
      agent,
      port: service.port,
      host: '127.0.0.1',
      path: target,
      headers: { authorization },
    }
    const began = performance.now()
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const took = performance.now() - began
          if (response.statusCode !== 200) reject(new Error(`search: ${response.statusCode}`))
          else resolve({ took, page: JSON.parse(Buffer.concat(chunks).toString()) })
        })
      })
      sent.on('error', reject)
      sent.end()
    })
  }
}

/** The number of records that each search must find, counted row by row in the database itself. */
async function countRows(home) {
  const { aid, engine } = home
  const now = Math.floor(Date.now() / 1000)
  const of = (table, column, condition) =>
    `(select ${column} from ${table} where aid = '${aid}' and ${condition})`
  const conditions = {
    none: 'true',
    rid: `rid = '${BUSIEST.rid}'`,
    user_ref: `uid = ${of('user_refs', 'uid', `ref = '${refOf(SOMEBODY)}'`)}`,
    email: `uid = ${of('users', 'uid', `email_key = '${emailOf(SOMEBODY)}'`)}`,
  }
  const counts = Object.entries(conditions).map(
    ([filter, condition]) => `count(*) filter (where ends > ${now} and ${condition}) as ${filter}`,
  )
  // In index order, rows are scattered over a file that is larger than the memory.
  const table = engine === 'sqlite' ? 'access not indexed' : 'access'
  const [row] = await askHome(
    home,
    `select count(*) as show_expired, ${counts.join(', ')} from ${table} where aid = '${aid}' and revoked is null`,
  )
  const [tagged] = await askHome(
    home,
    `select count(*) as n from access_tags t join access a on a.aid = t.aid and a.id = t.access_id
      where t.aid = '${aid}' and t.tag = '${BUSIEST.tag}' and a.revoked is null and a.ends > ${now}`,
  )
  return { ...row, tag: tagged.n }
}

async function requireTotals(house) {
  const counts = await countRows(house.home)
  for (const [filter, parameters] of Object.entries(FILTERS)) {
    const { page } = await house.ask(parameters)
    const expected = Number(counts[filter])
    const rows = Math.min(expected, 100)
    if (page.total !== expected || page.data.length !== rows) {
      const found = `${page.total} with ${page.data.length} on the first page`
      throw new Error(`search by ${filter}: ${found}, but there are ${expected}`)
    }
  }
}

/** Returns medians of each round; the sizes take turns within it. */
async function measureFirstPages(houses, { rounds, requests }, limit) {
  const results = {}
  for (const [filter, parameters] of Object.entries(FILTERS)) {
    const medians = houses.map(() => [])
    for (let round = 0; round < rounds && (round < 1 || !limit.isOver()); round++) {
      const times = houses.map(() => [])
      const most = performance.now() + 10_000
      for (let n = 0; n < requests && (n < 3 || performance.now() < most); n++) {
        for (const [at, { ask }] of houses.entries()) times[at].push((await ask(parameters)).took)
      }
      for (const [at, one] of times.entries()) medians[at].push(median(one))
    }
    results[filter] = {
      times: Object.fromEntries(houses.map(({ home }, at) => [home.records, spread(medians[at])])),
      largestToSmallest: ratios(medians.at(-1), medians[0]),
    }
  }
  return results
}

const PAGE_SIZE = 100
const SAMPLED = 21

/** Reads page after page, and compares the times of the first pages with those of the last ones. */
async function readPages({ ask }, last, limit) {
  const times = []
  const seen = new Set()
  for (let page = 0; page <= last; page++) {
    if (page % 100 === 0 && limit.isOver()) return undefined
    const { took, page: found } = await ask({ page, pagesize: PAGE_SIZE, show_expired: true })
    times.push(took)
    for (const { id } of found.data) seen.add(id)
  }
  if (seen.size !== (last + 1) * PAGE_SIZE) {
    throw new Error(`${last + 1} pages showed ${seen.size} different records`)
  }
  return { first: median(times.slice(0, SAMPLED)), last: median(times.slice(-SAMPLED)) }
}

async function measurePaging(house, { rounds, lastPage }, limit) {
  const last = Math.min(lastPage, house.home.records / PAGE_SIZE - 1)
  const [firsts, lasts] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const times = await readPages(house, last, limit)
    if (!times) break
    firsts.push(times.first)
    lasts.push(times.last)
  }
  if (firsts.length === 0) return { page: last, cut: true }
  const times = { first: spread(firsts), last: spread(lasts) }
  return { page: last, rounds: firsts.length, ...times, ratio: ratios(lasts, firsts) }
}

/** Measures the first request to a new process, for a page far from the beginning. */
async function measureColdJumps(home, { rounds, lastPage }) {
  const page = Math.min(lastPage, home.records / PAGE_SIZE - 1)
  const times = []
  for (let round = 0; round < rounds; round++) {
    const service = await startGatehouse(home)
    const { took } = await clientOf(
      service,
      home,
    )({ page, pagesize: PAGE_SIZE, show_expired: true })
    times.push(took)
    await service.stop()
  }
  return { page, time: spread(times) }
}

/** Measures searches on one database, with installations from the smallest to the largest. */
export async function measureSearches({ homes, settings, limit }) {
  const houses = []
  for (const home of homes) {
    const service = await startGatehouse(home)
    houses.push({ home, service, ask: clientOf(service, home) })
  }
  for (const house of houses) await requireTotals(house)
  const firstPages = await measureFirstPages(houses, settings, limit)
  const largest = houses.at(-1)
  const paging = await measurePaging(largest, settings, limit)
  for (const { service } of houses) await service.stop()
  const coldJump = await measureColdJumps(largest.home, settings)
  return { engine: largest.home.engine, firstPages, paging, coldJump }
}
