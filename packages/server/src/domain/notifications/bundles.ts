import { sql } from 'kysely'
import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, NoticeEvent, NoticeKind, Seconds } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { getApplication } from '../apps/applications.ts'
import { findEarliest, listDueApplications } from '../apps/turns.ts'
import { findResources } from '../resources/resources.ts'
import { enqueueStaffMails } from '../staff/mails.ts'
import type { ControlDb } from '../staff/staff.ts'
import { listRecipients } from './choices.ts'
import type { NotificationContext, NotifyingEnvironment } from './context.ts'

const MINUTE: Millis = 60_000

/** How long even the first notice waits, so that events that happen together are reported in one email. */
const SETTLE_MS: Millis = MINUTE / 2

/** The shortest time between two emails of a kind about one application. */
const INTERVAL_MS: Readonly<Record<NoticeKind, Millis>> = {
  sale: 10 * MINUTE,
  dispute: 10 * MINUTE,
  refund_failed: 10 * MINUTE,
  webhook_failed: 10 * MINUTE,
  // With many subscriptions, a few charges fail every hour.
  payment_failed: 60 * MINUTE,
}

/** The maximum number of notices that an email lists; the rest are only counted. */
const MAX_LISTED = 10

/** The content of an email about one or more notices of a kind. */
export interface NoticeBundle {
  count: number
  /** The number and the amounts of each event. */
  events: { event: NoticeEvent; count: number; currency: string; amount: number }[]
  /** The newest, up to `MAX_LISTED`. */
  items: {
    event: NoticeEvent
    subject: string
    resource: string
    amount: number
    currency: string
    at: Seconds
  }[]
}

/** Puts the notices of an environment into emails for the members who want them. Returns the number of bundles. */
export async function bundleNotices(
  ctx: NotificationContext,
  env: NotifyingEnvironment,
): Promise<number> {
  const { database } = env
  let bundles = 0
  for (const aid of await listDueApplications(database.read, WAITING)) {
    for (const { kind, oldest, bundle } of await listWaiting(database.read, aid)) {
      // A bundle that is there already was begun before a crash, and is finished under its own name.
      const isDue = bundle !== null || (await isDueNow(ctx.control.read, aid, kind, oldest, env))
      if (!isDue) continue
      await finishBundle(ctx, env, aid, kind, bundle ?? (await beginBundle(database, aid, kind)))
      bundles++
    }
  }
  return bundles
}

const WAITING = { table: 'notices', isDue: sql<boolean>`true` } as const

/** Returns when the oldest notice has waited long enough, even if its email has to wait for the interval. */
export async function findNextBundle(db: Db): Promise<Millis | undefined> {
  const oldest = await findEarliest(db, 'notices', 'created', WAITING.isDue)
  return oldest === undefined ? undefined : oldest + SETTLE_MS
}

interface WaitingKind {
  kind: NoticeKind
  oldest: Millis
  bundle: string | null
}

async function listWaiting(db: Db, aid: string): Promise<WaitingKind[]> {
  const rows = await db
    .selectFrom('notices')
    .select((eb) => ['kind', eb.fn.min('created').as('oldest'), eb.fn.max('bundle').as('bundle')])
    .where('aid', '=', aid)
    .groupBy('kind')
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, oldest, bundle }) => ({ kind, oldest: Number(oldest), bundle }))
}

async function isDueNow(
  db: ControlDb,
  aid: string,
  kind: NoticeKind,
  oldest: Millis,
  { realTime }: NotifyingEnvironment,
): Promise<boolean> {
  const { last } = await db
    .selectFrom('staff_mails')
    .select((eb) => eb.fn.max('created_at').as('last'))
    .where((eb) => eb.and({ aid, kind }))
    .executeTakeFirstOrThrow()
  return realTime() >= Math.max(oldest + SETTLE_MS, Number(last ?? 0) + INTERVAL_MS[kind])
}

async function beginBundle(
  database: EnvironmentDatabase,
  aid: string,
  kind: NoticeKind,
): Promise<string> {
  const bundle = newId()
  await database.write((trx) =>
    trx
      .updateTable('notices')
      .set({ bundle })
      .where((eb) => eb.and({ aid, kind }))
      .where('bundle', 'is', null)
      .execute(),
  )
  return bundle
}

/** The emails are in another database than the notices. Their keys are derived from the bundle, so that doing this again
 * after a crash queues none twice. */
async function finishBundle(
  { control, environments: { production } }: NotificationContext,
  env: NotifyingEnvironment,
  aid: string,
  kind: NoticeKind,
  bundle: string,
): Promise<void> {
  const { database, name } = env
  const { archived } = await getApplication(database.read, aid)
  const isWanted = production.mailer !== undefined && archived === null
  const members = isWanted
    ? await listRecipients(control.read, { environment: name, aid }, kind)
    : []
  const payload = members.length > 0 && (await readBundle(database.read, aid, bundle))
  // Another process may have taken the notices a moment ago.
  if (payload && payload.count > 0) {
    const mails = members.map(({ id: staff_id }) => {
      return { key: `${kind}:${bundle}:${staff_id}`, kind, staff_id, aid, payload }
    })
    await control.write((trx) => enqueueStaffMails(trx, mails, env.realTime()))
  }
  await database.write((trx) =>
    trx
      .deleteFrom('notices')
      .where((eb) => eb.and({ aid, bundle }))
      .execute(),
  )
}

async function readBundle(db: Db, aid: string, bundle: string): Promise<NoticeBundle> {
  const events = await db
    .selectFrom('notices')
    .select((eb) => [
      'event',
      'currency',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('amount').as('amount'),
    ])
    .where((eb) => eb.and({ aid, bundle }))
    .groupBy(['event', 'currency'])
    .orderBy('event')
    .orderBy('currency')
    .execute()
  const newest = await db
    .selectFrom('notices')
    .selectAll()
    .where((eb) => eb.and({ aid, bundle }))
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
  const resources = await findResources(db, aid, [...new Set(newest.map(({ rid }) => rid))])
  const names = new Map(resources.map(({ rid, name }) => [rid, name]))
  const sums = events.map((row) => {
    return { ...row, count: Number(row.count), amount: Number(row.amount) }
  })
  return {
    count: sums.reduce((sum, { count }) => sum + count, 0),
    events: sums,
    items: newest.map(({ event, subject_id, rid, amount, currency, at }) => ({
      ...{ event, subject: subject_id, resource: names.get(rid) ?? rid, amount, currency, at },
    })),
  }
}
