import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type File, startTests, type Test } from '@vitest/runner'
import { inject, TestRunner, vi, type WorkerGlobalState } from 'vitest'
import type { Mutant } from './instrument.ts'
import { type Candidate, type Coverage, fileOf, idOf, Killers } from './killers.ts'
import { firstFailure, HOOKS, nameOf, select, testsOf } from './tasks.ts'

/** The global object through which Stryker's instrumented code is told what to do, and counts what it passes. */
interface InstrumenterState {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage: Coverage
}

export interface Outcome {
  id: string
  state: 'killed' | 'survived' | 'uncovered'
  /** The test that failed. */
  by?: string
  seconds?: number
}

interface KeptCoverage extends Coverage {
  durations: [id: string, milliseconds: number][]
}

const instrumenter: InstrumenterState = { mutantCoverage: { static: {}, perTest: {} } }
Object.assign(globalThis, { __stryker__: instrumenter })

/** Kills are checked in batches of this size: each killing test must pass without a mutant in the same process. */
const BATCH = 10
/** A mutant may make a test wait for what never happens. */
const MAX_TEST_MS = 6_000
/** A mutant may also make the end of a test wait, which has no limit of its own. */
const MAX_MUTANT_MS = 90_000
/** A mutant that makes an endless loop is stopped by an error after this many times the usual passes. */
const MAX_HIT_FACTOR = 10

/**
 * Runs all test files once, to see which test passes which mutant, then activates one mutant after the other and runs
 * the tests that pass it. Everything happens in one process, because loading the service takes longer than most tests.
 */
export default class MutantRunner extends TestRunner {
  private readonly durations = new Map<string, number>()
  private filesRun = 0
  private hasLoadedCode = false

  override async importFile(path: string, source: 'collect' | 'setup'): Promise<unknown> {
    await this.loadCode()
    // A test file is loaded again for each run, since loading is what declares its tests.
    const { evaluatedModules } = (this as unknown as { workerState: WorkerGlobalState }).workerState
    const known = evaluatedModules.getModuleById(path)
    if (known) evaluatedModules.invalidateModule(known)
    return await super.importFile(path, source)
  }

  /** Loads all mutated files before any test: a file that the service loads on demand would otherwise count as executed by
   * the first test that needs it, and its mutants would be tried without loading it again. */
  private async loadCode(): Promise<void> {
    if (this.hasLoadedCode) return
    this.hasLoadedCode = true
    for (const path of inject('code')) await super.importFile(path, 'collect')
  }

  onBeforeRunFiles(files: File[]): void {
    instrumenter.currentTestId = idOf(files[0]?.filepath ?? '', HOOKS)
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    instrumenter.currentTestId = idOf(test.file.filepath, nameOf(test))
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: Test): void {
    instrumenter.currentTestId = idOf(test.file.filepath, HOOKS)
    super.onAfterRunTask(test)
  }

  override async onAfterRunFiles(files?: File[]): Promise<void> {
    super.onAfterRunFiles()
    instrumenter.currentTestId = undefined
    for (const file of files ?? []) this.keepDurations(file)
    this.filesRun++
    if (this.filesRun < inject('testFiles')) return
    this.mergeCoverage()
    // The last results of these tests are sent before those of the mutants follow.
    await delay(500)
    await this.tryMutants()
  }

  /** Adds what an earlier run has learned about test files that were not run now, and keeps all for a later one. */
  private mergeCoverage(): void {
    const path = inject('coverage')
    const { mutantCoverage } = instrumenter
    if (existsSync(path)) {
      const earlier: KeptCoverage = JSON.parse(readFileSync(path, 'utf8'))
      const known = new Set([...this.durations.keys()].map(fileOf))
      for (const [id, duration] of earlier.durations) {
        if (!known.has(fileOf(id))) this.durations.set(id, duration)
      }
      for (const [id, passed] of Object.entries(earlier.perTest)) {
        if (!known.has(fileOf(id))) mutantCoverage.perTest[id] = passed
      }
      Object.assign(mutantCoverage.static, earlier.static)
    }
    const kept: KeptCoverage = { ...mutantCoverage, durations: [...this.durations] }
    writeFileSync(path, JSON.stringify(kept))
  }

  private keepDurations(file: File): void {
    const tests = testsOf(file)
    // Every mutant would count as one that no test executes.
    if (file.result?.state === 'fail' && tests.length === 0) {
      throw new Error(`${file.filepath} can't be loaded: ${file.result.errors?.[0]?.message}`)
    }
    const sum = tests.reduce((total, test) => total + (test.result?.duration ?? 0), 0)
    this.durations.set(idOf(file.filepath, HOOKS), Math.max(0, (file.result?.duration ?? 0) - sum))
    for (const test of tests) {
      const id = idOf(file.filepath, nameOf(test))
      if (test.result?.state === 'pass') this.durations.set(id, test.result.duration ?? 0)
      else if (test.result?.state === 'fail')
        console.warn(`fails without a mutant, left out: ${id}`)
    }
  }

