import { useParams } from '@tanstack/react-router'

export type EnvironmentName = 'production' | 'sandbox'

export interface Place {
  environment: EnvironmentName
  aid: string
  /** Builds a path in the app: `path('people', uid)`. The same path below /api is the API route. */
  path: (...parts: readonly string[]) => string
}

export const isEnvironment = (text: string | undefined): text is EnvironmentName =>
  text === 'production' || text === 'sandbox'

export function placeAt(environment: EnvironmentName, aid: string): Place {
  const path = (...parts: readonly string[]) =>
    `/${[environment, aid, ...parts].map(encodeURIComponent).join('/')}`
  return { environment, aid, path }
}

/** The environment and application in the URL, if there are any. */
export function useMaybePlace(): Place | undefined {
  const { environment, aid } = useParams({ strict: false }) as {
    environment?: string
    aid?: string
  }
  return isEnvironment(environment) && aid !== undefined ? placeAt(environment, aid) : undefined
}

/** For pages that belong to an application; throws elsewhere. */
export function usePlace(): Place {
  const place = useMaybePlace()
  if (place === undefined) throw new Error('This page is not one of an application.')
  return place
}
