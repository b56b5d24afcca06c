import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { EnvironmentOfMe, Me } from '../../../server/src/doors/dashboard/shapes-staff.ts'
import type { Role } from '../../../server/src/staff/staff.ts'
import { ApiError, get, keys } from '../api.ts'
import { type EnvironmentName, useMaybePlace } from '../place.ts'

const TEN_SECONDS = 10_000
const FIVE_MINUTES = 300_000

/** The sign-in page is on its way then: until it is there, nothing is shown instead of an error. */
function waitForSignIn(error: unknown): Promise<never> {
  if (error instanceof ApiError && error.code === 'not_signed_in') return new Promise(() => {})
  return Promise.reject(error)
}

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => get<Me>('/me', {}, signal).catch(waitForSignIn),
  staleTime: FIVE_MINUTES,
  // The banner of a hold comes and goes by itself.
  refetchInterval: ({ state }) => (state.data?.hold ? TEN_SECONDS : FIVE_MINUTES),
})

/** Who is signed in, and the applications there are. Known before the frame is shown. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** Whether who is signed in has one of these roles: what others may not do is not shown to them. */
export function useMay(roles: readonly Role[]): boolean {
  return roles.includes(useMe().staff.role)
}

export function environmentOf(me: Me, name: EnvironmentName): EnvironmentOfMe {
  const environment = me.environments.find((one) => one.name === name)
  if (environment === undefined) throw new Error(`There is no environment ${name}.`)
  return environment
}

export type ApplicationOfMe = EnvironmentOfMe['applications'][number]

/** The application that the address names, if there is such a one. */
export function useApplication(): ApplicationOfMe | undefined {
  const me = useMe()
  const place = useMaybePlace()
  if (place === undefined) return undefined
  return environmentOf(me, place.environment).applications.find(({ aid }) => aid === place.aid)
}

const HALF_A_MINUTE = 30_000

/** The time where we are, in milliseconds: the sandbox has its own. Goes on by itself. */
export function useNow(name?: EnvironmentName): number {
  const me = useMe()
  const place = useMaybePlace()
  const [real, setReal] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setReal(Date.now()), HALF_A_MINUTE)
    return () => clearInterval(timer)
  }, [])
  const environment = name ?? place?.environment ?? 'production'
  return real + environmentOf(me, environment).clock_offset * 1000
}
