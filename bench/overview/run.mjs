// Measures how long the figures of the overview take with 1,000,000 payments, on both databases.
// `npm run bench:overview -- --payments 1000000 --rounds 7`

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { readConfig } from '../../packages/server/dist/config.js'
import { createContext } from '../../packages/server/dist/context.js'
import { foldAllRevenue } from '../../packages/server/dist/revenue-sums.js'
import { arrive } from '../dashboard/staff.mjs'
import { readPageOptions } from '../page-options.mjs'
import { startPostgres, stopServers } from '../postgres.mjs'
import { withoutForeignKeys } from '../records/foreign-keys.mjs'
import { CACHE, openHome, removeHome } from '../records/homes.mjs'
import { processorSeconds, startGatehouse, stopAll } from '../services.mjs'
import { counted, shownSpread, spread, table } from '../statistics.mjs'

const SIZES = { usual: 1_000_000, least: 10_000 }
const { count: payments, rounds, engines } = readPageOptions('payments', SIZES)

const AIM_MS = 300
/** Each reader has a subscription and ten payments. */
const PER_READER = 10
const DAYS = 3 * 365

const NUMBERS = {
  sqlite: `with recursive n (k) as (select 0 union all select k + 1 from n where k < ${PER_READER - 1})`,
  postgres: `with n (k) as (select generate_series(0, ${PER_READER - 1}))`,
}

/** Returns the statements that write the records of a publisher after three years: monthly payments, some refunded or
 * lost, and subscriptions of which half ended. */
function statements(engine, now) {
  const number = 'cast(substr(a.id, 2, 9) as bigint)'
  const begun = `(${now} - 60 - ${number} % ${DAYS} * 86400 - ${number} % 86400)`
  const at = `(${begun} + n.k * (${now} - ${begun}) / ${PER_READER + 1})`
  return [
    `insert into subscriptions (id, aid, rid, uid, access_id, amount, currency, period, status, created, trial_ends, anchor, periods, current_period_start, current_period_end, ended, tries, provider)
      select 'sub-' || a.id, a.aid, a.rid, a.uid, a.id, 499 + ${number} % 5 * 100,
        case when ${number} % 20 = 0 then 'USD' else 'EUR' end,
        case when ${number} % 3 = 0 then '1 year' else '1 month' end, 'ended', ${begun},
        case when ${number} % 4 = 0 then ${begun} + 604800 end, ${begun}, ${number} % 7,
        ${begun}, ${begun} + 1, case when ${number} % 2 = 0 then ${begun} + (${now} - ${begun}) / 2 end,
        0, 'test' from access a`,
    // One reader in ten had an earlier subscription.
    `insert into subscriptions (id, aid, rid, uid, access_id, amount, currency, period, status, created, anchor, periods, current_period_start, current_period_end, ended, tries, provider)
      select 'old-' || a.id, a.aid, a.rid, a.uid, a.id, 399, 'EUR', '1 month', 'ended', ${begun} - 8640000,
        ${begun}, 2, ${begun}, ${begun} + 1, ${begun} - 864000, 0, 'test' from access a where ${number} % 10 = 3`,
    `${NUMBERS[engine]}
      insert into payments (id, aid, rid, uid, access_id, amount, refunded, currency, provider, status, created, settled, attempts, lost)
      select 'pay-' || a.id || '-' || n.k, a.aid, a.rid, a.uid, a.id, 499, 0,
        case when ${number} % 20 = 0 then 'USD' else 'EUR' end, 'test',
        case when (${number} + n.k) % 500 = 0 then 'lost' when (${number} + n.k) % 30 = 0 then 'failed' else 'succeeded' end,
        ${at}, ${at}, 1, case when (${number} + n.k) % 500 = 0 then ${at} + 60 end
      from access a cross join n`,
    `insert into refunds (id, aid, payment_id, amount, currency, status, actor, created, settled, attempts)
      select 'ref-' || p.id, p.aid, p.id, 99, p.currency, 'succeeded', 'api', p.settled + 30, p.settled + 30, 1
      from payments p where p.status = 'succeeded' and substr(p.id, 12, 2) = '42'`,
    `update payments set refunded = 99, status = 'partially_refunded'
      where status = 'succeeded' and substr(id, 12, 2) = '42'`,
  ]
}

