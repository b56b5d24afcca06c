// Runs the tests of some modules against their mutants, and lists those that no test has noticed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: {
    resume: { type: 'boolean' },
    retry: { type: 'boolean' },
    report: { type: 'boolean' },
  },
  allowPositionals: true,
})
const name = positionals.join(',')
const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = fileURLToPath(new URL('../node_modules/.bin/vitest', import.meta.url))
const folder = `${root}.cache/mutants/${name || 'all'}`
const results = `${folder}/results.jsonl`

const readLines = () =>
  existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean) : []
const unreliable = `${folder}/unreliable.txt`
const progress = () =>
  readLines().length + (existsSync(unreliable) ? readFileSync(unreliable).length : 0)
const readMutants = () => JSON.parse(readFileSync(`${folder}/mutants.json`))

const isKilled = (line) => JSON.parse(line).state === 'killed'

function run() {
  const env = { ...process.env, MUTANTS_MODULES: name, TEST_DATABASES: 'sqlite' }
  const args = ['run', '--config', 'mutants/vitest.config.ts', '--reporter=default']
  spawnSync(vitest, args, { cwd: root, env, stdio: 'inherit' })
}

function report() {
  const outcomes = new Map(readLines().map((line) => [JSON.parse(line).id, JSON.parse(line)]))
  const modules = new Map()
  for (const mutant of readMutants()) {
    const { id, module, file, line, column, mutator, replacement } = mutant
    const counts = modules.get(module) ?? {
      all: 0,
      killed: 0,
      survived: 0,
      uncovered: 0,
      seconds: 0,
    }
    modules.set(module, counts)
    counts.all++
    const outcome = outcomes.get(id)
    if (!outcome) continue
    counts[outcome.state]++
    counts.seconds += outcome.seconds ?? 0
    if (outcome.state === 'killed') continue
    const shown = replacement.replace(/\s+/g, ' ').slice(0, 90)
    console.log(`${outcome.state}  ${file}:${line}:${column}  ${mutator}: ${shown}`)
  }
  for (const [module, { all, killed, survived, uncovered, seconds }] of modules) {
    const score = ((100 * killed) / Math.max(1, killed + survived)).toFixed(1)
    const tried = `${killed} killed, ${survived} survived, ${uncovered} uncovered of ${all}`
    console.log(
      `${module}: ${tried}; ${score} % of those that tests pass are killed; ${Math.round(seconds)} s`,
    )
  }
}

if (!values.report) {
  if (values.retry)
    writeFileSync(
      results,
      readLines()
        .filter(isKilled)
        .map((line) => `${line}\n`)
        .join(''),
    )
  else if (!values.resume) rmSync(folder, { recursive: true, force: true })
  // A mutant may end the process, or spoil it for those after it; another process goes on where it ended.
  for (let before = -1; progress() > before; ) {
    before = progress()
    run()
  }
}
report()
