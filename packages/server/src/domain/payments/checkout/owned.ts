import type { Db } from '../../../db/database.ts'
import { findRow, type RowKey } from '../../../db/queries/rows.ts'
import { FOREVER, type Seconds } from '../../../db/tables.ts'
import { listOpenSources, scheduleNewPeriod } from '../../access/sources.ts'
import { listPassRecords } from '../../passes/records.ts'
import type { Terms } from '../../resources/prices.ts'
import { getResource } from '../../resources/resources.ts'
import { findOpenSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions.ts'
import { findVouchedUid, type Reader } from './terms.ts'

/** Access that a reader already has to a resource. */
export interface Owned {
  /** The access record, if there is one. */
  access: RowKey | undefined
  /** When the access ends; undefined if there is none now. */
  ends: Seconds | undefined
  /** The subscription that has not ended, if there is one. */
  subscription: SubscriptionRow | undefined
  /** When a one-time period that is bought now would begin. */
  nextStart: Seconds
}

/** Finds what a reader has for whom the application vouches. Nobody else is told: anyone can type an address. */
export async function findOwned(db: Db, reader: Reader, now: Seconds): Promise<Owned | undefined> {
  const uid = await findVouchedUid(db, reader)
  if (uid === undefined) return undefined
  const { aid, rid } = reader
  const access = await findRow(db, 'access', { aid, rid, uid, revoked: null })
  const subscription = await findOpenSubscription(db, { aid, rid, uid })
  const isLive = access !== undefined && access.ends > now
  if (!isLive && !subscription) return undefined
  const sources = access ? await listOpenSources(db, access) : []
  const { starts } = scheduleNewPeriod(sources, '1 day', now)
  return {
    access: access && { aid, id: access.id },
    ends: isLive ? access.ends : undefined,
    subscription,
    nextStart: starts,
  }
}

/** A pass that opens a resource to a reader who has no access of its own to it. */
export interface OpenPass {
  name: string
  ends: Seconds
}

/** Finds the pass through which a vouched reader may see a resource already. */
export async function findOpenPass(
  db: Db,
  reader: Reader,
  now: Seconds,
): Promise<OpenPass | undefined> {
  const uid = await findVouchedUid(db, reader)
  if (uid === undefined) return undefined
  const { aid, rid } = reader
  const [held] = await listPassRecords(db, { aid, uid }, [rid], now)
  if (!held) return undefined
  const { name } = await getResource(db, aid, held.access.rid)
  return { name, ends: held.access.ends }
}

/** Whether it makes sense to buy on these terms. A second subscription is refused, and lifetime access lacks nothing. */
export const isWorthBuying = ({ recurring }: Terms, owned: Owned | undefined): boolean =>
  owned === undefined ||
  (owned.ends !== FOREVER && !(recurring && owned.subscription !== undefined))
