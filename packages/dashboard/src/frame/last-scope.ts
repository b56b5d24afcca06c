import type { Me } from '@gatehouse/server/dashboard-api'
import {
  type AppScope,
  createAppScope,
  type EnvironmentName,
  isEnvironmentName,
} from '../app-scope.ts'
import { type ApplicationOfMe, environmentOf } from './me.ts'

const KEY = 'gatehouse.place'

interface StoredScope {
  environment?: string
  production?: string
  sandbox?: string
}

function read(): StoredScope {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as StoredScope
  } catch {
    return {}
  }
}

export function rememberScope({ environment, aid }: AppScope): void {
  localStorage.setItem(KEY, JSON.stringify({ ...read(), environment, [environment]: aid }))
}

function lastScopeAmong(
  applications: readonly ApplicationOfMe[],
  environment: EnvironmentName,
): AppScope | undefined {
  const kept = applications.find(({ aid }) => aid === read()[environment])
  const aid = (kept ?? applications.find(({ archived }) => !archived) ?? applications[0])?.aid
  return aid === undefined ? undefined : createAppScope(environment, aid)
}

/** The application used last in an environment, otherwise its first one. */
const lastScopeIn = (me: Me, environment: EnvironmentName): AppScope | undefined =>
  lastScopeAmong(environmentOf(me, environment).applications, environment)

/** The application to open after switching environments. An application belongs to one environment only, so this is
 * the one it is paired with, otherwise the one with the same name there, otherwise the one used last. */
export function counterpartScope(
  me: Me,
  from: AppScope | undefined,
  environment: EnvironmentName,
): AppScope | undefined {
  const name = applicationName(me, from)
  if (from?.environment === environment && name !== undefined) return from
  const there = environmentOf(me, environment).applications
  const paired = there.find((one) => one.paired_with === from?.aid && !one.archived)
  if (from && paired) return createAppScope(environment, paired.aid)
  const namesakes = there.filter((one) => one.name === name && !one.archived)
  return lastScopeAmong(namesakes, environment) ?? lastScopeAmong(there, environment)
}

/** The name of the application of a scope. */
export const applicationName = (me: Me, scope: AppScope | undefined): string | undefined =>
  scope &&
  environmentOf(me, scope.environment).applications.find(({ aid }) => aid === scope.aid)?.name

export function lastScope(me: Me): AppScope | undefined {
  const { environment } = read()
  const kept = isEnvironmentName(environment) ? lastScopeIn(me, environment) : undefined
  return kept ?? lastScopeIn(me, 'production') ?? lastScopeIn(me, 'sandbox')
}
