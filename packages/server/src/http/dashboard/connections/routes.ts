import type { Static, TSchema } from 'typebox'
import type { Environment } from '../../../context.ts'
import { connectMail, disconnectMail, sendTestMail } from '../../../domain/connections/mail.ts'
import {
  connectPayments,
  connectWebhook,
  disconnectPayments,
  type PaymentsResult,
  setLinkOffered,
  testPayments,
} from '../../../domain/connections/payments.ts'
import { findSetUp, type SetUpView } from '../../../domain/connections/set-up.ts'
import { type ConnectionsView, viewConnections } from '../../../domain/connections/view.ts'
import { environmentIn } from '../parameters.ts'
import {
  appRoute,
  OWNERS,
  type Route,
  STAFF,
  type StaffRequest,
  staffRoute,
  type Target,
} from '../route.ts'
import {
  DisconnectBody,
  MailBody,
  type MailTested,
  OfferLinkBody,
  PaymentsBody,
  type PaymentsChanged,
  type PaymentsTested,
  WebhookBody,
} from './schemas.ts'

/** Returns the environment with its connections as they are now, whoever has changed them. */
async function refreshedEnvironment({ ctx, params }: StaffRequest): Promise<Environment> {
  const env = environmentIn(ctx, params)
  await env.connections.refresh()
  return env
}

const show = staffRoute('GET /connections/:environment', {
  allowed: STAFF,
  handle: async (call): Promise<ConnectionsView> =>
    await viewConnections(await refreshedEnvironment(call)),
})

/** Defines a route that changes or tests a connection of the environment in the path. */
function connectionRoute<B extends TSchema>(
  target: Target,
  route: {
    action: string
    confirmation?: 'recent'
    body?: B
    handle(env: Environment, call: StaffRequest<unknown, Static<B>>): Promise<unknown>
  },
): Route {
  return staffRoute(target, {
    ...route,
    allowed: OWNERS,
    handle: async (call: StaffRequest<unknown, Static<B>>) =>
      await route.handle(await refreshedEnvironment(call), call),
  })
}

const changed = async (
  env: Environment,
  { webhookProblem }: PaymentsResult,
): Promise<PaymentsChanged> => ({
  ...(await viewConnections(env)),
  webhook_problem: webhookProblem ?? null,
})

/** The details of an audit log entry about a Stripe account. */
const detailsOf = ({ account, webhookProblem }: PaymentsResult) => ({
  ...(account ? { account: account.id } : {}),
  webhook: webhookProblem ?? 'ok',
})

const connectStripe = connectionRoute('PUT /connections/:environment/payments', {
  action: 'payments.connect',
  confirmation: 'recent',
  body: PaymentsBody,
  async handle(env, { body, staff, note }): Promise<PaymentsChanged> {
    const isReplaced = env.connections.payments.source === 'staff'
    const result = await connectPayments(env, {
      secretKey: body.secret_key,
      webhookSecret: body.webhook_secret,
      isConfirmed: body.confirm === true,
      by: staff.name,
    })
    note({ ...detailsOf(result), replaced: isReplaced })
    return await changed(env, result)
  },
})

const webhook = connectionRoute('POST /connections/:environment/payments/webhook', {
  action: 'payments.webhook',
  confirmation: 'recent',
  body: WebhookBody,
  async handle(env, { body, note }): Promise<PaymentsChanged> {
    const result = await connectWebhook(env, body.webhook_secret)
    note(detailsOf(result))
    return await changed(env, result)
  },
})

const link = connectionRoute('PUT /connections/:environment/payments/link', {
  action: 'payments.link',
  body: OfferLinkBody,
  async handle(env, { body, note }): Promise<ConnectionsView> {
    note({ offered: body.offered })
    await setLinkOffered(env, body.offered)
    return await viewConnections(env)
  },
})

const testStripe = connectionRoute('POST /connections/:environment/payments/test', {
  action: 'payments.test',
  async handle(env, { note }): Promise<PaymentsTested> {
    const { account } = await testPayments(env)
    if (account) note({ account: account.id })
    return { account }
  },
})

const disconnectStripe = connectionRoute('POST /connections/:environment/payments/disconnect', {
  action: 'payments.disconnect',
  confirmation: 'recent',
  body: DisconnectBody,
  async handle(env, { body }): Promise<ConnectionsView> {
    await disconnectPayments(env, { isConfirmed: body.confirm === true })
    return await viewConnections(env)
  },
})

const connectServer = connectionRoute('PUT /connections/:environment/mail', {
  action: 'mail.connect',
  confirmation: 'recent',
  body: MailBody,
  async handle(env, { body, staff, note }): Promise<ConnectionsView> {
    const isReplaced = env.connections.mail.source === 'staff'
    await connectMail(env, { ...body, password: body.password, by: staff.name })
    const view = await viewConnections(env)
    note({ host: view.mail.host ?? '', port: view.mail.port ?? 0, replaced: isReplaced })
    return view
  },
})

const testMail = connectionRoute('POST /connections/:environment/mail/test', {
  action: 'mail.test',
  async handle(env, { staff }): Promise<MailTested> {
    const connections = await sendTestMail(env, staff.email)
    return { sent_to: staff.email, connections: connections ?? null }
  },
})

const disconnectServer = connectionRoute('POST /connections/:environment/mail/disconnect', {
  action: 'mail.disconnect',
  confirmation: 'recent',
  async handle(env): Promise<ConnectionsView> {
    await disconnectMail(env)
    return await viewConnections(env)
  },
})

/** The set-up checklist of an application. */
const setUp = appRoute('GET /set-up', {
  allowed: STAFF,
  handle: async ({ ctx, env, aid }): Promise<SetUpView> => findSetUp(env, ctx.control, aid),
})

export const connectionRoutes: readonly Route[] = [
  show,
  connectStripe,
  webhook,
  link,
  testStripe,
  disconnectStripe,
  connectServer,
  testMail,
  disconnectServer,
  setUp,
]
