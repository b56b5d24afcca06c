export const FOREVER = Number.POSITIVE_INFINITY

/** A one-time purchase that was neither refunded in full nor lost to a dispute. */
export interface Purchase {
  payment: string
  starts: number
  ends: number
  seconds: number
}

/** The access of a person to one resource. */
export interface Holding {
  hasRecord: boolean
  grantEnds: number | undefined
  purchases: Purchase[]
  /** Ids of subscriptions; until they have ended, only the service knows when access ends. */
  subscriptions: Set<string>
  isUnsure: boolean
}

export const blankHolding = (): Holding => ({
  hasRecord: false,
  grantEnds: undefined,
  purchases: [],
  subscriptions: new Set(),
  isUnsure: false,
})

export function placeAfter(purchase: Purchase, others: readonly Purchase[], now: number): void {
  const running = others.filter(({ ends }) => ends !== FOREVER)
  purchase.starts = Math.max(now, ...running.map(({ ends }) => ends))
  purchase.ends = purchase.starts + purchase.seconds
}

/** Adds what another person had to a holding, in a merge. */
export function mergeHoldings(into: Holding, from: Holding, now: number): void {
  if (!from.hasRecord && !from.isUnsure) return
  const both = into.hasRecord && from.hasRecord
  into.isUnsure ||= from.isUnsure || (both && into.subscriptions.size + from.subscriptions.size > 0)
  into.hasRecord ||= from.hasRecord
  if (from.grantEnds !== undefined) {
    into.grantEnds = Math.max(into.grantEnds ?? 0, from.grantEnds)
  }
  for (const id of from.subscriptions) into.subscriptions.add(id)
  requeuePeriods(from.purchases, into.purchases, now)
}

export const byStart = (a: Purchase, b: Purchase) => a.starts - b.starts

/** Queues what is left of each finite period after everything that the other person has paid for. */
function requeuePeriods(moved: readonly Purchase[], there: Purchase[], now: number): void {
  const isLeft = ({ seconds, ends }: Purchase) => seconds !== FOREVER && ends > now
  const left = moved.filter(isLeft).sort(byStart)
  there.push(...moved.filter((one) => !isLeft(one)))
  const isBehind = there.some(({ ends }) => ends !== FOREVER)
  for (const one of left) {
    if (isBehind && one.starts <= now) one.seconds = one.ends - now
    if (isBehind) placeAfter(one, there, now)
    there.push(one)
  }
}
