import { useParams } from '@tanstack/react-router'

export type EnvironmentName = 'production' | 'sandbox'

export interface AppScope {
  environment: EnvironmentName
  aid: string
  /** Builds a path in the app: `path('people', uid)`. The same path below /api is the API route, but
   * for rids: see `resource-path.ts`. */
  path: (...parts: readonly string[]) => string
}

export const isEnvironmentName = (text: string | undefined): text is EnvironmentName =>
  text === 'production' || text === 'sandbox'

export function createAppScope(environment: EnvironmentName, aid: string): AppScope {
  const path = (...parts: readonly string[]) =>
    `/${[environment, aid, ...parts].map(encodeURIComponent).join('/')}`
  return { environment, aid, path }
}

/** The environment and application in the URL, if there are any. */
export function useOptionalScope(): AppScope | undefined {
  const { environment, aid } = useParams({ strict: false }) as {
    environment?: string
    aid?: string
  }
  return isEnvironmentName(environment) && aid !== undefined
    ? createAppScope(environment, aid)
    : undefined
}

/** For pages that belong to an application; throws elsewhere. */
export function useAppScope(): AppScope {
  const scope = useOptionalScope()
  if (scope === undefined) throw new Error('This page does not belong to an application.')
  return scope
}
