import type { Me } from '../../../server/src/http/dashboard/staff/schemas.ts'
import { type EnvironmentName, isEnvironment, type Place, placeAt } from '../place.ts'
import { type ApplicationOfMe, environmentOf } from './me.ts'

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

function lastOf(
  applications: readonly ApplicationOfMe[],
  environment: EnvironmentName,
): Place | undefined {
  const kept = applications.find(({ aid }) => aid === read()[environment])
  const aid = (kept ?? applications.find(({ archived }) => !archived) ?? applications[0])?.aid
  return aid === undefined ? undefined : placeAt(environment, aid)
}

/** The application used last in an environment, otherwise its first one. */
const lastPlaceIn = (me: Me, environment: EnvironmentName): Place | undefined =>
  lastOf(environmentOf(me, environment).applications, environment)

/** The application to open after switching environments. An application belongs to one environment only, so this is
 * the one with the same name there, otherwise the one used last. */
export function placeBeside(
  me: Me,
  from: Place | undefined,
  environment: EnvironmentName,
): Place | undefined {
  const name = nameAt(me, from)
  if (from?.environment === environment && name !== undefined) return from
  const there = environmentOf(me, environment).applications
  const namesakes = there.filter((one) => one.name === name && !one.archived)
  return lastOf(namesakes, environment) ?? lastOf(there, environment)
}

/** The name of the application at a place. */
export const nameAt = (me: Me, place: Place | undefined): string | undefined =>
  place &&
  environmentOf(me, place.environment).applications.find(({ aid }) => aid === place.aid)?.name

export function lastPlace(me: Me): Place | undefined {
  const { environment } = read()
  const kept = isEnvironment(environment) ? lastPlaceIn(me, environment) : undefined
  return kept ?? lastPlaceIn(me, 'production') ?? lastPlaceIn(me, 'sandbox')
}
