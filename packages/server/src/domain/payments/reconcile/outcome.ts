import type { LedgerCharge } from '../provider.ts'
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
