import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import type { Trx } from '../../db/database.ts'
import { writeOnce } from '../../domain/idempotency/once.ts'
import { clocksOf } from '../../domain/payments/context.ts'
import {
  cancelSubscription,
  resumeSubscription,
  type SubscriptionChange,
} from '../../domain/subscriptions/lifecycle.ts'
import { getSubscriptionWithUser, searchSubscriptions } from '../../domain/subscriptions/search.ts'
import {
  findOpenSubscription,
  type SubscriptionRow,
} from '../../domain/subscriptions/subscriptions.ts'
import { findLinkNumber } from '../../domain/users/reader-links.ts'
import { findUidByRef, lockUidByRef } from '../../domain/users/user-ref.ts'
import { fail } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { readParameters, required } from '../../parameters.ts'
import {
  ManageLink,
  Subscription,
  SubscriptionPage,
  subscriptionRecord,
} from '../../records/subscription.ts'
import { contract } from './contract.ts'
import { addWrite } from './request/add-write.ts'
import { addRecordSearch } from './search.ts'

const named = { rid: required(fields.rid), user_ref: required(fields.userRef) }

export function subscriptionRoutes(app: FastifyInstance, env: Environment): void {
  addSearch(app, env)
  addCancel(app, env)
  addResume(app, env)
  addManage(app, env)
}

function addSearch(app: FastifyInstance, { database }: Environment): void {
  const about = {
    id: 'searchSubscriptions',
    summary: 'Search subscriptions',
    description: 'Newest first, including ended subscriptions. Filters combine with AND.',
    response: SubscriptionPage,
  }
  addRecordSearch(app, '/r2/subscription/search', about, async (filter, window) => {
    const { rows, total } = await searchSubscriptions(database.read, filter, window)
    return { data: rows.map(subscriptionRecord), total }
  })
}

/** The description of a route in the API's reference. */
interface About {
  id: string
  summary: string
  description: string
}

/** Adds a route that changes a user's open subscription to a resource, and returns it. */
function addChange(
  app: FastifyInstance,
  env: Environment,
  path: string,
  about: About,
  change: (trx: Trx, which: SubscriptionChange) => Promise<SubscriptionRow>,
): void {
  const endpoint = {
    ...about,
    parameters: named,
    response: Subscription,
    failures: ['subscription_not_found'],
  } as const
  addWrite(app, path, endpoint, async ({ rid, user_ref: userRef }, { signed: { aid }, write }) =>
    writeOnce(env, write, async (trx) => {
      const uid = await lockUidByRef(trx, aid, userRef)
      const open =
        uid === undefined ? undefined : await findOpenSubscription(trx, { aid, rid, uid })
      if (!open) throw fail('subscription_not_found')
      await change(trx, { aid, id: open.id, actor: 'api' })
      const body = subscriptionRecord(await getSubscriptionWithUser(trx, aid, open.id))
      return { status: 200, body, uid: open.uid }
    }),
  )
}

function addCancel(app: FastifyInstance, env: Environment): void {
  const about = {
    id: 'cancelSubscription',
    summary: 'Cancel a subscription',
    description:
      'The subscription is not renewed any more; access continues until the end of the paid period. ' +
      'A subscription that is already canceled stays as it is.',
  }
  addChange(app, env, '/r2/subscription/cancel', about, (trx, which) =>
    cancelSubscription(trx, which, clocksOf(env), env.delivery),
  )
}

function addResume(app: FastifyInstance, env: Environment): void {
  const about = {
    id: 'resumeSubscription',
    summary: 'Resume a canceled subscription',
    description:
      'Possible until the subscription has ended. It is then renewed as if it had not been canceled.',
  }
  addChange(app, env, '/r2/subscription/resume', about, (trx, which) =>
    resumeSubscription(trx, which, env.clock()),
  )
}

/** In seconds. The link is for a button on a page that was just rendered for its reader. */
const MANAGE_LINK_LIFE = 86_400

function addManage(app: FastifyInstance, env: Environment): void {
  app.get(
    '/r2/subscription/manage',
    contract({
      id: 'getManageLink',
      summary: 'A page for the reader to manage a subscription',
      description:
        'Give the link to its reader only: whoever has it can change the card, and cancel or resume the subscription.',
      parameters: named,
      response: ManageLink,
      failures: ['subscription_not_found'],
    }),
    async (request) => {
      const { aid, parameters } = request.signed
      const { rid, user_ref: userRef } = readParameters(named, parameters)
      const { read } = env.database
      const uid = await findUidByRef(read, aid, userRef)
      const row =
        uid === undefined ? undefined : await findOpenSubscription(read, { aid, rid, uid })
      if (!row) throw fail('subscription_not_found')
      const now = env.clock()
      const linkNumber = await findLinkNumber(read, row)
      const url = await env.manageLink({ ...row, linkNumber }, now, MANAGE_LINK_LIFE)
      return { url, expires: now + MANAGE_LINK_LIFE }
    },
  )
}
