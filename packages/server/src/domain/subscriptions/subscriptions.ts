import type { Db, Trx } from '../../db/database.ts'
import { findApplicationOf } from '../../db/find-application.ts'
import { findRow, updateRows } from '../../db/queries/rows.ts'
import type { Seconds, SubscriptionTable, UserTable } from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'
import { newSortedId } from '../../ids.ts'
import { addPeriods } from '../resources/periods.ts'
import type { Terms } from '../resources/prices.ts'

export type SubscriptionRow = SubscriptionTable

const DAY: Seconds = 86_400
/** Leaves the reader enough time before the first charge to cancel. */
const TRIAL_NOTICE_S: Seconds = 3 * DAY

/** When to send the notice that a trial ends: three days before, or halfway through a short trial. */
export const trialNoticeTime = (ends: Seconds, created: Seconds): Seconds =>
  ends - Math.min(TRIAL_NOTICE_S, Math.floor((ends - created) / 2))

export interface NewSubscription {
  aid: string
  rid: string
  uid: string
  accessId: string
  terms: Terms
  provider: string
  method: string | undefined
}

/** Creates a subscription. Its first period is the trial, or the period just paid for. */
export async function createSubscription(
  trx: Trx,
  input: NewSubscription,
  now: Seconds,
): Promise<SubscriptionRow> {
  const { aid, rid, uid, accessId, terms, provider } = input
  const { amount, currency, trial_days } = terms
  const period = terms.period as string
  const trialEnds = trial_days > 0 ? now + trial_days * DAY : null
  const ends = trialEnds ?? addPeriods(now, period)
  const row: SubscriptionRow = {
    id: newSortedId(),
    aid,
    rid,
    uid,
    access_id: accessId,
    amount,
    currency,
    period,
    status: trialEnds === null ? 'active' : 'trialing',
    created: now,
    trial_ends: trialEnds,
    anchor: trialEnds ?? now,
    periods: trialEnds === null ? 1 : 0,
    current_period_start: now,
    current_period_end: ends,
    canceled: null,
    ended: null,
    next_due: trialEnds === null ? ends : trialNoticeTime(trialEnds, now),
    next_step: trialEnds === null ? 'renew' : 'trial_notice',
    tries: 0,
    provider,
    method: input.method ?? null,
  }
  await trx.insertInto('subscriptions').values(row).execute()
  return row
}

export const findSubscription = (db: Db, aid: string, id: string) =>
  findRow(db, 'subscriptions', { aid, id })

/** Finds a subscription whose application is not known. Never for a request that an application signed. */
export async function findSubscriptionById(
  db: Db,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const aid = await findApplicationOf(db, 'subscriptions', id)
  return aid === undefined ? undefined : await findSubscription(db, aid, id)
}

/** A subscription with the link number of its reader. */
type ReadersSubscription = SubscriptionRow & Pick<UserTable, 'link_number'>

/** Finds a subscription that a reader's link names. Old links don't name the application. */
export async function findReadersSubscription(
  db: Db,
  id: string,
  named: string | undefined,
): Promise<ReadersSubscription | undefined> {
  const aid = named ?? (await findApplicationOf(db, 'subscriptions', id))
  if (aid === undefined) return undefined
  return await db
    .selectFrom('subscriptions as s')
    .innerJoin('users as u', (join) =>
      join.onRef('u.aid', '=', 's.aid').onRef('u.uid', '=', 's.uid'),
    )
    .selectAll('s')
    .select('u.link_number')
    .where((eb) => eb.and({ 's.aid': aid, 's.id': id }))
    .executeTakeFirst()
}

export async function getSubscription(db: Db, aid: string, id: string): Promise<SubscriptionRow> {
  return requireFound(await findSubscription(db, aid, id), 'subscription_not_found')
}

/** Finds the subscription of a user to a resource that has not ended. */
export async function findOpenSubscription(
  db: Db,
  key: { aid: string; rid: string; uid: string },
): Promise<SubscriptionRow | undefined> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .where((eb) => eb.and({ aid: key.aid, rid: key.rid, uid: key.uid }))
    .where('status', '<>', 'ended')
    .executeTakeFirst()
}

export async function updateSubscription(
  trx: Trx,
  row: SubscriptionRow,
  change: Partial<SubscriptionRow>,
): Promise<SubscriptionRow> {
  await updateRows(trx, 'subscriptions', { aid: row.aid, id: row.id }, change)
  return { ...row, ...change }
}
