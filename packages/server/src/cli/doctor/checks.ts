import { findOpenEnvFile } from '../../config/config.ts'
import { hasUntrustedProxy } from '../../config/public-origins.ts'
import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import {
  findControlViolations,
  findViolations,
  type Violation,
} from '../../db/invariants/invariants.ts'
import { listMigrations } from '../../db/migrate.ts'
import type { Seconds } from '../../db/tables.ts'
import { readKeyFile } from '../../domain/apps/master-key.ts'
import { findSealProblems } from '../../domain/apps/sealed.ts'
import { findBrokenPairs } from '../../domain/copy/pairs.ts'
import { findLastChange } from '../../domain/history/history.ts'
import { formatTime } from '../../format-time.ts'

/** The result of a check and, unless it is ok, what to do about it. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  message: string
  todo?: string
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message })
export const warning = (check: string, message: string, todo: string): Finding => ({
  check,
  status: 'warning',
  message,
  todo,
})
export const failed = (check: string, message: string, todo: string): Finding => ({
  check,
  status: 'failed',
  message,
  todo,
})

/** The file with the settings, which may have passwords. */
export function checkEnvFile(folder: string): Finding[] {
  const problem = findOpenEnvFile(folder)
  if (problem === undefined) return []
  const [message = '', todo = ''] = problem.split('; fix it with: ')
  return [warning('settings', message, todo)]
}

const environmentsOf = (ctx: Context) => ENVIRONMENTS.map((name) => ctx.environments[name])

const LOOPBACK = /^(127\.|::1$|localhost$)/

export function checkAddress({ config }: Context): Finding {
  const { host, port, baseUrl } = config
  if (hasUntrustedProxy(config)) {
    return warning(
      'address',
      `public at ${baseUrl}, but GATEHOUSE_TRUSTED_PROXIES is not set: all clients seem to have the same address`,
      'set GATEHOUSE_TRUSTED_PROXIES to the address of the proxy',
    )
  }
  if (baseUrl !== undefined) return ok('address', `public at ${baseUrl}`)
  if (LOOPBACK.test(host))
    return ok('address', `reachable only from this machine, on ${host} port ${port}`)
  return warning(
    'address',
    `${host} port ${port} can be reached from other machines, but no public URL is set`,
    'set GATEHOUSE_BASE_URL to the https URL that clients use',
  )
}

function databasesOf(ctx: Context): [string, Database<unknown>][] {
  const named = environmentsOf(ctx).map(({ name, database }) => [name, database])
  return [['control', ctx.control], ...named] as [string, Database<unknown>][]
}

export async function checkDatabases(ctx: Context): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, database] of databasesOf(ctx)) {
    await database.ping()
    const migrations = await listMigrations(database)
    const text = `${await database.version()}, up to date with ${migrations.at(-1)}`
    findings.push(ok(`database ${name}`, text))
  }
  return findings
}

/** Tolerance for clock differences between machines that share a database. */
const SKEW_SECONDS = 60

export async function checkClock({ database, clock }: Environment): Promise<Finding> {
  const last = await findLastChange(database.read)
  const now: Seconds = clock()
  if (last === undefined || now + SKEW_SECONDS >= last) return ok('clock', formatTime(now))
  return failed(
    'clock',
    `it says ${formatTime(now)}, but the last change was made at ${formatTime(last)}`,
    "correct this machine's clock",
  )
}

export async function checkMasterKey(ctx: Context): Promise<Finding> {
  const { origin } = ctx.masterKey
  const check = 'master key'
  const troubles = await Promise.all(
    environmentsOf(ctx).map(({ database }) => findSealProblems(database.read, ctx.masterKey)),
  )
  const unreadable = troubles.flatMap((one) => one.unreadable)
  if (unreadable.length > 0) {
    const todo =
      'put back the master key that encrypted them; the service does not start with another one'
    return failed(check, `${origin} can't decrypt the keys ${unreadable.join(', ')}`, todo)
  }
  const count = troubles.reduce((sum, one) => sum + one.count, 0)
  const keys = ctx.config.masterKeys ?? readKeyFile(ctx.config.dataFolder)
  if (keys.length > 1 || troubles.some((one) => one.old.length > 0)) {
    const todo = 'finish it with: gatehouse key rotate-master'
    return warning(check, `${origin} has ${keys.length} keys: a rotation is not finished`, todo)
  }
  const mode = ctx.config.masterKeys ? '' : ', readable only by its owner'
  return ok(check, `${origin}${mode}, decrypts all ${count} keys`)
}

/** Reads every SQLite file completely, and checks the invariants of all data. */
export async function checkDeeply(ctx: Context): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, database] of databasesOf(ctx)) {
    if (database.engine !== 'sqlite') continue
    const check = `file ${name}`
    const damage = await database.findDamage()
    findings.push(
      ...damage.map((what) => failed(check, what, 'restore a backup: gatehouse restore FILE')),
    )
    if (damage.length === 0) findings.push(ok(check, 'no damage'))
  }
  for (const env of environmentsOf(ctx)) findings.push(...(await checkRules(env)))
  const violations = await ctx.control.snapshot((db) => findControlViolations(db))
  return [...findings, ...describeRules('control', violations), ...(await checkPairs(ctx))]
}

/** A pair can lose an application if only one environment was restored. It can't be copied then, but harms nobody. */
async function checkPairs(ctx: Context): Promise<Finding[]> {
  const check = 'paired applications'
  const broken = await findBrokenPairs(ctx)
  return broken.length === 0
    ? [ok(check, 'every pair has both applications')]
    : broken.map(({ production, sandbox, gone }) => {
        const left = gone.includes(production) ? sandbox : production
        const todo = `end the pairing with: gatehouse app unpair ${left}`
        return warning(check, `${gone.join(' and ')} of a pair no longer exists`, todo)
      })
}

async function checkRules({ name, database, clock }: Environment): Promise<Finding[]> {
  const violations = await database.snapshot(async (db) => {
    // The snapshot is taken by the first read; the clock is read after it, so as not to be behind the data.
    await findLastChange(db)
    return await findViolations(db, clock())
  })
  return describeRules(name, violations)
}

function describeRules(name: string, violations: readonly Violation[]): Finding[] {
  const check = `rules ${name}`
  if (violations.length === 0) return [ok(check, 'all data is consistent')]
  return violations.map((one) => violated(check, one))
}

function violated(check: string, { rule, rows }: Violation): Finding {
  const todo = 'report this with the rows shown here, or restore a backup: gatehouse restore FILE'
  return failed(check, `violated: ${rule}: ${JSON.stringify(rows)}`, todo)
}