const FILLED = ['subscriptions', 'payments', 'refunds']

async function addPayments({ engine, env, folder, name, server }) {
  const all = statements(engine, Math.floor(Date.now() / 1000))
  if (server) {
    const ask = (sql) => server.ask(sql, name, 'production')
    await withoutForeignKeys(ask, FILLED, async () => {
      for (const statement of all) await ask(statement)
    })
    // PostgreSQL does this by itself after a while. SQLite has no statistics, because Gatehouse makes none.
    await ask('vacuum analyze')
  } else {
    const database = new DatabaseSync(join(folder, 'production.sqlite'))
    for (const statement of all) database.exec(statement)
    database.close()
  }
  await foldSums(env)
}

/** Does what the worker of a running service does within seconds of each payment. */
async function foldSums(env) {
  const ctx = await createContext(readConfig(env))
  try {
    await ctx.environments.production.database.write((trx) => foldAllRevenue(trx), { batch: true })
  } finally {
    await ctx.close()
  }
}

const day = (daysAgo) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

const QUESTIONS = [
  ['How things stand now', 'overview'],
  ['Last 7 days', 'figures?range=7d'],
  ['Last 30 days', 'figures?range=30d'],
  ['This year', 'figures?range=year'],
  ['All three years', `figures?first=${day(DAYS)}&last=${day(0)}`],
  ['Who left last month', `subscriptions?moved=left&first=${day(60)}&last=${day(30)}`],
  ['Who left in three years', `subscriptions?moved=left&first=${day(DAYS)}&last=${day(0)}`],
  ['Who was new in three years', `subscriptions?moved=new&first=${day(DAYS)}&last=${day(0)}`],
  ['Payments of 30 days', `payments?money=taken&first=${day(30)}&last=${day(0)}&currency=EUR`],
]

async function measure(engine, server) {
  const mark = `overview_${process.pid}`
  const home = await openHome(engine, payments / PER_READER, { server, mark })
  try {
    const began = performance.now()
    await addPayments(home)
    const filled = Math.round((performance.now() - began) / 1000)
    const service = await startGatehouse(home)
    const url = `http://localhost:${service.port}`
    const { name, value } = await arrive(home, url)
    const lines = []
    const spent = () => processorSeconds(service.pid) + (server ? processorSeconds(server.pid) : 0)
    for (const [question, path] of QUESTIONS) {
      const times = []
      const before = spent()
      for (let round = 0; round <= rounds; round++) {
        const asked = performance.now()
        const answer = await fetch(`${url}/dashboard/api/production/${home.aid}/${path}`, {
          headers: { cookie: `${name}=${value}`, 'sec-fetch-site': 'same-origin' },
        })
        const text = await answer.text()
        if (!answer.ok) throw new Error(`${path}: ${text}`)
        // The first round fills caches.
        if (round > 0) times.push(performance.now() - asked)
      }
      const processor = ((spent() - before) * 1000) / (rounds + 1)
      lines.push({ question, processor, ...spread(times) })
    }
    return { filled, lines }
  } finally {
    await stopAll()
    await removeHome(home)
  }
}

try {
  // Another account runs PostgreSQL, and has to reach its folder.
  mkdirSync(CACHE, { recursive: true, mode: 0o755 })
  const needsServer = engines.includes('postgres')
  const server = needsServer
    ? await startPostgres(join(CACHE, `postgres-${process.pid}`))
    : undefined
  for (const engine of engines) {
    const { filled, lines } = await measure(engine, engine === 'postgres' ? server : undefined)
    const shown = lines.map(({ question, processor, ...times }) => [
      question,
      shownSpread(times),
      processor.toFixed(0),
      times.median <= AIM_MS ? 'reached' : 'missed',
    ])
    console.log(
      `\n${engine}, ${counted(payments)} payments (added in ${filled} s), ${rounds} rounds`,
    )
    console.log(
      `median (least–most); the aim is ${AIM_MS} ms\n${table([['', 'ms', 'processor, ms', ''], ...shown])}`,
    )
    if (lines.some(({ median }) => median > AIM_MS)) process.exitCode = 1
  }
} finally {
  await stopAll()
  await stopServers()
}
