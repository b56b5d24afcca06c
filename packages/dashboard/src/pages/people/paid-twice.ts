import type { AccessDetails, SourceItem } from '@gatehouse/server/dashboard-api'

/** A payment or subscription that gives nothing, because the person already had lifetime access. */
export interface NeedlessPurchase {
  resource: string
  source: SourceItem
}

const isOpen = ({ closed, expires }: SourceItem, now: number) =>
  closed === null && (expires === null || expires > now)

/** Money that went back, or may go back, needs no attention. */
const isPaid = ({ kind, payment, subscription }: SourceItem) =>
  kind === 'purchase'
    ? payment?.status === 'succeeded' || payment?.status === 'partially_refunded'
    : kind === 'subscription' &&
      ['trialing', 'active', 'past_due'].includes(subscription?.status ?? '')

/** Lists what was bought after a lifetime purchase of the same resource, or goes on beside it. Limited periods extend
 * each other, so they are never needless. `now` is in seconds. */
export function findNeedless(
  records: readonly AccessDetails[],
  now: number,
): readonly NeedlessPurchase[] {
  return records.flatMap(({ resource_name: resource, revoked, sources }) => {
    if (revoked !== null) return []
    const paid = sources.filter((source) => isOpen(source, now) && isPaid(source))
    const [first] = paid
      .filter(({ kind, expires }) => kind === 'purchase' && expires === null)
      .sort((a, b) => a.created - b.created)
    if (first === undefined) return []
    const isNeedless = (source: SourceItem) =>
      source !== first && (source.kind === 'subscription' || source.created >= first.created)
    return paid.filter(isNeedless).map((source) => ({ resource, source }))
  })
}
