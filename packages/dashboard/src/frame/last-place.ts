import type { Me } from '../../../server/src/doors/dashboard/shapes-staff.ts'
import { type EnvironmentName, isEnvironment, type Place, placeAt } from '../place.ts'
import { environmentOf } from './me.ts'

const KEY = 'gatehouse.place'

interface Kept {
  environment?: string
  production?: string
  sandbox?: string
}

function read(): Kept {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Kept
  } catch {
    return {}
  }
}

export function keepPlace({ environment, aid }: Place): void {
  localStorage.setItem(KEY, JSON.stringify({ ...read(), environment, [environment]: aid }))
}

/** The application that was used last in an environment, or else its first. */
export function lastPlaceIn(me: Me, environment: EnvironmentName): Place | undefined {
  const { applications } = environmentOf(me, environment)
  const kept = applications.find(({ aid }) => aid === read()[environment])
  const aid = (kept ?? applications.find(({ archived }) => !archived) ?? applications[0])?.aid
  return aid === undefined ? undefined : placeAt(environment, aid)
}

export function lastPlace(me: Me): Place | undefined {
  const { environment } = read()
  const kept = isEnvironment(environment) ? lastPlaceIn(me, environment) : undefined
  return kept ?? lastPlaceIn(me, 'production') ?? lastPlaceIn(me, 'sandbox')
}
