// Runs the commands of Gatehouse, and measures what they use.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processesOf } from '../services.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const COMMAND = at('../../packages/server/bin/gatehouse.mjs')
const TICKS_A_SECOND = 100

/** Runs a command until it ends, and returns what it printed. */
export async function runCommand(home, args, { env = {}, flags = [] } = {}) {
  const child = spawn(process.execPath, [...flags, COMMAND, ...args], {
    cwd: home.folder,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...home.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [printed, errors] = ['', '']
  child.stdout.on('data', (chunk) => (printed += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${code}\n${printed}${errors}`)
  return printed
}

/** The processor time of a database server in seconds, with the connections that have ended. */
function serverSeconds(server) {
  if (!server) return 0
  const ticks = (pid, fields) => {
    const all = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return fields.reduce((sum, field) => sum + Number(all[field]), 0)
  }
  const [own, ...connections] = processesOf(server.pid)
  const sum = connections.reduce((all, pid) => all + ticks(pid, [11, 12]), 0)
  return (sum + ticks(own, [11, 12, 13, 14])) / TICKS_A_SECOND
}

/** Runs a command, and returns its time, processor time (and that of PostgreSQL) in seconds, and peak memory in MB. */
export async function measureCommand(home, folder, args) {
  const path = join(folder, 'usage.json')
  const before = serverSeconds(home.server)
  const began = performance.now()
  const env = { BENCH_USAGE: path }
  await runCommand(home, args, { env, flags: ['--require', at('../usage.cjs')] })
  const seconds = (performance.now() - began) / 1000
  const { processor, memory } = JSON.parse(readFileSync(path, 'utf8'))
  return { seconds, processor, server: serverSeconds(home.server) - before, memory }
}
