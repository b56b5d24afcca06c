// Installations with a number of records. They take minutes to create, so they stay in the machine's temporary folder
// for the next run, until the generated data or the tables change.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'

const isQuick = process.argv.includes('--quick')
// A quick run has its own folder: it uses nothing of other runs, and leaves nothing behind.
export const CACHE = join(tmpdir(), `gatehouse-bench-${isQuick ? `quick-${process.pid}` : 'data'}`)

/** Some records expire a day after they were created, so an installation is used for less than that. */
const GOOD_FOR_S = 20 * 3600

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const SHAPE = [
  'shape.mjs',
  'fill.mjs',
  '../../packages/server/src/db/schema/sqlite.sql',
  '../../packages/server/src/db/schema/postgres.sql',
]
const shapeMark = createHash('sha256')
  .update(SHAPE.map((path) => readFileSync(at(path))).join())
  .digest('hex')
  .slice(0, 8)

/** Returns what is known about an installation that was created before and still exists. */
async function recall({ folder, name, server }) {
  const path = join(folder, 'ready.json')
  if (!existsSync(path)) return undefined
  const ready = JSON.parse(readFileSync(path, 'utf8'))
  if (Date.now() / 1000 - ready.made > GOOD_FOR_S) return undefined
  if (!server) return ready
  const found = await server.ask(`select 1 from pg_database where datname = '${name}'`)
  return found.length > 0 ? ready : undefined
}

/** Creates an installation unless it exists. On PostgreSQL it is a separate database on that server. With a `mark` it
 * is always created and not shared, so it may be written to. */
export async function openHome(engine, records, { server, mark } = {}) {
  const name = `${engine}_${records}_${mark ?? shapeMark}`
  const folder = join(CACHE, name)
  const url = server?.url(name)
  const place = { folder, name, server }
  const started = performance.now()
  if (mark || !(await recall(place))) {
    await removeHome(place)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (server) await server.ask(`create database ${name}`)
    await fill(folder, records, url)
  }
  const took = performance.now() - started
  const env = { GATEHOUSE_DATA: folder, ...(url ? { GATEHOUSE_DATABASE_URL: url } : {}) }
  return { ...place, engine, url, env, took, ...(await recall(place)) }
}

/** Copies an installation that no service has open. The copy may be written to. */
export async function copyHome(home, mark) {
  const name = `${home.engine}_${home.records}_${mark}`
  const folder = join(CACHE, name)
  const place = { folder, name, server: home.server }
  await removeHome(place)
  cpSync(home.folder, folder, { recursive: true })
  const url = home.server?.url(name)
  if (home.server) await home.server.ask(`create database ${name} template ${home.name}`)
  const env = { GATEHOUSE_DATA: folder, ...(url ? { GATEHOUSE_DATABASE_URL: url } : {}) }
  return { ...home, ...place, url, env }
}

/** Opens an installation without any records. */
export async function openEmptyHome(engine, mark, { server } = {}) {
  const name = `${engine}_empty_${mark}`
  const folder = join(CACHE, name)
  const place = { folder, name, server }
  await removeHome(place)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (server) await server.ask(`create database ${name}`)
  const url = server?.url(name)
  const env = { GATEHOUSE_DATA: folder, ...(url ? { GATEHOUSE_DATABASE_URL: url } : {}) }
  return { ...place, engine, url, env }
}

/** Removes installations of another shape, and those that were left behind. */
export async function removeStaleHomes(server) {
  const names = readdirSync(CACHE).filter((name) => /^(sqlite|postgres)_/.test(name))
  for (const name of names.filter((one) => !one.endsWith(`_${shapeMark}`))) {
    const isOnServer = name.startsWith('postgres_')
    await removeHome({ folder: join(CACHE, name), name, ...(isOnServer ? { server } : {}) })
  }
}

async function fill(folder, records, url) {
  for (const step of ['applications', 'rows', 'counts']) {
    const args = [at('fill.mjs'), step, folder, String(records), ...(url ? [url] : [])]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`making ${records} records in ${folder} failed: ${step}`)
  }
}

export async function removeHome({ folder, name, server }) {
  rmSync(folder, { recursive: true, force: true })
  if (server) await server.ask(`drop database if exists ${name} with (force)`)
}

/** Reads the file of an installation once, so that the disk is not measured. PostgreSQL has its own cache, which the
 * first round fills. */
export async function warm({ folder, server }) {
  if (server) return
  for await (const _ of createReadStream(join(folder, 'production.sqlite'), {
    highWaterMark: 2 ** 20,
  }));
}

/** Queries the database of an installation directly. */
export async function askHome({ folder, name, server }, sql) {
  if (server) return await server.ask(sql, name, 'production')
  const database = new DatabaseSync(join(folder, 'production.sqlite'), { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

/** Runs a statement that changes rows. Nothing else may have the installation open. */
export async function changeHome({ folder, name, server }, statement) {
  if (server) return await server.ask(statement, name, 'production')
  const database = new DatabaseSync(join(folder, 'production.sqlite'))
  database.exec(statement)
  database.close()
}

/** Requires that the records violate no invariant. */
export function requireSound({ folder, env }) {
  const args = [at('../../packages/server/bin/gatehouse.mjs'), 'doctor', '--deep']
  const options = { cwd: folder, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
  if (status !== 0) throw new Error(`the made-up records are not sound:\n${stdout}${stderr}`)
}

export const clean = () => rmSync(CACHE, { recursive: true, force: true })
