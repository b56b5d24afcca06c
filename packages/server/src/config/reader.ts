import { OperatorError } from '../errors.ts'
import { parseUrl } from '../parse-url.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Reads values one by one and collects all problems, to report them in one error. */
export class Reader {
  readonly problems: string[] = []
  readonly #env: Env
  readonly #known = new Set<string>()

  constructor(env: Env) {
    this.#env = env
  }

  /** `parse` returns undefined for an invalid value; `wanted` describes a valid one for the error. */
  read<T, D>(
    name: string,
    fallback: D,
    wanted: string,
    parse: (text: string) => T | undefined,
  ): T | D {
    const variable = `GATEHOUSE_${name}`
    this.#known.add(variable)
    const text = this.#env[variable]?.trim()
    if (text === undefined || text === '') return fallback
    const value = CONTROL.test(text) ? undefined : parse(text)
    // The value is never printed: it may be a password in the wrong variable.
    if (value === undefined) this.problems.push(`${variable} must be ${wanted}`)
    return value ?? fallback
  }

  whole<D>(name: string, fallback: D, from: number, to: number): number | D {
    return this.read(name, fallback, `a whole number from ${from} to ${to}`, (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= from && value <= to ? value : undefined
    })
  }

  url(name: string, wanted: string, protocols: readonly string[]): string | undefined {
    return this.read(name, undefined, wanted, (text) => {
      const url = parseUrl(text)
      return url && protocols.includes(url.protocol) && isReachable(url) ? text : undefined
    })
  }

  /** Requires two settings that make no sense without each other. */
  requireBoth(one: string, other: string): void {
    this.requireIfAnySet(one, [other])
    this.requireIfAnySet(other, [one])
  }

  /** Requires `needed` if any of the others is set. */
  requireIfAnySet(needed: string, others: readonly string[]): void {
    const isSet = (name: string) => (this.#env[`GATEHOUSE_${name}`]?.trim() ?? '') !== ''
    const given = others.find(isSet)
    if (given === undefined || isSet(needed)) return
    this.problems.push(`GATEHOUSE_${needed} must be set too: GATEHOUSE_${given} is set`)
  }

  finish(): void {
    for (const name of Object.keys(this.#env)) {
      if (!name.startsWith('GATEHOUSE_') || this.#known.has(name)) continue
      this.problems.push(unknownSetting(name, [...this.#known]))
    }
    if (this.problems.length > 0) throw new OperatorError(this.problems.join('; '))
  }
}

const CONTROL = /\p{Cc}/u

/** Whether the URL names a host (or a socket, for PostgreSQL) and its escapes can be decoded. */
function isReachable(url: URL): boolean {
  try {
    decodeURIComponent(`${url.username}${url.password}${url.hostname}${url.pathname}`)
  } catch {
    return false
  }
  return url.hostname !== '' || (/^postgres/.test(url.protocol) && url.searchParams.has('host'))
}

/** If the `=` was mistyped, the rest of the name is a value and may be a secret: only the part that can be a name is
 * printed. */
function unknownSetting(name: string, known: readonly string[]): string {
  const meant = known.find((other) => isTypingError(name, other))
  const start =
    known.find((other) => name.startsWith(other)) ??
    /^(?:GATEHOUSE_S3_)?[A-Z_]{0,40}/.exec(name)?.[0]
  const isName = meant === undefined ? start === name : /^[A-Z0-9_]+$/.test(name)
  const shown = isName ? name : `${start}…`
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
  return `${shown} is not a Gatehouse setting${hint}`
}

/** Whether two names differ by one added, missing or wrong letter, or by two swapped ones. */
function isTypingError(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const [a, b] = [one.slice(start), other.slice(start)]
  const swapped = `${b[1] ?? ''}${b[0] ?? ''}${b.slice(2)}`
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || a === swapped
}
