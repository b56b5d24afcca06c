import type { Seconds } from '../../../db/tables.ts'
import type { LedgerCharge } from '../provider.ts'
import { UnreadableObject } from '../provider-error.ts'
import type { Finding, OpenFinding } from './findings.ts'

/** Result for one record; undefined if both sides agree. */
export type ComparisonOutcome =
  | { isRepaired: true; finding: Finding }
  | { isRepaired: false; finding: OpenFinding }
  | undefined

export const repairedFinding = (finding: Finding): ComparisonOutcome => ({
  isRepaired: true,
  finding,
})
export const openFinding = (finding: OpenFinding): ComparisonOutcome => ({
  isRepaired: false,
  finding,
})

export const aboutCharge = ({ ref, money, labels, created }: LedgerCharge) => ({
  providerRef: ref,
  ...money,
  aid: labels.aid,
  at: created,
})

/** Whom an object concerns, as far as that is known without reading all of it. */
interface ObjectOwner {
  aid: string | undefined
  paymentId?: string
  at: Seconds
}

/** Compares one record. If an object can't be read, that is left to staff, so that it does not keep the others from being
 * compared. */
export async function compareReadable(
  { aid, paymentId, at }: ObjectOwner,
  compare: () => Promise<ComparisonOutcome>,
): Promise<ComparisonOutcome> {
  try {
    return await compare()
  } catch (error) {
    if (!(error instanceof UnreadableObject)) throw error
    const { ref: providerRef, field } = error
    const message = `${providerRef} is ours, but its ${field} can't be read, so it was not compared`
    const about = { ...(paymentId === undefined ? {} : { paymentId }), aid, at }
    return openFinding({ kind: 'object_unreadable', message, providerRef, ...about })
  }
}
