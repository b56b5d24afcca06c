import { type Static, Type } from 'typebox'
import type { Environment } from '../../../context.ts'
import type { Trx } from '../../../db/database.ts'
import { clocksOf } from '../../../domain/payments/context.ts'
import { searchPayments } from '../../../domain/payments/payments.ts'
import {
  cancelSubscription,
  resumeSubscription,
  type SubscriptionChange,
} from '../../../domain/subscriptions/lifecycle.ts'
import {
  getSubscriptionWithUser,
  type SubscriptionFilter,
  searchSubscriptions,
} from '../../../domain/subscriptions/search.ts'
import { exportSubscriptionsSheet } from '../../../domain/transfer/exports/exports.ts'
import { findLinkNumber } from '../../../domain/users/reader-links.ts'
import { fail } from '../../../errors.ts'
import { delimiterSchema, sendSheet } from '../export-stream.ts'
import { type AppRequest, appRoute, STAFF, SUPPORT } from '../route.ts'
import { findPage, readRecordFilter } from '../schemas.ts'
import {
  type NewManageLink,
  type SubscriptionDetails,
  type SubscriptionItem,
  SubscriptionQuery,
} from './schemas.ts'
import { readSpan } from './span.ts'
import { toPaymentItems, toSubscriptionItems } from './view.ts'

const list = appRoute('GET /subscriptions', {
  management: 'GET /subscriptions',
  allowed: STAFF,
  query: SubscriptionQuery,
  handle: (call) => findPage(call, toSubscriptionFilter, searchSubscriptions, toSubscriptionItems),
})

async function toSubscriptionFilter(
  env: Environment,
  aid: string,
  query: Static<typeof SubscriptionQuery>,
) {
  return {
    aid,
    status: query.status,
    sort: query.sort,
    ...readRecordFilter(query),
    moved: query.moved && { movement: query.moved, ...(await readSpan(env, aid, query)) },
  } satisfies SubscriptionFilter
}

/** Hands out the subscriptions of the list for a spreadsheet. */
const exportAll = appRoute('GET /subscriptions/export.csv', {
  management: 'GET /exports/subscriptions.csv',
  allowed: SUPPORT,
  action: 'subscription.export',
  confirmation: 'recent',
  query: Type.Object({ ...SubscriptionQuery.properties, delimiter: delimiterSchema }),
  async handle(call) {
    const filter = await toSubscriptionFilter(call.env, call.aid, call.query)
    return sendSheet(call, 'subscriptions', filter, exportSubscriptionsSheet)
  },
})

/** Covers more than twenty years of monthly payments. */
const MAX_PAYMENTS = 250

const show = appRoute('GET /subscriptions/:id', {
  management: 'GET /subscriptions/:id',
  allowed: STAFF,
  async handle({ env, aid, params }): Promise<SubscriptionDetails> {
    const id = params.id as string
    return await env.database.snapshot(async (db) => {
      const [shown] = await toSubscriptionItems(db, aid, [
        await getSubscriptionWithUser(db, aid, id),
      ])
      const window = { offset: 0, limit: MAX_PAYMENTS }
      const { rows } = await searchPayments(db, { aid, subscriptionId: id }, window)
      return { ...(shown as SubscriptionItem), payments: await toPaymentItems(db, aid, rows) }
    })
  },
})

/** Changes a subscription that has not ended, and returns its new state. */
async function change(
  { env, aid, params, actor, note }: AppRequest,
  how: (trx: Trx, who: SubscriptionChange) => Promise<unknown>,
): Promise<SubscriptionItem> {
  const id = params.id as string
  const [shown] = await env.database.write(async (trx) => {
    const before = await getSubscriptionWithUser(trx, aid, id)
    if (before.ended !== null) throw fail('subscription_ended')
    await how(trx, { aid, id, actor })
    return await toSubscriptionItems(trx, aid, [await getSubscriptionWithUser(trx, aid, id)])
  })
  const { uid, rid, status } = shown as SubscriptionItem
  note({ uid, rid, status })
  return shown as SubscriptionItem
}

const cancel = appRoute('POST /subscriptions/:id/cancel', {
  management: 'POST /subscriptions/:id/cancel',
  allowed: SUPPORT,
  action: 'subscription.cancel',
  handle: (call) =>
    change(call, (trx, who) => cancelSubscription(trx, who, clocksOf(call.env), call.env.delivery)),
})

const resume = appRoute('POST /subscriptions/:id/resume', {
  management: 'POST /subscriptions/:id/resume',
  allowed: SUPPORT,
  action: 'subscription.resume',
  handle: (call) => change(call, (trx, who) => resumeSubscription(trx, who, call.env.clock())),
})

/** Long enough to send it to a reader who asks for help, and too short to be worth keeping. */
const MANAGE_LINK_SECONDS = 86_400

/** Makes the link that opens the reader's own page of a subscription. Anybody who has it can change the card and
 * cancel. */
const manageLink = appRoute('POST /subscriptions/:id/manage-link', {
  management: 'POST /subscriptions/:id/manage-links',
  allowed: SUPPORT,
  action: 'subscription.manage-link',
  async handle({ env, aid, params, note }): Promise<NewManageLink> {
    const { id, uid, rid } = await getSubscriptionWithUser(env.database.read, aid, params.id ?? '')
    note({ uid, rid })
    const now = env.clock()
    const linkNumber = await findLinkNumber(env.database.read, { aid, uid })
    const url = await env.manageLink({ aid, id, linkNumber }, now, MANAGE_LINK_SECONDS)
    return { url, expires: now + MANAGE_LINK_SECONDS }
  },
})

export const subscriptionRoutes = [list, exportAll, show, cancel, resume, manageLink]
