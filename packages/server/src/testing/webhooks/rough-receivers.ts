import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeEvents } from '../../domain/events/write.ts'
import { createWebhookClient } from '../../domain/webhooks/calls/http-client.ts'
import { createLogger } from '../../logging/logger.ts'
import { startWebhookWorker } from '../../worker/webhook-worker.ts'
import type { TestDatabase } from '../databases.ts'
import { seededRandom } from '../random.ts'
import { startTestService, type TestApplication } from '../service.ts'
import { addEndpoint } from './sending.ts'

const MODES = ['ok', 'slow', 'hang', 'refuse', 'redirect', 'busy', 'reset', 'lie', 'short', 'drip']

/** An event that a receiver has taken. */
interface Taken {
  path: string
  id: string
  uid: string
  sequence: number
  latency: number
}

interface ReceiverProcess {
  taken: Taken[]
  port: number
  /** Changes how it responds to calls of `/bad`. */
  setMode(mode: string): void
  kill(): Promise<void>
}

async function startReceiverProcess(port: number, taken: Taken[]): Promise<ReceiverProcess> {
  const file = fileURLToPath(new URL('receiver-process.mjs', import.meta.url))
  const env = { ...process.env, RECEIVER_PORT: String(port) }
  const child: ChildProcess = fork(file, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const [path, id, uid, sequence, written, at] = JSON.parse(line)
    taken.push({ path, id, uid, sequence, latency: at - written })
  })
  const [ready] = (await once(child, 'message')) as [{ port: number }]
  return {
    taken,
    port: ready.port,
    setMode: (mode) => child.connected && child.send(mode),
    async kill() {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    },
  }
}

export interface RoughOptions {
  seconds: number
  seed: number
  /** Events per second. */
  rate: number
}

export interface RoughReport {
  events: number
  /** Events that an endpoint has never taken. */
  lost: number
  /** Events that an endpoint took after a later one of the same reader. */
  outOfOrder: number
  /** Events that an endpoint took more than once. */
  repeated: number
  kills: number
  modes: number
  /** The 99th percentile of the latency at healthy endpoints, alone and beside a bad one, in milliseconds. */
  p99: { alone: number; beside: number }
  /** Resident memory in megabytes: after the warm-up, and at the end. */
  memory: { begin: number; end: number }
}

const HEALTHY = ['/good/1', '/good/2']
const BAD = '/bad'
const READERS = 40

/**
 * Delivers events to two healthy endpoints, at first alone and then beside one whose process is killed, slow, hangs, lies,
 * redirects and drips its responses, until it works again and has got everything.
 */
export async function deliverToRoughReceivers(
  database: TestDatabase,
  { seconds, seed, rate }: RoughOptions,
): Promise<RoughReport> {
  const service = await startTestService(database, { useRealTime: true })
  const app = await service.newApplication()
  const good = await startReceiverProcess(0, [])
  let bad = await startReceiverProcess(0, [])
  const client = createWebhookClient({ allow: ['127.0.0.1/32'] })
  const env = Object.assign(Object.create(app.environment), { webhookClient: client })
  const worker = startWebhookWorker(service.ctx, env, { log: createLogger('silent') })
  const random = seededRandom(seed)
  try {
    for (const path of HEALTHY)
      await addEndpoint(service, app, `http://127.0.0.1:${good.port}${path}`)
    const alone = await write(app, seconds / 2, rate)
    const countTaken = () => good.taken.length + bad.taken.length
    const hasHealthy = (count: number) =>
      HEALTHY.every((path) => idsOf(good.taken, path).size === count)
    await waitUntil(() => hasHealthy(alone.length), countTaken)
    const aloneP99 = p99(good.taken)
    const besides = good.taken.length
    const begin = process.memoryUsage().rss
    await addEndpoint(service, app, `http://127.0.0.1:${bad.port}${BAD}`, {
      position: alone.length,
    })
    const writing = write(app, seconds / 2, rate)
    const disturbed = disturb(bad, writing, { random, maxPauseMs: seconds * 50 })
    const beside = await writing
    const { receiver, ...counts } = await disturbed
    bad = receiver
    bad.setMode('ok')
    await waitUntil(async () => {
      await resumeNow(app)
      const hasAll = idsOf(bad.taken, BAD).size === beside.length
      return hasAll && hasHealthy(alone.length + beside.length)
    }, countTaken)
    const all = [...alone, ...beside]
    const expected: [string, readonly string[], readonly Taken[]][] = [
      ...HEALTHY.map((path) => [path, all, good.taken] as [string, string[], Taken[]]),
      [BAD, beside, bad.taken],
    ]
    await service.requireInvariants()
    return {
      events: all.length,
      lost: sum(expected.map(([path, ids, taken]) => countMissing(idsOf(taken, path), ids))),
      outOfOrder: sum(expected.map(([path, , taken]) => countOutOfOrder(taken, path))),
      repeated: sum(expected.map(([path, , taken]) => countRepeated(taken, path))),
      ...counts,
      p99: { alone: aloneP99, beside: p99(good.taken.slice(besides)) },
      memory: { begin: toMegabytes(begin), end: toMegabytes(process.memoryUsage().rss) },
    }
  } finally {
    await worker.stop()
    client.close()
    await Promise.all([good.kill(), bad.kill()])
    await service.stop()
  }
}

