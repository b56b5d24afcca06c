// What PostgreSQL itself can do at the same concurrency, measured by its own tool: rows of a table of the same size by
// their key, and Gatehouse's lookup.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireTools } from '../../scripts/tools.mjs'
import { CONNECTIONS } from '../load/load.mjs'
import { pgbenchLookUp } from '../records/shape.mjs'

const run = promisify(execFile)

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
  return Object.entries(scripts).map(([name, text], at) => {
    const path = join(folder, `pgbench-${law}-${at}.sql`)
    writeFileSync(path, text)
    return { name, run: (options) => runScript(home, path, options) }
  })
}

async function runScript(home, script, { seconds }) {
  const clients = ['-c', String(CONNECTIONS), '-j', '1', '-T', String(seconds)]
  const args = ['-n', '-M', 'prepared', '-f', script, ...clients, home.url]
  const { stdout } = await run('pgbench', args)
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0'
  if (failed !== '0') throw new Error(`pgbench: ${failed} transactions failed`)
  const perSecond = /tps = ([\d.]+) \(without/.exec(stdout)?.[1]
  // On a busy machine the time may be over before the clients are connected.
  if (perSecond === undefined) return await runScript(home, script, { seconds: seconds * 2 })
  return { perSecond: Number(perSecond) }
}
