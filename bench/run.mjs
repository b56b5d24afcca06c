// Measures Gatehouse against common alternatives, and against the machine's limit: `npm run bench`.
// docs/internals/benchmark.md explains what is measured, and how.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireTools } from '../scripts/tools.mjs'
import { judge } from './figures.mjs'
import { withinLimit } from './limits.mjs'
import { describeMachine } from './machine.mjs'
import { startPostgres, stopServers } from './postgres.mjs'
import { openProgress } from './progress.mjs'
import {
  CACHE,
  clean,
  openHome,
  removeHome,
  removeStaleHomes,
  requireSound,
} from './records/homes.mjs'
import { asText, writeDocuments, writeResults } from './report.mjs'
import { stopAll } from './services.mjs'
import { ENGINES, PARTS, readSettings } from './settings.mjs'
import { counted } from './statistics.mjs'

const settings = readSettings(process.argv.slice(2))
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
// PostgreSQL runs as another user, and has a folder in there.
chmodSync(folder, 0o711)
const began = performance.now()
const say = (text) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}`)

/** The servers to compare with have their own packages. */
function installPeers() {
  const here = fileURLToPath(new URL('.', import.meta.url))
  if (existsSync(join(here, 'node_modules/.package-lock.json'))) return
  say('installing Express and Knex')
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', args, { cwd: here, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci in bench: ${stderr}`)
}

/** Checking a larger installation would take minutes. */
const SOUND_RECORDS = 10_000

/** Opens the installations that the parts need, of both engines concurrently. */
async function openHomes(server) {
  const needs = (part) => settings.parts.includes(part)
  const largest = settings.sizes.at(-1)
  const sizes = new Set([
    ...(['check', 'passes', 'nodes'].some(needs) ? [settings.checked] : []),
    ...(needs('search') ? settings.sizes : []),
    ...(needs('scaling') ? [largest] : []),
  ])
  const homes = Object.fromEntries(settings.engines.map((engine) => [engine, new Map()]))
  for (const records of [...sizes].sort((a, b) => a - b)) {
    const open = async (engine) => {
      const home = await openHome(engine, records, engine === 'postgres' ? { server } : {})
      homes[engine].set(records, home)
      say(`${counted(records)} records on ${engine}: ${(home.took / 1000).toFixed(1)} s`)
    }
    await withinLimit(settings.limits.data, () => Promise.all(settings.engines.map(open)))
  }
  for (const all of Object.values(homes)) {
    const [smallest] = all.values()
    if (smallest?.records <= SOUND_RECORDS) requireSound(smallest)
  }
  return homes
}

// Each part is loaded on demand: loading one looks for its tools.
const parts = {
  async check({ homes, limit }) {
    const { measureChecks } = await import('./parts/check.mjs')
    return await measureChecks({ home: homes.get(settings.checked), folder, settings, limit })
  },
  async passes({ homes, limit }) {
    const { measurePasses } = await import('./parts/passes.mjs')
    return await measurePasses({ home: homes.get(settings.checked), folder, settings, limit })
  },
  async grant({ engine, server, limit }) {
    const { measureGrants } = await import('./parts/grant.mjs')
    return await measureGrants({ engine, server, folder, settings, limit })
  },
  async mixed({ engine, server, limit }) {
    const { measureMixed } = await import('./parts/mixed.mjs')
    return await measureMixed({ engine, server, folder, settings, limit })
  },
  async search({ homes, limit }) {
    const { measureSearches } = await import('./parts/search.mjs')
    const all = settings.sizes.map((size) => homes.get(size))
    return await measureSearches({ homes: all, settings, limit })
  },
  async mail({ engine, server, limit }) {
    const { measureMails } = await import('./parts/mail.mjs')
    return await measureMails({ engine, server, settings, limit })
  },
  async scaling({ homes, limit }) {
    const { measureScaling } = await import('./parts/scaling.mjs')
    return await measureScaling({ home: homes.get(settings.sizes.at(-1)), folder, settings, limit })
  },
  async nodes({ homes, limit }) {
    const { measureNodes } = await import('./parts/nodes.mjs')
    return await measureNodes({ home: homes.get(settings.checked), folder, settings, limit })
  },
  async bulk({ engine, server }) {
    const { measureBulk } = await import('./parts/bulk.mjs')
    return await measureBulk({ engine, server, folder, settings, say })
  },
  async webhooks({ engine, server, limit }) {
    const { measureWebhooks } = await import('./parts/webhooks.mjs')
    return await measureWebhooks({ engine, server, folder, settings, limit, say })
  },
}

async function measureAll(server, homes, progress) {
  const results = Object.fromEntries(settings.engines.map((engine) => [engine, {}]))
  const problems = []
  for (const part of PARTS.filter((name) => settings.parts.includes(name))) {
    for (const engine of settings.engines) {
      const known = progress.find(part, engine)
      if (known) {
        say(`${part} on ${engine}: measured before`)
        results[engine][part] = known
        continue
      }
      say(`${part} on ${engine}`)
      try {
        // An installation that is given a server is on that server.
        const where = { engine, server: engine === 'postgres' ? server : undefined }
        const { result, wasCut } = await withinLimit(settings.limits[part], (limit) =>
          parts[part]({ ...where, homes: homes[engine], limit }),
        )
        results[engine][part] = result
        progress.keep(part, engine, result)
        if (wasCut) say(`cut after ${settings.limits[part]} s: not all rounds were made`)
      } catch (error) {
        problems.push(`${part} on ${engine}: ${error.message}`)
        console.error(error.stack)
      } finally {
        await stopAll()
      }
    }
  }
  return { results, problems }
}

/** Keeps what takes long to create, but not what fills a disk. */
const KEPT_RECORDS = 1_000_000

async function removeLargest(homes) {
  for (const [records, home] of Object.values(homes).flatMap((one) => [...one])) {
    if (records > KEPT_RECORDS && !settings.keep) await removeHome(home)
  }
}

async function bench() {
  if (settings.clean) clean()
  requireTools({ nginx: 'nginx' })
  installPeers()
  mkdirSync(CACHE, { recursive: true, mode: 0o755 })
  const usesPostgres = settings.engines.includes('postgres')
  const server = usesPostgres ? await startPostgres(join(CACHE, 'postgres')) : undefined
  await removeStaleHomes(server)
  const machine = describeMachine(server?.version)
  const homes = await openHomes(server)
  const progress = openProgress(settings)
  const { results, problems } = await measureAll(server, homes, progress)
  const { CLIENT: client } = await import('./load/load.mjs')
  const { engines } = settings
  const figures = judge(results, engines)
  const run = { machine, settings, client, engines, figures, results, problems }
  console.log(`\n${asText(run)}\n`)
  if (!settings.isQuick) say(`written to ${writeResults(run)}.md and .json`)
  const isWhole = settings.parts.length === PARTS.length && engines.length === ENGINES.length
  if (!settings.isQuick && isWhole && problems.length === 0) {
    writeDocuments(run)
    progress.end()
  }
  await removeLargest(homes)
  return problems.length === 0
}

/** Rejects when the benchmark is interrupted, so that no server is left behind. */
const stopped = new Promise((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)))
  }
})

let isGood = false
try {
  isGood = await Promise.race([bench(), stopped])
  say(isGood ? 'done' : 'done, with failures')
} catch (error) {
  console.error(error.stack)
} finally {
  await stopAll()
  await stopServers()
  if (settings.isQuick) clean()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(isGood ? 0 : 1)
