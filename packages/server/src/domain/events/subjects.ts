import type { Db } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { listRows } from '../../db/queries/rows.ts'
import { offerRecord } from '../../records/decision.ts'
import { paymentRecord } from '../../records/payment.ts'
import { refundRecord } from '../../records/refund.ts'
import { subscriptionRecord } from '../../records/subscription.ts'
import type { CollectedChange } from '../history/collect.ts'
import { findOpens, OPENS_NOTHING } from '../passes/opens.ts'
import { listRefunds } from '../payments/payments.ts'
import { listOffersOf } from '../resources/prices.ts'
import { listSubscriptionsByIds } from '../subscriptions/search.ts'
import type { PlannedEvent } from './plan.ts'
import type { ReaderNames } from './reader-state.ts'

type Values = Record<string, unknown>

/** Returns the id of a record that a change names. */
function idIn({ after, told }: CollectedChange, name: 'payment' | 'refund' | 'subscription') {
  const id = (told as Values | undefined)?.[name] ?? (after as Values | undefined)?.[name]
  return typeof id === 'string' ? id : undefined
}

const idsIn = (events: readonly PlannedEvent[], name: 'payment' | 'refund' | 'subscription') => [
  ...new Set(events.flatMap(({ change }) => idIn(change, name) ?? [])),
]

/** Whether a text is the group of a type, such as `payment`. */
const isOf = (group: string) => (event: PlannedEvent) => event.type.startsWith(`${group}.`)

/** Returns the data of the events about single changes: the records as they are at the end of the transaction. */
export async function loadSubjects(
  db: Db,
  aid: string,
  events: readonly PlannedEvent[],
  names: ReadonlyMap<string, ReaderNames>,
): Promise<(event: PlannedEvent) => object> {
  const money = await loadMoney(db, aid, events)
  const subscriptions = await loadSubscriptions(db, aid, events.filter(isOf('subscription')))
  const catalogue = await loadCatalogue(db, aid, events.filter(isOf('catalogue')))
  const plain = ({ change }: PlannedEvent) => ({ uid: change.uid, rid: change.rid })
  const find: Record<string, (event: PlannedEvent) => object | undefined> = {
    payment: ({ change }) => money.payments.get(idIn(change, 'payment') ?? ''),
    dispute: ({ change }) => money.payments.get(idIn(change, 'payment') ?? ''),
    refund: ({ change }) => money.refunds.get(idIn(change, 'refund') ?? ''),
    subscription: ({ change }) => subscriptions.get(idIn(change, 'subscription') ?? ''),
    catalogue: ({ change }) => catalogue.get(change.rid ?? ''),
    download: ({ change }) => change.told?.data,
    service: ({ change }) => change.told?.data,
    user: (event) => userData(event, names),
  }
  return (event) => {
    const [group = ''] = event.type.split('.')
    return find[group]?.(event) ?? plain(event)
  }
}

function userData({ type, change }: PlannedEvent, names: ReadonlyMap<string, ReaderNames>) {
  const { uid = '', told, before } = change
  if (type === 'user.erased') return { uid, references: told?.references ?? [] }
  const user = names.get(uid)
  return type === 'user.merged' ? { ...user, merged_uid: (before as Values)?.uid } : user
}

async function loadMoney(db: Db, aid: string, events: readonly PlannedEvent[]) {
  const ids = idsIn(
    events.filter(({ type }) => /^(payment|dispute|refund)\./.test(type)),
    'payment',
  )
  if (ids.length === 0)
    return { payments: new Map<string, object>(), refunds: new Map<string, object>() }
  const rows = await listRows(db, 'payments', { aid, id: ids })
  const refunds = await listRefunds(db, aid, padList(ids))
  const payments = rows.map((row) => [row.id, paymentRecord(row, refunds)] as const)
  const rids = new Map(rows.map(({ id, rid, uid }) => [id, { rid, uid }]))
  const refundData = refunds.map(
    (row) =>
      [
        row.id,
        { ...refundRecord(row), aid, payment_id: row.payment_id, ...rids.get(row.payment_id) },
      ] as const,
  )
  return {
    payments: new Map<string, object>(payments),
    refunds: new Map<string, object>(refundData),
  }
}

async function loadSubscriptions(db: Db, aid: string, events: readonly PlannedEvent[]) {
  const rows = await listSubscriptionsByIds(db, aid, idsIn(events, 'subscription'))
  return new Map<string, object>(rows.map((row) => [row.id, subscriptionRecord(row)]))
}

/** The record of a resource, with what it costs and what it opens. */
async function loadCatalogue(db: Db, aid: string, events: readonly PlannedEvent[]) {
  const rids = [...new Set(events.flatMap(({ change }) => change.rid ?? []))]
  if (rids.length === 0) return new Map<string, object>()
  const rows = await listRows(db, 'resources', { aid, rid: rids })
  const offers = await listOffersOf(db, aid, rids)
  const opens = await findOpens(db, aid, rids)
  return new Map<string, object>(
    rows.map(({ rid, name, url, description, image, created, archived }) => [
      rid,
      {
        ...{ aid, rid, name, url, description, image, created, archived: archived !== null },
        offers: (offers.get(rid) ?? []).map(offerRecord),
        opens: opens.get(rid) ?? OPENS_NOTHING,
      },
    ]),
  )
}
