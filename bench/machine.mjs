// Describes the machine and the versions that were measured.
import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { nginxBinary } from '../scripts/nginx/nginx.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

function say(command, ...args) {
  const { stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  return `${stdout ?? ''}${stderr ?? ''}`.trim()
}

function processor() {
  const [{ model }] = cpus()
  return /Model name:\s*(.+)/.exec(say('lscpu'))?.[1] ?? model
}

function sqliteVersion() {
  const database = new DatabaseSync(':memory:')
  const { version } = database.prepare('select sqlite_version() as version').get()
  database.close()
  return version
}

export function describeMachine(postgresVersion) {
  return {
    date: new Date().toISOString(),
    commit: say('git', 'rev-parse', '--short=10', 'HEAD'),
    // Only the product and the benchmark count, not the results that they have written.
    dirty:
      say('git', 'status', '--porcelain', '--', 'packages', 'bench/*.mjs', 'bench/*/*.mjs') !== '',
    processor: processor(),
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 1e9),
    system: `${process.platform} ${release()} ${process.arch}`,
    loadBefore: loadavg()[0],
    node: process.version,
    sqlite: sqliteVersion(),
    postgres: postgresVersion,
    pgbench: /[\d.]+/.exec(say('pgbench', '--version'))?.[0],
    nginx: /nginx\/([\d.]+)/.exec(say(nginxBinary, '-v'))?.[1],
    wrk: /wrk (\S+)/.exec(say('wrk', '--version'))?.[1],
  }
}
