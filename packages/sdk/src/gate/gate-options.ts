import type { Gatehouse } from '../client.ts'
import { OptionsError } from '../errors.ts'

export interface GateOptions {
  gatehouse: Gatehouse
  /** Milliseconds for which a granted answer is used without asking again; defaults to 30 seconds, 0 means never.
   * An answer is never used past the time at which it can change by itself. */
  cacheFor?: number
  /** The same for a refusal; defaults to 5 seconds, so that a reader who has just bought isn't refused for long. */
  cacheRefusalsFor?: number
  /** Milliseconds for which a known answer is used if the service can't be reached; defaults to 5 minutes. A granted
   * answer is never used past its end. */
  staleIfError?: number
  /** The decision about a reader without a known answer while the service can't be reached; defaults to `closed`. */
  whenUnavailable?: 'closed' | 'open'
  /** Milliseconds for one check, retry included; defaults to 2 seconds. */
  timeout?: number
  /** How many answers are kept; defaults to 10,000. */
  maxEntries?: number
  /** Called with each failed check, for your log. */
  onError?: (error: unknown) => void
  /** The current time in milliseconds; defaults to the system clock. */
  now?: () => number
}

const DEFAULTS = {
  cacheFor: 30_000,
  cacheRefusalsFor: 5_000,
  staleIfError: 5 * 60_000,
  whenUnavailable: 'closed' as const,
  timeout: 2_000,
  maxEntries: 10_000,
  onError: () => {},
  now: () => Date.now(),
}

export type CheckedGateOptions = Required<GateOptions>

/** Returns the options with their defaults; throws an `OptionsError` that names every one that is missing or wrong.
 * `required` are the options of an adapter. */
export function checkGateOptions(
  given: GateOptions,
  required: readonly string[] = [],
): CheckedGateOptions {
  const values: Record<string, unknown> = { ...DEFAULTS, ...withoutUnset(given ?? {}) }
  const options = values as unknown as CheckedGateOptions
  const problems = [
    ...['gatehouse', ...required]
      .filter((name) => values[name] === undefined || values[name] === null)
      .map((name) => `${name} is missing`),
    ...(['cacheFor', 'cacheRefusalsFor', 'staleIfError'] as const)
      .filter((name) => !(typeof options[name] === 'number' && options[name] >= 0))
      .map((name) => `${name} must be a number of milliseconds, 0 or more`),
    ...(['timeout', 'maxEntries'] as const)
      .filter((name) => !(typeof options[name] === 'number' && options[name] > 0))
      .map((name) => `${name} must be a number above 0`),
    ...(['closed', 'open'].includes(options.whenUnavailable)
      ? []
      : [`whenUnavailable must be 'closed' or 'open'`]),
  ]
  if (problems.length > 0) throw new OptionsError(problems)
  return options
}

const withoutUnset = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
