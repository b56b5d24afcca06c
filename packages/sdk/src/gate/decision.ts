import type { AccessCheck, Offer } from '../types.ts'

/** `anonymous`: nobody is signed in, and the service was not asked. `unavailable`: the service can't be reached, and
 * nothing is known about this reader. All others are those of the service. */
export type DecisionCode = AccessCheck['code'] | 'anonymous' | 'unavailable'

/** Whether a reader may see a resource, and why. `granted` is the only thing to look at before showing it. */
export interface Decision {
  readonly granted: boolean
  readonly code: DecisionCode
  readonly rid: string
  /** The reader; undefined if nobody is signed in. */
  readonly userRef: string | undefined
  /** The prices that the reader could pay; empty if access is granted, and where the service was not asked. */
  readonly offers: readonly Offer[]
  /** A purchase link for this reader, if something is offered. */
  readonly checkoutUrl: string | undefined
  /** When access ends, in seconds since 1970; undefined if it has no end, or is refused. */
  readonly until: number | undefined
  /** When access ended, in seconds since 1970; undefined if it is granted, or never was. */
  readonly since: number | undefined
  /** The pass that gives access. */
  readonly via: string | undefined
  /** Whether this is an earlier answer, which is used because the service can't be reached. */
  readonly stale: boolean
}

const NOTHING_KNOWN = { offers: [], checkoutUrl: undefined, until: undefined, since: undefined }

/** A decision without an answer of the service. */
export const withoutAnswer = (
  code: DecisionCode,
  granted: boolean,
  { rid, userRef }: { rid: string; userRef: string | undefined },
): Decision => ({ ...NOTHING_KNOWN, granted, code, rid, userRef, via: undefined, stale: false })
