import { type Command, InvalidArgumentError, Option } from 'commander'
import { ENVIRONMENTS } from '../context.ts'
import { email } from '../domain/users/email.ts'
import * as fields from '../fields.ts'

export function envOption(text = 'production or sandbox'): Option {
  return new Option('--env <environment>', text).choices([...ENVIRONMENTS])
}

export const aidOption = (text = 'the application') => new Option('--aid <aid>', text)

/** Validates an option like the API parameter of the same kind. Commander names the option before the problem. */
export function parseWith<T>(field: Pick<fields.Field<T>, 'read'>) {
  return (text: string): T => {
    const result = text === '' ? fields.problems.empty : field.read(text)
    if (typeof result === 'string') throw new InvalidArgumentError(asSentence(result))
    return result.value
  }
}

const asSentence = (problem: string) =>
  `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}.`

export const ridOption = (text = 'the resource') =>
  new Option('--rid <rid>', text).argParser(parseWith(fields.rid))

export const userRefOption = (text = 'your reference for the user') =>
  new Option('--user-ref <ref>', text).argParser(parseWith(fields.userRef))

export const emailOption = (text = "the user's email address") =>
  new Option('--email <address>', text).argParser(parseWith(email))

/** Text that is read later, and that an unset variable of a script must not leave out. */
export function parseNonEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError(asSentence(fields.problems.empty))
  return text
}

const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/

/** Parses seconds since 1970, or a date like 2027-03-01 (its first second in UTC) or 2027-03-01T09:00:00Z. */
export function parseTime(text: string): number {
  if (/^-?\d+$/.test(text)) return parseWith(fields.seconds)(text)
  const day = DATE.exec(text)?.[1]
  const millis = day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(millis)) {
    throw new InvalidArgumentError(
      'Must be seconds since 1970, or a date like 2027-03-01 or 2027-03-01T09:00:00Z.',
    )
  }
  return parseWith(fields.seconds)(String(millis / 1000))
}

/** Rejects dates like 30 February, which `Date.parse` reads as 2 March. */
function isDay(day: string): boolean {
  const millis = Date.parse(day)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(day)
}

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, w: 7 * 86_400 } as const

/** Parses `90s`, `15m`, `24h`, `7d` or `2w` into seconds. */
export function parseDuration(text: string): number {
  const match = /^(\d{1,7})([smhdw])$/.exec(text)
  if (!match) throw new InvalidArgumentError('Must be a duration like 90s, 15m, 24h, 7d or 2w.')
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
}

/** An option for a duration, with its default: `durationOption('--overlap', 'how long …', '24h')`. */
export const durationOption = (name: string, text: string, fallback: string) =>
  new Option(`${name} <duration>`, text)
    .argParser(parseDuration)
    .default(parseDuration(fallback), fallback)

/** Adds the options that identify a resource. */
export const addResourceOptions = (command: Command, resource?: string): Command =>
  command
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption(resource).makeOptionMandatory())

/** Adds `--json` to all commands that have no subcommands. */
export function addJsonOption(command: Command): void {
  if (command.commands.length === 0) command.option('--json', 'print JSON')
  for (const child of command.commands) addJsonOption(child)
}
