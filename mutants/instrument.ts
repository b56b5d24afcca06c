import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { worthMutating } from './worth-mutating.ts'

/** One change of one expression or block. */
export interface Mutant {
  id: string
  module: string
  /** Below `packages/server/src`. */
  file: string
  line: number
  column: number
  endLine: number
  endColumn: number
  mutator: string
  replacement: string
}

export interface Instrumented {
  mutants: Mutant[]
  /** The code with all mutants in it, each behind a switch, by the path of its file. */
  code: Map<string, string>
}

const ignore = () => {}
const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
}

/** Lists the files at these paths, which may be folders. */
export function filesAt(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const whole = join(root, path)
    if (statSync(whole).isFile()) return [whole]
    return readdirSync(whole, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(whole, name))
  })
}

/** Puts mutants into files; `files` says which module each of them belongs to. */
export async function instrument(
  root: string,
  files: ReadonlyMap<string, string>,
): Promise<Instrumented> {
  const result = await new Instrumenter(silent).instrument(
    [...files.keys()].map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [worthMutating] },
  )
  const mutants = result.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map((mutant) => ({
      id: mutant.id,
      module: files.get(mutant.fileName) as string,
      file: relative(root, mutant.fileName),
      line: mutant.location.start.line + 1,
      column: mutant.location.start.column + 1,
      endLine: mutant.location.end.line + 1,
      endColumn: mutant.location.end.column + 1,
      mutator: mutant.mutatorName,
      replacement: mutant.replacement,
    }))
  const code = new Map(result.files.map(({ name, content }) => [name, withCasts(content)]))
  return { mutants, code }
}

/** Adds the parentheses that Babel omits around a cast: `ends as Seconds < now` would begin a list of type arguments. */
const withCasts = (code: string) => code.replace(/([\w.]+ as \w+)(?= [<>])/g, '($1)')
