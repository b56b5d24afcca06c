import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Gatehouse } from '@gatehouse/sdk'
import { expect } from 'vitest'
import { findViolations } from '../../packages/server/src/db/invariants/invariants.ts'
import { findDamagedFiles } from '../../packages/server/src/domain/downloads/damage.ts'
import { listDownloads } from '../../packages/server/src/domain/downloads/downloads.ts'
import { sweepDownloads } from '../../packages/server/src/domain/downloads/sweep.ts'
import { createResource } from '../../packages/server/src/domain/resources/resources.ts'
import { spawnedCli } from '../../packages/server/src/testing/cli.ts'
import type { TestDatabase, TestInstallation } from '../../packages/server/src/testing/databases.ts'
import {
  type Credentials,
  createApplicationIn,
  withContext,
} from '../../packages/server/src/testing/installations.ts'
import { startProcess } from '../../packages/server/src/testing/processes/process.ts'
import { seededRandom } from '../../packages/server/src/testing/random.ts'
import { writeLargeFile } from './large-file-server.ts'

const COMMAND = fileURLToPath(new URL('../../packages/server/bin/gatehouse.mjs', import.meta.url))
const MIB = 1024 * 1024
const DAY_MS = 86_400_000

/** The sizes of the uploaded files. They differ, so that a mixture of two files matches neither. */
const SOURCES = [48, 64, 96, 128].map((size) => size * MIB)
const READERS = 6

export interface KillReport {
  kills: number
  /** Uploads that were killed too, and those that had finished before. */
  uploadsKilled: number
  uploadsDone: number
  /** Responses that were complete, and those that were not. */
  whole: number
  broken: number
  swept: number
}

interface KillContext {
  installation: TestInstallation
  app: Credentials
  folder: string
  /** Paths of the files by checksum. */
  sources: ReadonlyMap<string, string>
  random: () => number
  report: KillReport
}

