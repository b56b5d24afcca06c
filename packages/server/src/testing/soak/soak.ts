import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Context } from '../../context.ts'
import { findViolations } from '../../db/invariants/invariants.ts'
import { inProcessCli } from '../cli.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import type { Credentials } from '../installations.ts'
import { withContext } from '../installations.ts'
import { type ServerProcess, startProcess } from '../processes/process.ts'
import { childrenOf } from '../processes/workers.ts'
import { seededRandom } from '../random.ts'
import { startSmtp } from '../smtp/smtp.ts'
import { SoakLoad, type SoakShop } from './load.ts'
import {
  lowestPerMinute,
  openDescriptors,
  p99PerMinute,
  residentMegabytes,
  type Sample,
  type Trend,
  trendOf,
} from './samples.ts'

export interface SoakOptions {
  minutes: number
  workers: 1 | 2
  seed: number
  /** A folder with a file for the download. */
  file: string
}

const DAY = 86_400
const SAMPLE_EVERY_MS = 5_000
/** Memory settles while code is compiled. */
const WARM_UP = 1 / 3
const PRELOADED = new URL('./measured-process.mjs', import.meta.url).href
/** Within this time after the signal, the garbage is collected also on a busy machine. */
const COLLECTING_MS = 2_000

/** The processes that live from the start to the end, and the ages of what waits. */
interface Samples {
  memory: Map<string, Sample[]>
  descriptors: Map<string, Sample[]>
  mailAge: Sample[]
  orderAge: Sample[]
}

export interface SoakReport {
  counts: Record<string, number>
  kills: number
  clockMoves: number
  /** Megabytes after a garbage collection, by process. */
  memory: Record<string, Trend>
  descriptors: Record<string, Trend>
  /** Seconds. */
  mailAge: Trend
  orderAge: Trend
  /** Milliseconds. */
  checkP99: Trend
}

/**
 * Loads a service for a long time while processes beside the measured ones are killed or restarted and the sandbox's
 * clock is moved, and reports what grows. With one worker, a second server on the same databases is the one that is
 * killed; with two, it is one of the workers.
 */
export async function soak(database: TestDatabase, options: SoakOptions): Promise<SoakReport> {
  const smtp = await startSmtp()
  const installation = await database.createMigrated()
  const env = {
    ...installation.env,
    GATEHOUSE_SMTP_URL: smtp.url,
    GATEHOUSE_WORKERS: String(options.workers),
    NODE_OPTIONS: `--import=${PRELOADED}`,
  }
  const shop = await openSoakShop(installation, options.file)
  const server = await startProcess({ env })
  const random = seededRandom(options.seed)
  try {
    const load = new SoakLoad(await server.url, shop, random)
    await load.warmUp(options.workers)
    const running = load.run()
    const target = { server, load, random, env, until: options.minutes }
    const [samples, kills, clockMoves] = await Promise.all([
      withContext(installation, (ctx) => takeSamples(target, ctx)),
      options.workers === 2 ? killWorkers(target) : killServers(target),
      moveClock(target),
    ])
    load.stop()
    await running
    const ended = await server.stop()
    if (load.failure !== undefined) {
      throw new Error(`the server logged:\n${ended.stdout.slice(-4_000)}`, { cause: load.failure })
    }
    expect(ended, ended.stdout.slice(-2_000)).toMatchObject({ code: 0, stderr: '' })
    await withContext(installation, requireInvariants)
    return { ...reportOf(samples, load, options.minutes), kills, clockMoves }
  } finally {
    await server.kill()
    await smtp.stop()
    await installation.remove()
  }
}

async function openSoakShop(installation: TestInstallation, file: string): Promise<SoakShop> {
  const cli = inProcessCli(installation.env)
  async function open(environment: string, rid: string): Promise<Credentials> {
    const { aid, private_key: privateKey } = await cli.json<{ aid: string; private_key: string }>(
      ...['app', 'create', '--env', environment, '--name', 'Soak', '--currency', 'EUR'],
    )
    await cli.json('resource', 'create', '--aid', aid, '--rid', rid, '--name', rid)
    return { aid, privateKey, rid }
  }
  const production = await open('production', 'news')
  const sandbox = await open('sandbox', 'daily')
  const price = ['--amount', '1', '--every', '1 day']
  await cli.json('price', 'create', '--aid', sandbox.aid, '--rid', 'daily', ...price)
  const named = ['--aid', production.aid, '--rid', 'news', '--title', 'Issue', '--publish']
  await cli.json('download', 'create', ...named, '--file', file)
  return { production, sandbox }
}

interface Target {
  server: ServerProcess
  load: SoakLoad
  random: () => number
  env: Record<string, string>
  /** Minutes. */
  until: number
}

const isOver = ({ load, until }: Target) => load.minute >= until || load.failure !== undefined

/** Sleeps up to this many seconds, less if the run ends before. */
async function pause(target: Target, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end && !isOver(target)) await sleep(250)
}

