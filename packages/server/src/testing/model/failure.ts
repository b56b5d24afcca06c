/** The checks by which a history is judged; docs/decisions/0031-model-based-tests.md explains each. */
export type Oracle =
  | 'status'
  | 'invariants'
  | 'ledger'
  | 'reference'
  | 'aliases'
  | 'agreement'
  | 'names'
  | 'bytes'
  | 'doctor'
  | 'events'
  | 'webhooks'

/** A defect that a history has revealed. Two failures of the same `kind` most likely have the same cause. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly oracle: Oracle
  readonly kind: string

  constructor(oracle: Oracle, kind: string, details = '') {
    super(`${oracle}: ${kind}${details === '' ? '' : `\n${details}`}`)
    this.oracle = oracle
    this.kind = kind
  }
}

/** The oracles to leave out, to look past known defects: `MODEL_IGNORE=bytes,ledger`. */
const ignored = new Set((process.env.MODEL_IGNORE ?? '').split(','))

export const isIgnored = (oracle: Oracle): boolean => ignored.has(oracle)

/** Fails the history unless the condition is true. */
export function requireThat(
  isSo: boolean,
  oracle: Oracle,
  kind: string,
  details?: () => unknown,
): void {
  if (isSo || isIgnored(oracle)) return
  const text = details === undefined ? '' : JSON.stringify(details(), null, 2)
  throw new ModelFailure(oracle, kind, text)
}
