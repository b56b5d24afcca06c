// The throughput of PostgreSQL itself at the same concurrency, measured by its own tool: rows of a table of the same
// size by their key, and Gatehouse's lookup.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireTools } from '../../scripts/tools.mjs'
import { pgbenchLookUp } from '../records/shape.mjs'

const run = promisify(execFile)

/** Numbers of clients that are tried: on few cores, many of them only get into each other's way. */
const CLIENTS = [4, 8, 16, 64]
const TRIAL_S = 1

/** Rows in pgbench's own table for one unit of its scale. */
const ROWS_A_SCALE = 100_000

const DRAWS = {
  uniform: (count) => `random(1, ${count})`,
  zipf: (count) => `random_zipfian(1, ${count}, 1.001)`,
}

/** pgbench's own select-only script, except for how the row is drawn. */
const selectOnly = (draw) =>
  `\\set id ${draw}\nselect abalance from pgbench_accounts where aid = :id;\n`

/** Creates pgbench's table, unless it exists in the right size; one that was left half-filled is created again. */
async function prepareAccounts(home, rows) {
  const ask = (sql) => home.server.ask(sql, home.name)
  const [{ there }] = await ask("select to_regclass('pgbench_accounts') is not null as there")
  const found = there ? await ask('select max(aid) as most from pgbench_accounts') : []
  if (Number(found[0]?.most) === rows) return
  await run('pgbench', ['-i', '-q', '-s', String(rows / ROWS_A_SCALE), home.url])
}

/** Returns contestants that run in the same rounds as the services. */
export async function makePgbench(home, law, folder) {
  requireTools({ pgbench: 'postgresql' })
  const rows = Math.max(1, Math.round(home.records / ROWS_A_SCALE)) * ROWS_A_SCALE
  await prepareAccounts(home, rows)
  const scripts = {
    'pgbench select-only': selectOnly(DRAWS[law](rows)),
    'pgbench, our look-up': pgbenchLookUp(home, DRAWS[law](home.records)),
  }
  const contestants = []
  for (const [at, [name, text]] of Object.entries(scripts).entries()) {
    const path = join(folder, `pgbench-${law}-${at}.sql`)
    writeFileSync(path, text)
    const count = await findBestCount(home, path)
    contestants.push({
      ...{ name, clients: count },
      run: ({ seconds }) => runScript(home, path, { seconds, count }),
    })
  }
  return contestants
}

/** The number of clients at which this server answers the most queries per second. */
async function findBestCount(home, path) {
  let best = { count: CLIENTS[0], perSecond: 0 }
  for (const count of CLIENTS) {
    const { perSecond } = await runScript(home, path, { seconds: TRIAL_S, count })
    if (perSecond > best.perSecond) best = { count, perSecond }
  }
  return best.count
}

async function runScript(home, script, { seconds, count }) {
  const clients = ['-c', String(count), '-j', '1', '-T', String(seconds)]
  const args = ['-n', '-M', 'prepared', '-f', script, ...clients, home.url]
  const { stdout } = await run('pgbench', args)
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0'
  if (failed !== '0') throw new Error(`pgbench: ${failed} transactions failed`)
  const perSecond = /tps = ([\d.]+) \(without/.exec(stdout)?.[1]
  // On a busy machine the time may be over before the clients are connected.
  if (perSecond === undefined) return await runScript(home, script, { seconds: seconds * 2, count })
  return { perSecond: Number(perSecond) }
}
