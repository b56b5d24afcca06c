import type { EnvironmentOfMe, Me, Role } from '@gatehouse/server/dashboard-api'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError, get, keys } from '../api.ts'
import { type EnvironmentName, useOptionalScope } from '../app-scope.ts'
import { noteServerTime, useServerTime } from '../server-clock.ts'

const TEN_SECONDS = 10_000
const FIVE_MINUTES = 300_000

/** Never settles if nobody is signed in: the sign-in page is about to open, and no error should appear before it. */
function waitForSignIn(error: unknown): Promise<never> {
  if (error instanceof ApiError && error.code === 'not_signed_in') return new Promise(() => {})
  return Promise.reject(error)
}

async function loadMe(signal: AbortSignal): Promise<Me> {
  const me = await get<Me>('/me', {}, signal)
  for (const { name, time } of me.environments) noteServerTime(name, time * 1000)
  return me
}

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => loadMe(signal).catch(waitForSignIn),
  staleTime: FIVE_MINUTES,
  // Polls faster during a hold, so that its banner disappears soon after the hold ends.
  refetchInterval: ({ state }) => (state.data?.hold ? TEN_SECONDS : FIVE_MINUTES),
})

/** The signed-in member and all applications. Loaded before the frame renders. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** Whether the signed-in member has one of these roles. Actions that a member may not take are hidden. */
export function useHasRole(roles: readonly Role[]): boolean {
  return roles.includes(useMe().staff.role)
}

export function environmentOf(me: Me, name: EnvironmentName): EnvironmentOfMe {
  const environment = me.environments.find((one) => one.name === name)
  if (environment === undefined) throw new Error(`There is no environment ${name}.`)
  return environment
}

export type ApplicationOfMe = EnvironmentOfMe['applications'][number]

/** The application in the URL, if it exists. */
export function useApplication(): ApplicationOfMe | undefined {
  const me = useMe()
  const scope = useOptionalScope()
  if (scope === undefined) return undefined
  return environmentOf(me, scope.environment).applications.find(({ aid }) => aid === scope.aid)
}

/** The time zone of the application in the URL. Pages that belong to no application use UTC. */
export const useTimeZone = (): string => useApplication()?.time_zone ?? 'UTC'

/** The current time of the environment in milliseconds, updated regularly: the sandbox has its own clock. */
export function useNow(name?: EnvironmentName): number {
  const scope = useOptionalScope()
  return useServerTime(name ?? scope?.environment ?? 'production')
}
