// Runs all checks besides the tests in one command, for people and for CI.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))

/** Two lists that take about as long, run beside each other. */
const LISTS = [
  [
    ['types', process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', '.']],
    ['unused code', bin('knip'), []],
  ],
  [
    ['format and lint', bin('biome'), ['ci', '--colors=off', '.']],
    ['dependency rules', bin('depcruise'), ['packages', '--config', '.dependency-cruiser.cjs']],
    ['regular expressions', process.execPath, ['scripts/patterns.mjs']],
    ['normalizing', process.execPath, ['scripts/normalizing.mjs']],
    ['lock file', process.execPath, ['scripts/complete-lock.mjs', '--check']],
    ['install scripts', process.execPath, ['scripts/install-scripts.mjs']],
    ['packages', process.execPath, ['scripts/check-packages.mjs']],
    ['contract', process.execPath, ['scripts/contract.mjs', '--check']],
    ['schema', bin('vitest'), ['run', 'packages/server/src/db/schema.test.ts']],
  ],
]

/** Runs one step to its end, and prints its result. Returns whether it passed. */
async function run([name, command, args]) {
  const started = performance.now()
  const child = spawn(command, args, { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const [status] = await once(child, 'close')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`)
  if (status !== 0) console.log(output)
  return status === 0
}

const failed = []
async function runInTurn(steps) {
  for (const step of steps) if (!(await run(step))) failed.push(step[0])
}
await Promise.all(LISTS.map(runInTurn))
if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