/** The processes that are not killed: the server, and with workers also the first of them. */
function lastingProcesses({ pid }: ServerProcess): [name: string, pid: number][] {
  const [first] = childrenOf(pid)
  return [['server', pid], ...(first === undefined ? [] : [['worker', first] as [string, number]])]
}

async function takeSamples(target: Target, ctx: Context): Promise<Samples> {
  const processes = lastingProcesses(target.server)
  const newSeries = () => new Map(processes.map(([name]) => [name, [] as Sample[]]))
  const samples: Samples = {
    ...{ memory: newSeries(), descriptors: newSeries(), mailAge: [], orderAge: [] },
  }
  let measured = -1
  while (!isOver(target)) {
    const { minute } = target.load
    if (Math.floor(minute) > measured) {
      measured = Math.floor(minute)
      for (const [name, pid] of processes) {
        samples.memory.get(name)?.push({ minute, value: await neededMegabytes(pid) })
      }
    }
    for (const [name, pid] of processes) {
      samples.descriptors.get(name)?.push({ minute, value: openDescriptors(pid) })
    }
    samples.mailAge.push({ minute, value: await oldestMailAge(ctx) })
    samples.orderAge.push({ minute, value: await oldestOrderAge(ctx) })
    await sleep(SAMPLE_EVERY_MS)
  }
  return samples
}

/** The memory of a process without garbage. With it, memory says more about how V8 spreads objects over pages than about
 * what is kept. */
async function neededMegabytes(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  let least = residentMegabytes(pid)
  for (const end = performance.now() + COLLECTING_MS; performance.now() < end; await sleep(10)) {
    least = Math.min(least, residentMegabytes(pid))
  }
  return least
}

/** How long the oldest unsent mail has been waiting, in seconds. */
async function oldestMailAge({ environments: { production } }: Context): Promise<number> {
  const row = await production.database.read
    .selectFrom('outbox')
    .select((eb) => eb.fn.min('created').as('created'))
    .where('status', 'in', ['queued', 'sending'])
    .executeTakeFirst()
  const created = row?.created ?? null
  return created === null ? 0 : Math.max(0, production.realTime() - created) / 1000
}

/** How long the oldest charge without an outcome has been pending, in seconds. */
async function oldestOrderAge({ environments: { sandbox } }: Context): Promise<number> {
  await sandbox.refreshClock()
  const row = await sandbox.database.read
    .selectFrom('payments')
    .select((eb) => eb.fn.min('created').as('created'))
    .where('status', '=', 'pending')
    .executeTakeFirst()
  const created = row?.created ?? null
  return created === null ? 0 : Math.max(0, sandbox.clock() - created)
}

/** Kills or restarts a second server on the same databases, again and again. */
async function killServers(target: Target): Promise<number> {
  let kills = 0
  while (!isOver(target)) {
    const other = await startProcess({ env: target.env })
    await other.url
    await pause(target, 5 + target.random() * 20)
    if (kills++ % 3 === 2) expect(await other.stop()).toMatchObject({ code: 0, stderr: '' })
    else await other.kill()
  }
  return kills
}

/** Kills one of two workers, again and again; the server replaces it. */
async function killWorkers(target: Target): Promise<number> {
  const [lasting] = childrenOf(target.server.pid)
  let kills = 0
  while (!isOver(target)) {
    await pause(target, 10 + target.random() * 20)
    const victim = childrenOf(target.server.pid).find((pid) => pid !== lasting)
    if (victim === undefined || isOver(target)) continue
    target.load.noteKill()
    process.kill(victim, 'SIGKILL')
    kills++
  }
  return kills
}

/** Moves the sandbox's clock by a day every minute, which renews every subscription. */
async function moveClock(target: Target): Promise<number> {
  let moves = 0
  while (!isOver(target)) {
    await pause(target, 60)
    if (isOver(target)) return moves
    await target.load.advanceClock(DAY)
    moves++
  }
  return moves
}

async function requireInvariants({ environments }: Context): Promise<void> {
  for (const { database, clock, refreshClock } of Object.values(environments)) {
    await refreshClock()
    expect(await findViolations(database.read, clock())).toEqual([])
  }
}

function reportOf(samples: Samples, load: SoakLoad, minutes: number) {
  const warmUp = minutes * WARM_UP
  const trends = (series: Map<string, Sample[]>, prepare = (one: Sample[]) => one) =>
    Object.fromEntries([...series].map(([name, of]) => [name, trendOf(prepare(of), warmUp)]))
  return {
    counts: load.counts,
    memory: trends(samples.memory),
    descriptors: trends(samples.descriptors, lowestPerMinute),
    mailAge: trendOf(samples.mailAge, warmUp),
    orderAge: trendOf(samples.orderAge, warmUp),
    checkP99: trendOf(p99PerMinute(load.checks), warmUp),
  }
}
