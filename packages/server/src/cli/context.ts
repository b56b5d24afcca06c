import { join } from 'node:path'
import { type Config, environmentVariables, readConfig } from '../config/config.ts'
import {
  type Context,
  createContext,
  ENVIRONMENTS,
  type Environment,
  type EnvironmentName,
} from '../context.ts'
import { errorReasonOf, toOutageFailure } from '../db/outage.ts'
import { requireNoRestore } from '../db/restoring.ts'
import {
  getApplication,
  getEnvironmentOfAid,
  listApplications,
} from '../domain/apps/applications.ts'
import type { RestoreTarget } from '../domain/backup/restore-mark.ts'
import { Failure, OperatorError } from '../errors.ts'
import type { OutageLog } from '../logging/outage-logger.ts'
import { isDiskError } from '../new-file.ts'
import { describeFileError, fileExists } from '../permissions.ts'
import { auditCommand, withOsUser } from './audit/audited-command.ts'

/** The actor that the history records for changes by the command line. */
export const ACTOR = 'cli'

/** Throws if there is no installation: a command in the wrong folder must not create databases and a master key. */
export function requireInstallation({ databaseUrl, dataFolder }: Config): void {
  if (databaseUrl !== undefined) return
  requireNoRestore(dataFolder)
  if (hasControlFile(dataFolder)) return
  throw new OperatorError(
    `there is no installation in ${dataFolder} (GATEHOUSE_DATA); create one with: gatehouse serve`,
  )
}

function hasControlFile(dataFolder: string): boolean {
  try {
    return fileExists(join(dataFolder, 'control.sqlite'))
  } catch (error) {
    const why = describeFileError(error, dataFolder)
    throw new OperatorError(`the folder ${dataFolder} (GATEHOUSE_DATA) can't be read: ${why}`)
  }
}

const STDERR_LOG: OutageLog = {
  error: ({ err }, text) => process.stderr.write(`gatehouse: ${text} (${errorReasonOf(err)})\n`),
  info: (_, text) => process.stderr.write(`gatehouse: ${text}\n`),
}

export const readSettings = (): Config => readConfig(environmentVariables(process.cwd()))

/** Opens the databases, which a running server may have open too, runs `work` and closes them. */
export async function withContext<R>(
  work: (ctx: Context) => Promise<R>,
  { mayCreate = false, ...overrides }: { mayCreate?: boolean; restoreTo?: RestoreTarget } = {},
): Promise<R> {
  const config = readSettings()
  if (!mayCreate && !overrides.restoreTo) requireInstallation(config)
  const ctx = await createContext(config, { log: STDERR_LOG, delivery: 'queued', ...overrides })
  try {
    const own = withOsUser(ctx)
    return await auditCommand(own, () => work(own))
  } finally {
    await ctx.close()
  }
}

/** Returns an error that the user of a command can fix; rethrows any other. */
export function toUserError(error: unknown): Error {
  const known =
    error instanceof OperatorError || error instanceof Failure ? error : toOutageFailure(error)
  if (known) return known
  if (isDiskError(error)) return new OperatorError(`a file can't be used (${error.message})`)
  throw error
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