/** Repeatedly kills a server while it sends files, and commands while they upload files. */
export async function killDuringTransfers(
  database: TestDatabase,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<KillReport> {
  const random = seededRandom(seed)
  const installation = await database.createEmpty()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sources-'))
  const report = { kills: 0, uploadsKilled: 0, uploadsDone: 0, whole: 0, broken: 0, swept: 0 }
  try {
    const app = await createApplicationIn(installation)
    const sources = await writeSources(folder, seed)
    const system: KillContext = { installation, app, folder, sources, random, report }
    await upload(system, 'create', app.rid)
    for (let round = 0; round < rounds; round++) await killOnce(system, round)
    await requireSwept(system)
    return report
  } finally {
    await installation.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeSources(folder: string, seed: number): Promise<Map<string, string>> {
  const sources = new Map<string, string>()
  for (const [index, size] of SOURCES.entries()) {
    const path = join(folder, `source${index}.bin`)
    sources.set(await writeLargeFile(path, size, seed + index), path)
  }
  return sources
}

async function killOnce(system: KillContext, round: number): Promise<void> {
  const { app, installation, random, report } = system
  const server = await startProcess({ env: installation.env })
  const client = new Gatehouse({ baseUrl: await server.url, ...app })
  const { url } = await client.getDownloadUrl({ rid: app.rid, lifetime: 3600 })
  const readers = Array.from({ length: READERS }, () => readUntilKilled(system, url))
  const uploads = [
    startUpload(system, 'replace', app.rid),
    startUpload(system, 'create', await newResource(system, `new${round}`)),
  ]
  await untilTaking(
    system,
    uploads.map(({ process }) => process),
  )
  await sleep(random() * 600)
  expect(await server.kill()).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  report.kills++
  for (const { process } of uploads) {
    await sleep(random() * 100)
    process.kill('SIGKILL')
  }
  const killed = await Promise.all(uploads.map(({ ended }) => ended))
  report.uploadsKilled += killed.filter((wasKilled) => wasKilled).length
  report.uploadsDone += killed.filter((wasKilled) => !wasKilled).length
  await Promise.all(readers)
  await requireWhole(system)
}

const pick = <T>(items: Iterable<T>, random: () => number): T => {
  const all = [...items]
  return all[Math.floor(random() * all.length)] as T
}

function uploadArgs({ app, sources, random }: KillContext, how: 'create' | 'replace', rid: string) {
  const file = pick(sources.values(), random)
  const args = ['download', how, '--aid', app.aid, '--rid', rid, '--file', file]
  return how === 'create' ? [...args, '--publish'] : args
}

async function upload(system: KillContext, how: 'create' | 'replace', rid: string): Promise<void> {
  await spawnedCli(system.installation.env).json(...uploadArgs(system, how, rid))
}

/** Starts the real command. `ended` resolves to whether it was killed, and rejects if it failed otherwise. */
function startUpload(system: KillContext, how: 'create' | 'replace', rid: string) {
  const env = { ...process.env, ...system.installation.env }
  const args = [COMMAND, ...uploadArgs(system, how, rid)]
  const child = spawn(process.execPath, args, {
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    if (code !== 0 && signal !== 'SIGKILL') throw new Error(`ended with ${code}: ${stderr}`)
    return signal === 'SIGKILL'
  })
  return { process: child, ended }
}

const filesOf = ({ installation }: KillContext) =>
  join(installation.env.GATEHOUSE_DATA as string, 'files', 'production')
const uploadsOf = (system: KillContext) =>
  readdir(join(filesOf(system), 'uploads')).catch(() => [] as string[])

/** Resolves when each command has begun to upload, or one of them has finished. */
async function untilTaking(system: KillContext, commands: readonly ChildProcess[]): Promise<void> {
  const before = new Set(await uploadsOf(system))
  const seen = new Set<string>()
  const isOver = ({ exitCode, signalCode }: ChildProcess) =>
    exitCode !== null || signalCode !== null
  while (seen.size < commands.length && !commands.some(isOver)) {
    for (const name of await uploadsOf(system)) {
      if (!before.has(name) && !name.includes('.')) seen.add(name)
    }
    await sleep(1)
  }
}

async function newResource({ installation, app }: KillContext, rid: string): Promise<string> {
  await withContext(installation, async ({ environments: { production } }) => {
    const { database, clock } = production
    const resource = { aid: app.aid, rid, name: rid, url: '' }
    await database.write((trx) => createResource(trx, resource, clock(), 'test'))
  })
  return rid
}

/** Downloads until the server is killed. Each complete body must be one of the files, and match its ETag. */
async function readUntilKilled({ sources, report }: KillContext, url: string): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(url)
      expect(answer.status).toBe(200)
      const hash = createHash('sha256')
      for await (const chunk of answer.body ?? []) hash.update(chunk)
      const sha256 = hash.digest('hex')
      expect(answer.headers.get('etag')).toBe(`"${sha256}"`)
      expect([...sources.keys()]).toContain(sha256)
      report.whole++
    } catch (error) {
      // `fetch` throws a TypeError when the server is gone, before or during a response.
      if (!(error instanceof TypeError)) throw error
      report.broken++
      return
    }
  }
}

/** Requires that every record has all bytes of its file, and that no invariant is violated. */
async function requireWhole({ installation, app, sources }: KillContext): Promise<void> {
  await withContext(installation, async ({ environments: { production } }) => {
    const { database, stores, clock } = production
    expect(await findDamagedFiles(database.read, stores, () => {})).toEqual([])
    expect(await findViolations(database.read, clock())).toEqual([])
    for (const { sha256 } of await listDownloads(database.read, app.aid)) {
      expect([...sources.keys()]).toContain(sha256)
    }
  })
}

/** Requires that two days later nothing is left of interrupted uploads, and every file of a record is there. */
async function requireSwept(system: KillContext): Promise<void> {
  await withContext(system.installation, async ({ environments: { production } }) => {
    const { database } = production
    const later = { ...production, realTime: () => Date.now() + 2 * DAY_MS }
    system.report.swept = await sweepDownloads(later)
    const rows = await listDownloads(database.read, system.app.aid)
    const named = [...new Set(rows.map(({ sha256 }) => sha256))].sort()
    const found = (await readdir(filesOf(system))).filter((name) => name !== 'uploads')
    expect(found.sort()).toEqual(named)
    expect(await uploadsOf(system)).toEqual([])
    const files = await database.read.selectFrom('files').select('id').execute()
    expect(files.length).toBe(rows.length)
  })
  await requireWhole(system)
}
