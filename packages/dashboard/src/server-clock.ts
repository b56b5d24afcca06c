import { useSyncExternalStore } from 'react'
import { type EnvironmentName, isEnvironmentName } from './app-scope.ts'

/** The header of the API's responses with the name and the time of an environment: `sandbox 1803200400000`. */
const TIME_HEADER = 'gatehouse-time'
const HALF_A_MINUTE = 30_000
/** The smallest correction of a clock: smaller ones come from network delays, and from times in whole seconds. */
const MIN_CORRECTION_MS = 1_500

/** How far the clock of each environment is ahead of the browser's, in milliseconds. */
const offsets: Record<EnvironmentName, number> = { production: 0, sandbox: 0 }
/** The time that the pages are rendered with: the browser's time of the last response, or of the last half minute. */
let seen = Date.now()
const listeners = new Set<() => void>()

function refresh(): void {
  seen = Date.now()
  for (const listener of listeners) listener()
}

/** Records the time of an environment. The browser's clock may be wrong, and the sandbox has its own. */
export function noteServerTime(environment: EnvironmentName, time: number): void {
  const offset = time - Date.now()
  const isSame = Math.abs(offset - offsets[environment]) < MIN_CORRECTION_MS
  if (!isSame) offsets[environment] = offset
  refresh()
}

export function noteResponseTime(headers: Headers): void {
  const [environment, time] = (headers.get(TIME_HEADER) ?? '').split(' ')
  if (isEnvironmentName(environment)) noteServerTime(environment, Number(time))
}

/** The time of an environment in milliseconds, in whole seconds. */
export const serverTime = (environment: EnvironmentName): number =>
  Math.floor((seen + offsets[environment]) / 1000) * 1000

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const timer = setInterval(refresh, HALF_A_MINUTE)
  return () => {
    listeners.delete(listener)
    clearInterval(timer)
  }
}

/** Renders again with every response, so that nothing that just happened seems to be in the future. */
export function useServerTime(environment: EnvironmentName): number {
  return useSyncExternalStore(subscribe, () => serverTime(environment))
}