  private async tryMutants(): Promise<void> {
    const killers = new Killers(this.durations)
    const { perTest, static: atLoad } = structuredClone(instrumenter.mutantCoverage)
    const mutants: Mutant[] = JSON.parse(readFileSync(inject('mutants'), 'utf8'))
    const results = inject('results')
    const earlier = (existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [])
      .filter(Boolean)
      .map((line): Outcome => JSON.parse(line))
    const done = new Set(earlier.map(({ id }) => id))
    const fileOfMutant = new Map(mutants.map(({ id, file }) => [id, file]))
    for (const { id, by } of earlier) {
      const [, testFile, test] = /^(\S+): (.*)$/s.exec(by ?? '') ?? []
      const mutated = fileOfMutant.get(id)
      if (testFile === undefined || test === undefined || mutated === undefined) continue
      killers.add(mutated, join(inject('source'), testFile), test)
    }
    // Mutants of code that runs while a module loads need all modules loaded again: they come last.
    const isStatic = (mutant: Mutant) => !isPassed(perTest, mutant) && mutant.id in atLoad
    const left = mutants.filter(
      ({ id, file }) => !done.has(id) && new RegExp(inject('only')).test(file),
    )
    const ordered = [...left.filter((one) => !isStatic(one)), ...left.filter(isStatic)]
    for (let from = 0; from < ordered.length; from += BATCH) {
      const outcomes: (Outcome & { candidate?: Candidate })[] = []
      for (const mutant of ordered.slice(from, from + BATCH)) {
        const reload = isStatic(mutant)
        // All tests that use its file may use a value that a mutant of loading code changes.
        const same = mutants.filter(({ file }) => file === mutant.file)
        const ids = reload ? same.map(({ id }) => id) : [mutant.id]
        const candidates = killers.of(perTest, ids, mutant.file)
        instrumenter.hitLimit = 1000 + MAX_HIT_FACTOR * hitsOf(perTest, mutant.id)
        const started = performance.now()
        const watchdog = setTimeout(() => {
          const hung: Outcome = { id: mutant.id, state: 'killed', by: 'its tests do not end' }
          appendFileSync(results, `${JSON.stringify(hung)}\n`)
          process.kill(process.pid, 'SIGKILL')
        }, MAX_MUTANT_MS)
        const outcome = await this.tryMutant(mutant, candidates, reload)
        clearTimeout(watchdog)
        const { candidate, by } = outcome
        if (candidate && by !== undefined) killers.add(mutant.file, candidate.file, by)
        outcomes.push({ ...outcome, seconds: (performance.now() - started) / 1000 })
      }
      instrumenter.activeMutant = undefined
      if (from + BATCH >= ordered.length || isStatic(ordered[from] as Mutant)) vi.resetModules()
      const trusted = await this.withoutFlakes(outcomes)
      appendFileSync(results, trusted.map((one) => `${JSON.stringify(one)}\n`).join(''))
      // A process that was spoilt by a mutant is replaced; the command starts another.
      if (trusted.length < outcomes.length) process.kill(process.pid, 'SIGKILL')
    }
  }

  private async tryMutant(
    mutant: Mutant,
    candidates: Candidate[],
    reload: boolean,
  ): Promise<Outcome & { candidate?: Candidate }> {
    if (candidates.length === 0) return { id: mutant.id, state: 'uncovered' }
    instrumenter.activeMutant = mutant.id
    if (reload) vi.resetModules()
    for (const candidate of candidates) {
      instrumenter.hitCount = 0
      const by = await this.runAgain(candidate)
      if (by !== undefined) return { id: mutant.id, state: 'killed', by, candidate }
    }
    return { id: mutant.id, state: 'survived' }
  }

  /** Runs the killing tests without a mutant, and drops the kills of those that fail now too. */
  private async withoutFlakes(
    outcomes: readonly (Outcome & { candidate?: Candidate })[],
  ): Promise<Outcome[]> {
    const killers = new Map<string, Set<string>>()
    for (const { by, candidate } of outcomes) {
      if (by === undefined || candidate === undefined) continue
      const names = killers.get(candidate.file) ?? new Set()
      for (const name of by === HOOKS ? candidate.tests : [by]) names.add(name)
      killers.set(candidate.file, names)
    }
    const red = new Set<string>()
    for (const [file, tests] of killers) {
      const failed = await this.runAgain({ file, tests, milliseconds: 0 })
      if (failed === undefined) continue
      red.add(file)
      appendFileSync(inject('unreliable'), `${idOf(file, failed)}\n`)
    }
    return outcomes
      .filter(({ candidate }) => candidate === undefined || !red.has(candidate.file))
      .map(({ candidate, ...outcome }) => ({
        ...outcome,
        ...(candidate && { by: `${candidate.file.split('/src/').pop()}: ${outcome.by}` }),
      }))
  }

  /** Returns the first test that fails. */
  private async runAgain({ file, tests }: Candidate): Promise<string | undefined> {
    const inner: MutantRunner = Object.create(this)
    const quiet = async () => {}
    Object.assign(inner, {
      config: { ...this.config, testTimeout: MAX_TEST_MS, hookTimeout: MAX_TEST_MS },
      cancelRun: false,
      onTaskUpdate: quiet,
      onCollectStart: quiet,
      onCleanupWorkerContext: quiet,
      onBeforeRunFiles: quiet,
      onAfterRunFiles: () => TestRunner.prototype.onAfterRunFiles.call(this),
      onCollected: (files: File[]) => {
        for (const one of files) select(one, (test) => tests.has(nameOf(test)))
      },
      onAfterRunTask: (test: Test) => {
        TestRunner.prototype.onAfterRunTask.call(inner, test)
        if (test.result?.state === 'fail') inner.cancel('test-failure')
      },
    })
    const [result] = await startTests([file], inner)
    return result && firstFailure(result)
  }
}

const isPassed = (perTest: Record<string, Record<string, number>>, { id }: Mutant) =>
  Object.values(perTest).some((passed) => id in passed)

const hitsOf = (perTest: Record<string, Record<string, number>>, id: string) =>
  Object.values(perTest).reduce((sum, passed) => sum + (passed[id] ?? 0), 0)
