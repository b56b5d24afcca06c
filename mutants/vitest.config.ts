import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import suite from '../vitest.config.ts'
import { filesAt, instrument } from './instrument.ts'
import { type MutatedModule, modules } from './modules.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that lists the mutants. */
    mutants: string
    /** The file that outcomes are appended to. */
    results: string
    /** How many test files there are. */
    testFiles: number
    /** The tests that are run against one mutant take at most this long without it. */
    secondsPerMutant: number
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'packages/server/src')
const name = process.env.MUTANTS_MODULES ?? ''
const chosen = name.split(',').map((one) => {
  const module = modules[one]
  if (!module) throw new Error(`no module ${one}: choose from ${Object.keys(modules).join(', ')}`)
  return module
})

/** Lists the files of all chosen modules that match. */
const filesOf = (part: keyof MutatedModule, pattern: RegExp) =>
  [...new Set(chosen.flatMap((module) => filesAt(source, module[part])))].filter((file) =>
    pattern.test(file),
  )
const files = filesOf('code', /(?<!\.test)\.ts$/)
const tests = filesOf('tests', /(?<!\.browser)\.test\.ts$/)
const { mutants, code } = await instrument(source, files)
const folder = join(root, '.cache/mutants', name)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'mutants.json'), JSON.stringify(mutants))

/** Runs the tests of some modules against their mutants, in one process: `npm run mutants`. */
export default defineConfig({
  ...suite,
  root,
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => code.get(id) }],
  test: {
    ...suite.test,
    include: tests,
    runner: join(root, 'mutants/runner.ts'),
    provide: {
      mutants: join(folder, 'mutants.json'),
      results: join(folder, 'results.jsonl'),
      testFiles: tests.length,
      secondsPerMutant: Number(process.env.MUTANTS_SECONDS ?? 20),
    },
    pool: 'forks',
    maxWorkers: 1,
    // A mutant may make a test wait for what never happens.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 5_000 } },
    dangerouslyIgnoreUnhandledErrors: true,
  },
})