/** Changes how a receiver behaves, and kills it now and then, until the writing ends. Returns its last process. */
async function disturb(
  receiver: ReceiverProcess,
  writing: Promise<unknown>,
  { random, maxPauseMs }: { random: () => number; maxPauseMs: number },
): Promise<{ receiver: ReceiverProcess; kills: number; modes: number }> {
  let isWriting = true
  void writing.finally(() => {
    isWriting = false
  })
  let [kills, modes] = [0, 0]
  for (; isWriting; modes++) {
    receiver.setMode(MODES[Math.floor(random() * MODES.length)] as string)
    await sleep(Math.min(maxPauseMs, 500 + random() * 4_000))
    if (random() >= 0.3) continue
    await receiver.kill()
    receiver = await startReceiverProcess(receiver.port, receiver.taken)
    kills++
  }
  return { receiver, kills, modes }
}

/** Writes events of random readers at a steady rate. Returns their ids. */
async function write(app: TestApplication, seconds: number, rate: number): Promise<string[]> {
  const { database, name, clock, realTime } = app.environment
  const began = performance.now()
  const ids: string[] = []
  for (let n = 0; n < seconds * rate; n++) {
    const wait = (n * 1000) / rate - (performance.now() - began)
    if (wait > 0) await sleep(wait)
    const uid = `reader ${n % READERS}`
    const data = { uid, written: Date.now() }
    const cause = { actor: 'test', action: 'test' }
    const draft = { type: 'user.access_changed' as const, uid, at: clock(), data, cause }
    const scope = { aid: app.aid, environment: name }
    const [row] = await database.write((trx) => writeEvents(trx, scope, [draft], realTime()))
    ids.push((row as { id: string }).id)
  }
  return ids
}

/** Lets an endpoint that works again be called at once, instead of after its pause. */
async function resumeNow({ aid, environment }: TestApplication): Promise<void> {
  await environment.database.write(async (trx) => {
    await trx
      .updateTable('webhook_endpoints')
      .set({ resume_at: 0 })
      .where('aid', '=', aid)
      .execute()
    await trx
      .updateTable('webhook_deliveries')
      .set({ due: 0 })
      .where((eb) => eb.and({ aid, state: 'pending' }))
      .execute()
  })
}

/** How long no event may arrive before the missing ones count as lost. */
const MAX_SILENCE_MS = 120_000

/** Waits while events arrive, however many are left. */
async function waitUntil(
  isDone: () => boolean | Promise<boolean>,
  countTaken: () => number,
): Promise<void> {
  let [taken, since] = [countTaken(), performance.now()]
  while (!(await isDone())) {
    if (countTaken() > taken) [taken, since] = [countTaken(), performance.now()]
    if (performance.now() - since > MAX_SILENCE_MS) throw new Error('not everything was delivered')
    await sleep(250)
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const toMegabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
const at = (taken: readonly Taken[], path: string) => taken.filter((one) => one.path === path)
const idsOf = (taken: readonly Taken[], path: string) =>
  new Set(at(taken, path).map(({ id }) => id))
const countMissing = (got: ReadonlySet<string>, ids: readonly string[]) =>
  ids.filter((id) => !got.has(id)).length
const countRepeated = (taken: readonly Taken[], path: string) =>
  at(taken, path).length - idsOf(taken, path).size

/** Counts first deliveries that came after a later event of the same reader. */
function countOutOfOrder(taken: readonly Taken[], path: string): number {
  const seen = new Set<string>()
  const last = new Map<string, number>()
  let count = 0
  for (const { id, uid, sequence } of at(taken, path)) {
    if (seen.has(id)) continue
    seen.add(id)
    if (sequence < (last.get(uid) ?? 0)) count++
    last.set(uid, Math.max(sequence, last.get(uid) ?? 0))
  }
  return count
}

function p99(taken: readonly Taken[]): number {
  const sorted = taken.map(({ latency }) => latency).sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}
