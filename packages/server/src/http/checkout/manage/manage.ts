import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../../context.ts'
import type { Seconds } from '../../../db/tables.ts'
import { createCardChangeCheckout } from '../../../domain/payments/checkout/checkouts.ts'
import { clocksOf } from '../../../domain/payments/context.ts'
import { listOffers } from '../../../domain/resources/prices.ts'
import { cancelSubscription, resumeSubscription } from '../../../domain/subscriptions/lifecycle.ts'
import {
  findReadersSubscription,
  type SubscriptionRow,
} from '../../../domain/subscriptions/subscriptions.ts'
import { isLinkEnded } from '../../../domain/users/reader-links.ts'
import { fail, invalid } from '../../../errors.ts'
import { refuseReaderLink, rememberBrandOf } from '../../pages/error-brand.ts'
import { readForm, requireOwnForm } from '../../pages/form.ts'
import { sendPage } from '../../pages/page.ts'
import { startAtProvider } from '../buy.ts'
import { loadFiles } from '../files.ts'
import type { CheckoutLimits } from '../limits.ts'
import type { StartedCheckout } from '../open-checkouts.ts'
import { loadSubject } from '../subject.ts'
import { ACTIONS, type Action, type ManagePageData, managePage } from './page.ts'

type Route = { Params: { token: string }; Querystring: { notice?: unknown } }

/** Routes of the page where a reader changes a subscription, reached by a link from a mail. */
export function manageRoutes(app: FastifyInstance, env: Environment, limits: CheckoutLimits): void {
  app.get<Route>('/manage/:token', async (request, reply) => {
    const { query } = request
    const { subscription } = await openManageLink(env, request)
    const data = await loadPageData(env, subscription, request)
    return sendPage(env, reply, 200, managePage(data, actionIn(query.notice)))
  })

  const onRequest = [requireOwnForm(env), limits.countForm]
  app.post<Route>('/manage/:token', { onRequest }, async (request, reply) => {
    const link = await openManageLink(env, request)
    const action = actionIn(readForm(request).action)
    if (action === undefined) throw invalid('action', `must be one of ${ACTIONS.join(', ')}`)
    if (action !== 'card') return reply.redirect(await carryOut(env, link, action), 303)
    return reply.redirect(await limits.begin(request, () => changeCard(env, link)), 303)
  })
}

const actionIn = (text: unknown): Action | undefined => ACTIONS.find((one) => one === text)

interface ManageLink {
  subscription: SubscriptionRow
  linkNumber: number
  expires: Seconds
}

/** Verifies the token before it looks up anything that the token names. */
async function openManageLink(
  env: Environment,
  request: FastifyRequest<Route>,
): Promise<ManageLink> {
  const check = await env.readManageToken(request.params.token)
  if (!check.ok) return await refuseReaderLink(env, request, check)
  const { aid, subscriptionId: id, linkNumber, expires } = check
  const found = await findReadersSubscription(env.database.read, id, aid)
  if (!found) throw fail('subscription_not_found')
  const { link_number, ...subscription } = found
  if (isLinkEnded(linkNumber, link_number)) {
    await rememberBrandOf(env, request, subscription.aid)
    throw fail('link_ended')
  }
  return { subscription, linkNumber, expires }
}

async function loadPageData(
  env: Environment,
  subscription: SubscriptionRow,
  request: FastifyRequest,
): Promise<ManagePageData> {
  const { aid, rid } = subscription
  const { resource, ...subject } = await loadSubject(env, subscription, request)
  const offers = await listOffers(env.database.read, aid, rid)
  return {
    ...subject,
    subscription,
    title: resource?.name ?? rid,
    takesCards: env.provider !== undefined,
    isOnSale: subject.app.archived === null && offers.length > 0,
    now: env.clock(),
    files: await loadFiles(env, { aid, id: subscription.access_id }),
    url: resource?.url ?? '',
  }
}

/** Starts a checkout in which the subscriber saves a new card. */
async function changeCard(
  env: Environment,
  { subscription: { aid, id }, linkNumber, expires }: ManageLink,
): Promise<StartedCheckout> {
  const checkout = await createCardChangeCheckout(env, { aid, id, linkNumber }, expires)
  return await startAtProvider(env, checkout)
}

/** Returns where to redirect: to this page with a notice. */
async function carryOut(
  env: Environment,
  { subscription: { aid, id } }: ManageLink,
  action: Exclude<Action, 'card'>,
): Promise<string> {
  const who = { aid, id, actor: 'reader' }
  await env.database.write(async (trx) => {
    const clocks = clocksOf(env)
    if (action === 'cancel') await cancelSubscription(trx, who, clocks, env.delivery)
    else await resumeSubscription(trx, who, clocks.now)
  })
  return `?notice=${action}`
}
