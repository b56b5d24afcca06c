import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import suite from '../vitest.config.ts'
import { filesAt, instrument } from './instrument.ts'
import { LEFT_OUT, modules, TEST_FOLDERS } from './modules.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder that the paths of mutants are relative to. */
    source: string
    /** The files that have mutants. */
    code: string[]
    /** The file that lists the mutants. */
    mutants: string
    /** The file that outcomes are appended to. */
    results: string
    /** The file that tests are appended to which have failed without a mutant. */
    unreliable: string
    /** The file that says which test passes which mutant. */
    coverage: string
    /** How many test files are run before the mutants are tried. */
    testFiles: number
    /** Only mutants of files whose path matches this pattern are tried. */
    only: string
    /** The tests that are run against one mutant take at most this long without it. */
    secondsPerMutant: number
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'packages/server/src')
const names = (process.env.MUTANTS_MODULES || Object.keys(modules).join()).split(',')
const codeOf = (module: string) => {
  const code = modules[module]
  if (!code) throw new Error(`no module ${module}: choose from ${Object.keys(modules).join(', ')}`)
  return filesAt(source, code).filter((file) => !/\.test\./.test(file))
}

const smallest = (paths: readonly string[]) =>
  paths.toSorted((a, b) => statSync(a).size - statSync(b).size)[0]

/** The module of each file, by the path of the file. */
const moduleOf = new Map(names.flatMap((one) => codeOf(one).map((file) => [file, one] as const)))
const tests = filesAt(source, TEST_FOLDERS).filter(
  (file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file),
)
const { mutants, code } = await instrument(source, moduleOf)
const folder = join(root, '.cache/mutants', process.env.MUTANTS_MODULES || 'all')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'mutants.json'), JSON.stringify(mutants))
const coverage = join(folder, 'coverage.json')
const known = existsSync(coverage) ? readFileSync(coverage, 'utf8') : ''
const changedAt = (path: string) => statSync(path).mtimeMs
const changed = tests.filter(
  (test) => !known.includes(test) || changedAt(test) > changedAt(coverage),
)
/** Test files that have not changed since an earlier run needn't be run again to know what they pass. */
const first = changed.length > 0 ? changed : tests.filter((test) => test === smallest(tests))

/** Runs the tests of some modules against their mutants, in one process: `npm run mutants`. */
export default defineConfig({
  ...suite,
  root,
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => code.get(id) }],
  test: {
    ...suite.test,
    include: first,
    runner: join(root, 'mutants/runner.ts'),
    provide: {
      source,
      code: [...moduleOf.keys()],
      mutants: join(folder, 'mutants.json'),
      results: join(folder, 'results.jsonl'),
      unreliable: join(folder, 'unreliable.txt'),
      coverage,
      testFiles: first.length,
      only: process.env.MUTANTS_ONLY ?? '',
      secondsPerMutant: Number(process.env.MUTANTS_SECONDS ?? 20),
    },
    pool: 'forks',
    maxWorkers: 1,
    expect: { poll: { timeout: 5_000 } },
    dangerouslyIgnoreUnhandledErrors: true,
  },
})
