import { ParameterError } from './errors.ts'

/** Left out, these make access last forever, or refund everything. */
const LIMITS = ['expiration', 'expires', 'lifetime', 'amount']

/** Left out, these make a search find everybody, and a link to a file work for everybody. */
const FILTERS = ['rid', 'user_ref', 'uid', 'email', 'tag']

type Given = Readonly<Record<string, unknown>>

/** Throws if a limit is there without a value: a variable was not set, and to leave the limit out would do more than meant. */
export function requireLimitsSet(given: Given): void {
  requireSet(given, LIMITS)
}

/** Does the same for the parameters of a question. */
export function requireFiltersSet(given: Given): void {
  requireSet(given, [...FILTERS, ...LIMITS])
}

function requireSet(given: Given, names: readonly string[]): void {
  for (const name of names) {
    if (name in given && (given[name] === undefined || given[name] === null)) {
      throw new ParameterError(name, UNSET)
    }
  }
}

/** What is wrong with a value that a program has named and not set. */
export const UNSET = 'is not set; leave it out if that is what you mean'
