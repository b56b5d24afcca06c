import { readFileSync, statSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

export interface EnvFile {
  values: Record<string, string>
  /** The problems of the file, by line. Nothing of a line is printed: its value may be a password, and so may a part of
   * its name if a line break or a `=` was lost. */
  problems: string[]
}

/** Reads the `GATEHOUSE_*` variables from a file of `NAME=value` lines; returns none if the file doesn't exist. */
export function readEnvFile(path: string): EnvFile {
  const bytes = readIfExists(path)
  if (!bytes) return { values: {}, problems: [] }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new OperatorError(`${path} is not UTF-8 text`)
  }
  return parseEnvFile(path, text)
}

function readIfExists(path: string): Buffer | undefined {
  try {
    // Reading anything but a regular file, such as a pipe, might block forever.
    if (!statSync(path).isFile()) throw new Error('it is not a regular file')
    return readFileSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new OperatorError(`${path} can't be read: ${message}`)
  }
}

interface Setting {
  value: string
  line: number
}

function parseEnvFile(path: string, text: string): EnvFile {
  const settings = new Map<string, Setting>()
  const problems: string[] = []
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const problem = readLine(line, index + 1, settings)
    if (problem !== undefined) problems.push(`${path} line ${index + 1}: ${problem}`)
  }
  const values = [...settings].map(([name, { value }]) => [name, value] as const)
  return { values: Object.fromEntries(values), problems }
}

const LINE = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/s
const QUOTED = /^\s*(["'])(.*?)\1\s*(?:#.*)?$/

/** Adds the line's setting. Returns what is wrong with the line, if anything. */
function readLine(text: string, line: number, settings: Map<string, Setting>): string | undefined {
  const [, name, rest] = LINE.exec(text) ?? []
  if (name === undefined || rest === undefined) return 'expected NAME=value'
  if (!name.startsWith('GATEHOUSE_')) return undefined
  const earlier = settings.get(name)
  if (earlier) return `sets the same variable as line ${earlier.line}`
  if (/\p{Cc}/u.test(rest.trim())) return 'the value contains a control character'
  const quoted = QUOTED.exec(rest)
  if (!quoted && /^\s*["']/.test(rest)) return 'the value has no closing quote'
  settings.set(name, { value: quoted?.[2] ?? rest.replace(/\s+#.*$/, '').trim(), line })
  return undefined
}
