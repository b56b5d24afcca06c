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
  /** How many mutants of a file each test file has killed, by `file\ttest file`. */
  readonly #kills = new Map<string, number>()

  /** `durations` has the milliseconds of each test, by its id. */
  constructor(durations: ReadonlyMap<string, number>) {
    const unreliable = new Set(unreliableTests())
    const isReliable = (id: string) =>
      !unreliable.has(id) && !unreliable.has(idOf(fileOf(id), HOOKS))
    this.#durations = new Map([...durations].filter(([id]) => isReliable(id)))
  }

  /** Counts a mutant of a file that a test file has killed. */
  count(mutated: string, testFile: string): void {
    const id = idOf(mutated, testFile)
    this.#kills.set(id, (this.#kills.get(id) ?? 0) + 1)
  }

  /** Lists the tests that pass one of these mutants of a file. */
  of(perTest: Coverage['perTest'], ids: readonly string[], mutated: string): Candidate[] {
    const passing = Object.keys(perTest).filter(
      (test) => this.#durations.has(test) && ids.some((id) => perTest[test]?.[id] !== undefined),
    )
    const inTests = passing.filter((test) => !test.endsWith(`\t${HOOKS}`))
    const all = inTests.length > 0 ? inTests : passing.flatMap((test) => this.#testsBeside(test))
    const files = new Map<string, Candidate>()
    for (const test of all) {
      const [file, name] = test.split('\t') as [string, string]
      const milliseconds = this.#durations.get(idOf(file, HOOKS)) ?? 0
      const candidate = files.get(file) ?? { file, tests: new Set(), milliseconds }
      candidate.tests.add(name)
      candidate.milliseconds += this.#durations.get(test) ?? 0
      files.set(file, candidate)
    }
    return this.#affordable([...files.values()], mutated)
  }

  /** Puts the test files first that have killed most mutants of the file, then those beside it, then those whose tests take
   * the least time each; as many as there is time for. */
  #affordable(candidates: readonly Candidate[], mutated: string): Candidate[] {
    const folder = dirname(join(inject('source'), mutated))
    const killed = ({ file }: Candidate) => this.#kills.get(idOf(mutated, file)) ?? 0
    const isBeside = ({ file }: Candidate) => Number(dirname(file) === folder)
    const each = ({ milliseconds, tests }: Candidate) => milliseconds / tests.size
    let left = inject('secondsPerMutant') * 1000
    return candidates
      .toSorted((a, b) => killed(b) - killed(a) || isBeside(b) - isBeside(a) || each(a) - each(b))
      .filter(({ milliseconds }) => {
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
