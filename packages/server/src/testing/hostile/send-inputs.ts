import { setTimeout as sleep } from 'node:timers/promises'
import { beginSession } from '../../domain/staff/sessions.ts'
import { addStaff } from '../../domain/staff/staff.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import { send } from '../http/requests.ts'
import { createApplicationIn, withContext } from '../installations.ts'
import { type ServerProcess, startProcess } from '../processes/process.ts'
import { seededRandom } from '../random.ts'
import { createSeedImages, hostileImage, hostileSheet, hostileTemplate } from './inputs.ts'

/** The longest time in milliseconds for which the event loop stood still: what it had of a processor in it, and all of it, in
 * which other programs may have had the processor. */
interface Pause {
  processor: number
  whole: number
}

export interface HostileReport {
  /** How many answers had which status, by kind of input. */
  answers: Record<string, Record<string, number>>
  /** Answers with a status that no input may cause; 0 stands for none. */
  unexpected: string[]
  pauses: Record<string, Pause>
  /** How often the service did not answer that it is there. */
  lostPings: number
  slowestPingMs: number
  seconds: number
}

interface Target {
  url: string
  aids: readonly string[]
  headers: Record<string, string>
}

type Input = { method: string; path: string; type: string; body: Buffer | string }

const SENDERS = 4
const PRELOADED = new URL('./pauses.mjs', import.meta.url).href
const EXPECTED = new Set([200, 204, 400, 402, 413, 503])

/** Sends hostile inputs of each kind to a service in a process of its own, and reports how long it stood still. */
export async function sendHostileInputs(
  database: TestDatabase,
  { count, seed }: { count: number; seed: number },
): Promise<HostileReport> {
  const installation = await database.createMigrated()
  const aids = [await createApplicationIn(installation), await createApplicationIn(installation)]
  const headers = await signIn(installation)
  const server = await startProcess({
    env: { ...installation.env, NODE_OPTIONS: `--import=${PRELOADED}` },
  })
  try {
    const target = { url: await server.url, aids: aids.map(({ aid }) => aid), headers }
    return await sendAll(server, target, count, seededRandom(seed))
  } finally {
    await server.kill()
    await installation.remove()
  }
}

async function signIn(installation: TestInstallation): Promise<Record<string, string>> {
  return await withContext(installation, async ({ control, environments }) => {
    const now = environments.production.realTime()
    const token = await control.write(async (trx) => {
      const input = { email: 'ann@staff.example', name: 'Ann', password: 'none' }
      const { id } = await addStaff(trx, { ...input, role: 'owner' }, now)
      return await beginSession(trx, id, 'test', now)
    })
    return { cookie: `gatehouse-session=${token}`, 'sec-fetch-site': 'same-origin' }
  })
}

async function sendAll(
  server: ServerProcess,
  target: Target,
  count: number,
  random: () => number,
): Promise<HostileReport> {
  const started = performance.now()
  const seeds = await createSeedImages()
  const kinds: Record<string, { share: number; make: () => Input }> = {
    templates: { share: 0.4, make: () => templateInput(random) },
    sheets: { share: 0.4, make: () => sheetInput(random) },
    images: { share: 0.2, make: () => imageInput(hostileImage(random, seeds)) },
  }
  await warmUp(server, target, Object.values(kinds))
  const report: HostileReport = {
    ...{ answers: {}, unexpected: [], pauses: {}, lostPings: 0, slowestPingMs: 0, seconds: 0 },
  }
  const stopPinging = ping(target.url, report)
  for (const [kind, { share, make }] of Object.entries(kinds)) {
    const answers: Record<string, number> = {}
    await sendMany(target, Math.ceil(count * share), make, (status, text) => {
      answers[status] = (answers[status] ?? 0) + 1
      if (!EXPECTED.has(status)) report.unexpected.push(`${kind} ${status} ${text.slice(0, 200)}`)
    })
    report.answers[kind] = answers
    report.pauses[kind] = await readPauses(server)
  }
  await stopPinging()
  if (report.unexpected.length > 0) report.unexpected.push(server.stdout.slice(-4_000))
  report.seconds = Math.round((performance.now() - started) / 1000)
  return report
}

/** Code that runs for the first time is compiled, which is no matter of its input. */
async function warmUp(server: ServerProcess, target: Target, kinds: { make: () => Input }[]) {
  for (const { make } of kinds) await sendMany(target, 20, make, () => {})
  await readPauses(server)
}

async function sendMany(
  { url, aids, headers }: Target,
  count: number,
  make: () => Input,
  onAnswer: (status: number, text: string) => void,
): Promise<void> {
  let left = count
  async function sendSome(sender: number): Promise<void> {
    const at = `/dashboard/api/production/${aids[sender % aids.length]}`
    while (left-- > 0) {
      const { method, path, type, body } = make()
      const sent = { method, headers: { ...headers, 'content-type': type }, body: body as string }
      const { status, text } = await send(url, at + path, sent).catch((error: Error) => ({
        ...{ status: 0, text: `${path}: ${error.message}` },
      }))
      onAnswer(status, text)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, (_, n) => sendSome(n)))
}

function templateInput(random: () => number): Input {
  const template = hostileTemplate(random)
  const json = { method: 'POST', path: '/settings/mail-preview', type: 'application/json' }
  if (random() < 0.7) return { ...json, body: JSON.stringify({ kind: 'grant', template }) }
  return {
    ...json,
    method: 'PATCH',
    path: '/settings',
    body: JSON.stringify({ mail_template: template }),
  }
}

function sheetInput(random: () => number): Input {
  const isImport = random() < 0.5
  const path = isImport ? '/access/import?dry_run=true&rid=news' : '/access/import/read'
  return { method: 'POST', path, type: 'application/octet-stream', body: hostileSheet(random) }
}

const imageInput = (body: Buffer): Input => ({
  ...{ method: 'PUT', path: '/resources/news/image', type: 'application/octet-stream', body },
})

/** Asks again and again whether the service is there. */
function ping(url: string, report: HostileReport): () => Promise<void> {
  let isOver = false
  async function run(): Promise<void> {
    while (!isOver) {
      const began = performance.now()
      const isThere = await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (!isThere) report.lostPings++
      report.slowestPingMs = Math.max(report.slowestPingMs, performance.now() - began)
      await sleep(20)
    }
  }
  const running = run()
  return async () => {
    isOver = true
    await running
  }
}

/** Reads the longest pauses since the last time. */
async function readPauses(server: ServerProcess): Promise<Pause> {
  const before = server.stdout.length
  server.signal('SIGUSR2')
  for (;;) {
    const line = /^\{"pauses":.*\}$/m.exec(server.stdout.slice(before))
    if (line) return (JSON.parse(line[0]) as { pauses: Pause }).pauses
    await sleep(50)
  }
}
