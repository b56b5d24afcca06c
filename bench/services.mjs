// Starts the servers that are compared, each in its own processes, and inspects those.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, stop, until } from '../scripts/loopback.mjs'
import { startNginx } from '../scripts/nginx/nginx.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const COMMAND = at('../packages/server/bin/gatehouse.mjs')

/** The environment variables of this process, without Gatehouse's own. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_')),
)

/** Long, since a busy machine is no reason to fail. */
const MAX_START_S = 120

const running = new Set()

/** Stops everything that still runs, whatever happened. */
export async function stopAll() {
  await Promise.all([...running].map((service) => service.stop()))
}

function watch(name, port, child, after = () => {}) {
  const service = {
    name,
    port,
    pid: child.pid,
    async stop() {
      running.delete(service)
      // The first signal makes Gatehouse drain its connections, the second one makes it exit soon.
      const again = setTimeout(() => child.kill('SIGTERM'), 400)
      await stop(child)
      clearTimeout(again)
      after()
    },
  }
  running.add(service)
  return service
}

async function start(name, args, env, options = {}) {
  const { answers = 404, folder = tmpdir(), node = process.execPath } = options
  const port = await freePort()
  const began = performance.now()
  const child = spawn(node, args(port), {
    cwd: folder,
    env: { ...inherited, NODE_ENV: 'production', ...env(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const service = watch(name, port, child)
  const url = `http://127.0.0.1:${port}/`
  const up = until(name, async () => (await fetch(url)).status === answers, MAX_START_S)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code} before it answered`)
  })
  // The promise that loses the race must not become an unhandled rejection.
  for (const either of [up, ended]) either.catch(() => {})
  await Promise.race([up, ended])
  return { ...service, startedIn: performance.now() - began }
}

/** Starts Gatehouse as its users do. `node` is the path of another Node. */
export async function startGatehouse(
  home,
  { workers = 1, name = 'Gatehouse', settings = {}, node } = {},
) {
  const env = (port) => ({
    ...home.env,
    ...settings,
    GATEHOUSE_PORT: String(port),
    ...(workers > 1 ? { GATEHOUSE_WORKERS: String(workers) } : {}),
  })
  return await start(name, () => [COMMAND, 'serve'], env, { folder: home.folder, node })
}

/** Runs a command on an installation, and returns how long that took in ms. */
export async function timeCommand(home, args) {
  const began = performance.now()
  const child = spawn(process.execPath, [COMMAND, ...args], {
    ...{ cwd: home.folder, env: { ...inherited, ...home.env, NODE_ENV: 'production' } },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}`)
  return performance.now() - began
}

/** Starts Gatehouse with or without grouped grants. `preload` is a library for LD_PRELOAD. */
export async function startForGrants(home, way, preload) {
  const args = (port) => [at('contestants/gatehouse.mjs'), String(port), way]
  const env = () => ({ ...home.env, ...(preload ? { LD_PRELOAD: preload } : {}) })
  return await start(way, args, env, { folder: home.folder })
}

export async function startBare(body, node) {
  const args = (port) => [at('contestants/bare.mjs'), String(port), body]
  return await start('node:http', args, () => ({}), { answers: 200, node })
}

export async function startExpress(home) {
  const env = () => ({
    AID: home.aid,
    PRIVATE_KEY: home.privateKey,
    DATABASE: home.url ?? join(home.folder, 'production.sqlite'),
  })
  const args = (port) => [at('contestants/express.mjs'), String(port)]
  return await start('Express + Knex', args, env, { answers: 401 })
}

/** Starts nginx with one worker, which answers every request with the same bytes. */
export async function startSameBytes(body) {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-nginx-'))
  const escaped = body.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  const server = `access_log off; keepalive_requests 1000000000; server { listen 127.0.0.1:${port}; default_type 'application/json; charset=utf-8'; location / { return 200 '${escaped}'; } }`
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const service = watch('nginx', port, startNginx(folder, server), remove)
  await until('nginx', async () => (await fetch(`http://127.0.0.1:${port}/`)).ok)
  return service
}

function childrenOf(pid) {
  const path = `/proc/${pid}/task/${pid}/children`
  const ids = existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean) : []
  return ids.map(Number)
}

/** A process and its children. */
export const processesOf = (pid) => [pid, ...childrenOf(pid)]

/** The processor time of all threads of a process and its children, in seconds. */
export function processorSeconds(pid) {
  const ofOne = (id) => {
    const threads = readdirSync(`/proc/${id}/task`)
    const nanoseconds = threads.map((thread) => scheduledNanoseconds(id, thread))
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9
  }
  return processesOf(pid).reduce((sum, id) => sum + ofOne(id), 0)
}

/** A thread may end between the listing and this. */
function scheduledNanoseconds(pid, thread) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

/** How long the main thread of a process was ready and had to wait for a processor, in ms. */
export function waitedMs(pid) {
  const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(waited) / 1e6
}

/** The resident memory of a process, in MB. */
export function residentMegabytes(pid) {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return (Number(line[1]) * 1024) / 1e6
}
