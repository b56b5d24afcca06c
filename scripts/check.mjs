// Runs all checks besides the tests in one command, for people and for CI.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))

const steps = [
  ['format and lint', bin('biome'), ['ci', '--colors=off', '.']],
  ['types', bin('tsc'), ['-p', '.']],
  ['dependency rules', bin('depcruise'), ['packages', '--config', '.dependency-cruiser.cjs']],
  ['unused code', bin('knip'), []],
  ['lock file', process.execPath, ['scripts/complete-lock.mjs', '--check']],
  ['contract', process.execPath, ['scripts/contract.mjs', '--check']],
  ['schema', bin('vitest'), ['run', 'packages/server/src/db/schema.test.ts']],
]

const failed = []
for (const [name, command, args] of steps) {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`)
  if (status === 0) continue
  failed.push(name)
  console.log(`${stdout}${stderr}`)
}
if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
