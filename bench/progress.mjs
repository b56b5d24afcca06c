// Keeps the results of finished parts, so that a run that was cut off continues where it was.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CACHE } from './records/homes.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The code that is measured, and the code that measures it. */
const MEASURED = ['packages', 'bench/*.mjs', 'bench/*/*.mjs', 'package-lock.json']

function git(...args) {
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 })
  return stdout
}

/** Settings that say what is measured in this run, and not how. */
const SELECTION = new Set(['parts', 'engines', 'keep', 'clean', 'isFresh'])

/** Changes with the code, with how much is measured, and with the version of Node. Files that git doesn't know count by
 * their names. */
function keyOf(settings) {
  const amounts = Object.entries(settings).filter(([name]) => !SELECTION.has(name))
  const state = [
    git('rev-parse', 'HEAD'),
    git('diff', 'HEAD', '--', ...MEASURED),
    git('status', '--porcelain', '--', ...MEASURED),
    process.version,
    JSON.stringify(amounts),
  ]
  return createHash('sha256').update(state.join('\n')).digest('hex').slice(0, 12)
}

/** The results of finished parts of a run with the same code and settings. A quick run keeps none. */
export function openProgress(settings) {
  if (settings.isQuick) return { find: () => undefined, keep() {}, end() {} }
  const folder = join(CACHE, 'progress')
  const own = join(folder, keyOf(settings))
  if (settings.isFresh || !existsSync(own)) rmSync(folder, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  const pathOf = (part, engine) => join(own, `${part}-${engine}.json`)
  return {
    find(part, engine) {
      const path = pathOf(part, engine)
      return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
    },
    keep(part, engine, result) {
      writeFileSync(pathOf(part, engine), JSON.stringify(result))
    },
    /** After a whole run, the next one measures everything again. */
    end() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
