import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { HOOKS } from './tasks.ts'

/** Which mutants are passed, and how often: while modules load, and by each test. */
export interface Coverage {
  static: Record<string, number>
  perTest: Record<string, Record<string, number>>
}

/** A test file, and those of its tests that execute the mutant. */
export interface Candidate {
  file: string
  tests: Set<string>
  milliseconds: number
}

export const idOf = (file: string, name: string) => `${file}\t${name}`
export const fileOf = (id: string) => id.split('\t')[0] as string

/** Chooses the tests that a mutant is tried with. */
export class Killers {
  readonly #durations: ReadonlyMap<string, number>
  /** The tests that have killed mutants of a file, once for each kill, by `file\ttest file`. */
  readonly #kills = new Map<string, string[]>()

  /** `durations` has the milliseconds of each test, by its id. */
  constructor(durations: ReadonlyMap<string, number>) {
    const unreliable = new Set(unreliableTests())
    const isReliable = (id: string) =>
      !unreliable.has(id) && !unreliable.has(idOf(fileOf(id), HOOKS))
    this.#durations = new Map([...durations].filter(([id]) => isReliable(id)))
  }

  /** Remembers the test that has killed a mutant of a file. */
  add(mutated: string, testFile: string, test: string): void {
    const id = idOf(mutated, testFile)
    this.#kills.set(id, [...(this.#kills.get(id) ?? []), test])
  }

  /** Lists the tests that pass one of these mutants of a file, themselves or in their hooks. */
  of(perTest: Coverage['perTest'], ids: readonly string[], mutated: string): Candidate[] {
    const passing = Object.keys(perTest).filter(
      (test) => this.#durations.has(test) && ids.some((id) => perTest[test]?.[id] !== undefined),
    )
    const executing = new Set(passing.filter((test) => !test.endsWith(`\t${HOOKS}`)))
    // What hooks have built with the mutant may fail in tests that don't execute the mutant themselves.
    const besideHooks = passing
      .filter((test) => test.endsWith(`\t${HOOKS}`))
      .flatMap((test) => this.#testsBeside(test))
      .filter((test) => !executing.has(test))
    const candidates = [[...executing], besideHooks].flatMap((tests) => this.#candidates(tests))
    return this.#inTime(
      this.#sorted(candidates, mutated).flatMap((one) => this.#halves(one, mutated)),
    )
  }

  #candidates(tests: readonly string[]): Candidate[] {
    const files = new Map<string, Set<string>>()
    for (const test of tests) {
      const [file, name] = test.split('\t') as [string, string]
      files.set(file, (files.get(file) ?? new Set()).add(name))
    }
    return [...files].map(([file, names]) => this.#candidate(file, names))
  }

  #candidate(file: string, tests: Set<string>): Candidate {
    const durations = [HOOKS, ...tests].map((name) => this.#durations.get(idOf(file, name)) ?? 0)
    return { file, tests, milliseconds: durations.reduce((sum, one) => sum + one, 0) }
  }

  /** Puts the test files first that have killed most mutants of the file, then those beside it, then those whose tests take
   * the least time each. */
  #sorted(candidates: readonly Candidate[], mutated: string): Candidate[] {
    const folder = dirname(join(inject('source'), mutated))
    const killed = ({ file }: Candidate) => this.#kills.get(idOf(mutated, file))?.length ?? 0
    const isBeside = ({ file }: Candidate) => Number(dirname(file) === folder)
    const each = ({ milliseconds, tests }: Candidate) => milliseconds / tests.size
    return candidates.toSorted(
      (a, b) => killed(b) - killed(a) || isBeside(b) - isBeside(a) || each(a) - each(b),
    )
  }

  /** Parts the tests of a file that have killed other mutants of the same code from the rest, and puts them first. */
  #halves(candidate: Candidate, mutated: string): Candidate[] {
    const { file, tests } = candidate
    const killers = new Set(this.#kills.get(idOf(mutated, file)))
    const likely = [...tests].filter((test) => killers.has(test))
    const rest = [...tests].filter((test) => !killers.has(test))
    if (likely.length === 0 || rest.length === 0) return [candidate]
    return [likely, rest].map((half) => this.#candidate(file, new Set(half)))
  }

  /** Takes as many as there is time for. */
  #inTime(candidates: readonly Candidate[]): Candidate[] {
    let left = inject('secondsPerMutant') * 1000
    return candidates.filter(({ milliseconds }) => {
      const isInTime = left > 0
      left -= milliseconds
      return isInTime
    })
  }

  #testsBeside(hooks: string): string[] {
    const file = fileOf(hooks)
    return [...this.#durations.keys()].filter(
      (id) => fileOf(id) === file && !id.endsWith(`\t${HOOKS}`),
    )
  }
}

/** Tests that have failed twice without a mutant, and files whose hooks have: they need the tests before them. One failure
 * may be the fault of a mutant. */
function unreliableTests(): string[] {
  const path = inject('unreliable')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  return lines.filter((line, at) => lines.indexOf(line) < at)
}
