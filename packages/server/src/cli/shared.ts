import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Table from 'cli-table3'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Config, environmentVariables, readConfig } from '../config/config.ts'
import {
  type Context,
  createContext,
  ENVIRONMENTS,
  type Environment,
  type EnvironmentName,
} from '../context.ts'
import { errorReasonOf, toOutageFailure } from '../db/outage.ts'
import {
  getApplication,
  getEnvironmentOfAid,
  listApplications,
} from '../domain/apps/applications.ts'
import { email } from '../domain/users/email.ts'
import { Failure, OperatorError } from '../errors.ts'
import * as fields from '../fields.ts'
import { formatTime } from '../format-time.ts'
import type { OutageLog } from '../outage-logger.ts'

/** The actor that the history records for changes by the command line. */
export const ACTOR = 'cli'

/** Throws if there is no installation: a command in the wrong folder must not create databases and a master key. */
export function requireInstallation({ databaseUrl, dataFolder }: Config): void {
  if (databaseUrl !== undefined || existsSync(join(dataFolder, 'control.sqlite'))) return
  throw new OperatorError(
    `there is no installation in ${dataFolder} (GATEHOUSE_DATA); create one with: gatehouse serve`,
  )
}

/** Whether the data folder has no database that a restored one could be mixed up with. */
const hasNoDatabase = ({ dataFolder }: Config) =>
  !['control', 'production', 'sandbox'].some((name) =>
    existsSync(join(dataFolder, `${name}.sqlite`)),
  )

const STDERR_LOG: OutageLog = {
  error: ({ err }, text) => process.stderr.write(`gatehouse: ${text} (${errorReasonOf(err)})\n`),
  info() {},
}

/** Opens the databases, which a running server may have open too, runs `work` and closes them. */
export async function withContext<R>(
  work: (ctx: Context) => Promise<R>,
  { mayCreate = false, mayReplace = false } = {},
): Promise<R> {
  const config = readConfig(environmentVariables(process.cwd()))
  if (!mayCreate) requireInstallation(config)
  const ctx = await createContext(config, {
    log: STDERR_LOG,
    delivery: 'queued',
    mayReplace: mayReplace && hasNoDatabase(config),
  })
  try {
    return await work(ctx)
  } finally {
    await ctx.close()
  }
}

/** Returns an error that the user of a command can fix; rethrows any other. */
export function toUserError(error: unknown): Error {
  const known =
    error instanceof OperatorError || error instanceof Failure ? error : toOutageFailure(error)
  if (!known) throw error
  return known
}

/** Returns the environment of an application, so that `--aid` needs no `--env`. */
export async function getEnvironment(ctx: Context, aid: string): Promise<Environment> {
  const name = await getEnvironmentOfAid(ctx.control, aid)
  const env = ctx.environments[name as EnvironmentName]
  await getApplication(env.database.read, aid)
  return env
}

export interface Scope {
  env?: EnvironmentName
  aid?: string
}

/** Returns the environments in which a command works: that of the application if `--aid` is given, the one that `--env`
 * names, or both environments if neither is given. */
export async function listScopedEnvironments(ctx: Context, scope: Scope): Promise<Environment[]> {
  if (scope.aid !== undefined) {
    const env = await getEnvironment(ctx, scope.aid)
    if (scope.env !== undefined && scope.env !== env.name) {
      throw new OperatorError(`the application ${scope.aid} is in ${env.name}, not in ${scope.env}`)
    }
    return [env]
  }
  return ENVIRONMENTS.filter((name) => (scope.env ?? name) === name).map(
    (name) => ctx.environments[name],
  )
}

/** Returns the applications on which a command works, archived ones included: the one that `--aid` names, or all of the
 * environments above. */
export async function listScopedApplications(
  ctx: Context,
  scope: Scope,
): Promise<[Environment, string][]> {
  const found: [Environment, string][] = []
  for (const env of await listScopedEnvironments(ctx, scope)) {
    for (const { aid } of await listApplications(env.database.read)) {
      if ((scope.aid ?? aid) === aid) found.push([env, aid])
    }
  }
  return found
}

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

/** Whether a command prints its data as JSON for programs or as text for people. */
export interface Output {
  json?: boolean | undefined
}

export function print(output: Output, data: unknown, forPeople: () => string): void {
  process.stdout.write(`${output.json ? JSON.stringify(data, null, 2) : forPeople()}\n`)
}

/** Returns `none` if there are no rows. */
export function formatTable(head: string[], rows: unknown[][], none: string): string {
  if (rows.length === 0) return none
  const drawn = new Table({
    head,
    style: { head: [], border: [] },
    chars: PLAIN,
  })
  for (const row of rows) drawn.push(row.map(oneLine))
  return drawn.toString().replace(/ +$/gm, '')
}

/** Replaces control characters: external text must not move the cursor or start a new line. */
export const oneLine = (value: unknown) => String(value ?? '').replace(/\p{Cc}+/gu, ' ')

/** No borders, so that scripts can search and cut the columns. */
const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
}

/** Formats names and values, one pair per line. */
export function formatRecord(fields: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${oneLine(value)}`.trimEnd())
    .join('\n')
}

export { formatTime }

/** Formats a time that may be unset. */
export const formatOptionalTime = (at: number | null | undefined) =>
  at === null || at === undefined ? '' : formatTime(at)

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

/** Adds `--json` to all commands that have no subcommands. */
export function addJsonOption(command: Command): void {
  if (command.commands.length === 0) command.option('--json', 'print JSON')
  for (const child of command.commands) addJsonOption(child)
}
