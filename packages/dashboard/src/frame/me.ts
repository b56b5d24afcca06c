import type { EnvironmentOfMe, Me, Role } from '@gatehouse/server/dashboard-api'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError, get, keys } from '../api.ts'
import { type EnvironmentName, useOptionalScope } from '../app-scope.ts'

const TEN_SECONDS = 10_000
const FIVE_MINUTES = 300_000

/** Never settles if nobody is signed in: the sign-in page is about to open, and no error should appear before it. */
function waitForSignIn(error: unknown): Promise<never> {
  if (error instanceof ApiError && error.code === 'not_signed_in') return new Promise(() => {})
  return Promise.reject(error)
}

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => get<Me>('/me', {}, signal).catch(waitForSignIn),
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

const HALF_A_MINUTE = 30_000

/** The current time of the environment in milliseconds, updated regularly: the sandbox has its own clock. */
export function useNow(name?: EnvironmentName): number {
  const me = useMe()
  const scope = useOptionalScope()
  const [real, setReal] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setReal(Date.now()), HALF_A_MINUTE)
    return () => clearInterval(timer)
  }, [])
  const environment = name ?? scope?.environment ?? 'production'
  return real + environmentOf(me, environment).clock_offset * 1000
}
