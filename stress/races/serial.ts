/** A request about one record, and its response. */
export type Call = {
  /** Times of `performance.now()`. */
  began: number
  ended: number
} & (
  | { kind: 'grant' | 'check'; id: string | undefined }
  | { kind: 'revoke'; refund: boolean; id: string | undefined; refunds: number }
)

interface State {
  /** The id of the unrevoked record. */
  id: string | undefined
  isPaid: boolean
  /** The ids of all records so far. */
  known: readonly string[]
}

/** The rules in their shortest form: returns the state after a call, or undefined if the response breaks them. */
function after(state: State, call: Call): State | undefined {
  const { id, known } = state
  if (call.kind === 'check') return call.id === id ? state : undefined
  if (call.kind === 'revoke') {
    const refunds = id !== undefined && state.isPaid && call.refund ? 1 : 0
    const isRight = call.id === id && call.refunds === refunds
    return isRight ? { id: undefined, isPaid: false, known } : undefined
  }
  if (call.id === undefined) return undefined
  if (id !== undefined) return call.id === id ? state : undefined
  const isNew = !known.includes(call.id)
  return isNew ? { id: call.id, isPaid: false, known: [...known, call.id] } : undefined
}

/** Whether there is an order of the calls in which each would get the response that it got; a call that was answered
 * before another one was sent comes before it. */
export function isSerial(paidRecord: string, calls: readonly Call[]): boolean {
  return canGoOn({ id: paidRecord, isPaid: true, known: [paidRecord] }, calls)
}

function canGoOn(state: State, left: readonly Call[]): boolean {
  if (left.length === 0) return true
  const firstEnd = Math.min(...left.map(({ ended }) => ended))
  return left.some((call) => {
    const next = call.began <= firstEnd ? after(state, call) : undefined
    return (
      next !== undefined &&
      canGoOn(
        next,
        left.filter((one) => one !== call),
      )
    )
  })
}
