import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { TestDatabase } from '../databases.ts'
import { signedBytes } from '../http/raw-http.ts'
import { type Credentials, createApplicationIn } from '../installations.ts'
import { seededRandom } from '../random.ts'
import { openDescriptors } from '../soak/samples.ts'
import { type ServerProcess, startProcess } from './process.ts'
import { childrenOf } from './workers.ts'

const CLIENTS = 16
/** How long each client pauses after a request. */
const PACE_MS = 5
/** Longer than any request may wait. One that has no answer by then hangs. */
const HANGS_AFTER_MS = 10_000
/** Workers that have lived longer are replaced without a delay. */
const HEALTHY_AFTER_MS = 10_000
/** How much later than that a kill comes, at most. */
const MAX_KILL_DELAY_MS = 1_000
/** How often both workers are killed at once. */
const BOTH_SHARE = 0.2
const PATIENT = { timeout: 60_000, interval: 100 }

export interface WorkerKills {
  /** How many workers are killed. */
  kills: number
  seed: number
}

export interface WorkerKillReport {
  kills: number
  /** How often both were killed at once. */
  both: number
  /** The number of requests by outcome: a status, or why there is none. */
  outcomes: Record<string, number>
  /** The longest wait of a request, in milliseconds. */
  longestMs: number
  /** The open descriptors of the supervisor before the load and after it. */
  descriptors: { before: number; after: number }
}

interface Answer {
  outcome: string
  ms: number
}

/** Sends a request on a connection of its own. */
function ask(url: string, bytes: string): Promise<Answer> {
  const startedAt = performance.now()
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let outcome = 'closed'
    const hangs = setTimeout(() => {
      outcome = 'hangs'
      socket.destroy()
    }, HANGS_AFTER_MS)
    socket.setEncoding('latin1').write(bytes, 'latin1')
    socket.once('data', (text: unknown) => {
      outcome = String(text).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
      socket.destroy()
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      outcome = code ?? 'unknown'
    })
    socket.on('close', () => {
      clearTimeout(hangs)
      resolve({ outcome, ms: performance.now() - startedAt })
    })
  })
}

/** Access checks on new connections, and now and then a grant. */
function startLoad(url: string, app: Credentials) {
  const outcomes: Record<string, number> = {}
  let longestMs = 0
  let isOver = false
  const bytesOf = (client: number, n: number) => {
    const user_ref = `reader-${client}-${n % 50}`
    const query = `rid=${app.rid}&user_ref=${user_ref}`
    if (n % 10 > 0) return signedBytes(app, { target: `/r2/access?${query}` })
    const target = `/r2/access/grant?${query}&email=${user_ref}%40example.com`
    return signedBytes(app, { method: 'POST', target })
  }
  async function send(client: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const { outcome, ms } = await ask(url, bytesOf(client, n))
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      longestMs = Math.max(longestMs, ms)
      await sleep(PACE_MS)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => send(client)))
  return {
    async stop() {
      isOver = true
      await clients
      return { outcomes, longestMs: Math.round(longestMs) }
    },
  }
}

/** Knows since when each worker serves. */
class WorkerAges {
  readonly #server: ServerProcess
  readonly #since = new Map<number, number>()

  constructor(server: ServerProcess) {
    this.#server = server
  }

  /** Waits until both workers serve and have lived long enough. Returns their process ids. */
  async healthy(): Promise<number[]> {
    for (;;) {
      const now = performance.now()
      const workers = childrenOf(this.#server.pid)
      for (const worker of workers) {
        if (!this.#since.has(worker)) this.#since.set(worker, now)
      }
      const isOld = (worker: number) => now - (this.#since.get(worker) as number) > HEALTHY_AFTER_MS
      if (workers.length === 2 && workers.every(isOld)) return workers
      await sleep(50)
    }
  }

  kill(worker: number): void {
    // Until it is gone from the list, it is no worker that will live long.
    this.#since.set(worker, Number.POSITIVE_INFINITY)
    process.kill(worker, 'SIGKILL')
  }
}

async function killWorkers(server: ServerProcess, { kills, seed }: WorkerKills) {
  const random = seededRandom(seed)
  const ages = new WorkerAges(server)
  const killed = { kills: 0, both: 0 }
  while (killed.kills < kills) {
    const workers = await ages.healthy()
    await sleep(random() * MAX_KILL_DELAY_MS)
    const isBoth = random() < BOTH_SHARE
    for (const worker of workers) {
      ages.kill(worker)
      killed.kills++
      // The other one follows when this one is about to be replaced, is starting, or serves.
      if (!isBoth) await sleep((random() * HEALTHY_AFTER_MS) / 2)
    }
    if (isBoth) killed.both++
  }
  await ages.healthy()
  return killed
}

/** Kills workers of a service with two, under load. */
export async function killWorkersUnderLoad(
  database: TestDatabase,
  options: WorkerKills,
): Promise<WorkerKillReport> {
  const installation = await database.createMigrated()
  const app = await createApplicationIn(installation)
  const server = await startProcess({ env: { ...installation.env, GATEHOUSE_WORKERS: '2' } })
  try {
    await vi.waitFor(() => expect(childrenOf(server.pid)).toHaveLength(2), PATIENT)
    const before = openDescriptors(server.pid)
    const load = startLoad(await server.url, app)
    const killed = await killWorkers(server, options)
    const answers = await load.stop()
    await vi
      .waitFor(() => expect(openDescriptors(server.pid)).toBeLessThanOrEqual(before), PATIENT)
      .catch(() => {})
    const descriptors = { before, after: openDescriptors(server.pid) }
    return { ...killed, ...answers, descriptors }
  } catch (error) {
    console.error(server.stdout.slice(-6_000), server.stderr.slice(-3_000))
    throw error
  } finally {
    await server.kill()
    await installation.remove()
  }
}
