import { readFileSync, statSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

export interface EnvFile {
  values: Record<string, string>
  /** The problems of the file, by line. Values are never printed: they may be passwords. */
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

function parseEnvFile(path: string, text: string): EnvFile {
  const file: EnvFile = { values: {}, problems: [] }
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const problem = readLine(line, file.values)
    if (problem !== undefined) file.problems.push(`${path} line ${index + 1}: ${problem}`)
  }
  return file
}

const LINE = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/s
const QUOTED = /^\s*(["'])(.*?)\1\s*(?:#.*)?$/

/** Adds the line's value. Returns what is wrong with the line, if anything. */
function readLine(line: string, values: Record<string, string>): string | undefined {
  const [, name, rest] = LINE.exec(line) ?? []
  if (name === undefined || rest === undefined) return 'expected NAME=value'
  if (!name.startsWith('GATEHOUSE_')) return undefined
  if (Object.hasOwn(values, name)) return `${name} is set twice`
  if (/\p{Cc}/u.test(rest.trim())) return `${name} contains a control character`
  const quoted = QUOTED.exec(rest)
  if (!quoted && /^\s*["']/.test(rest)) return `${name} has no closing quote`
  values[name] = quoted?.[2] ?? rest.replace(/\s+#.*$/, '').trim()
  return undefined
}
