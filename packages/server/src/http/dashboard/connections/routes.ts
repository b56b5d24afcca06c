import { type Context, ENVIRONMENTS, type Environment } from '../../../context.ts'
import { connectMail, disconnectMail, sendTestMail } from '../../../domain/connections/mail.ts'
import {
  connectPayments,
  connectWebhook,
  disconnectPayments,
  type PaymentsResult,
  testPayments,
} from '../../../domain/connections/payments.ts'
import { findSetUp, type SetUpView } from '../../../domain/connections/set-up.ts'
import { type ConnectionsView, viewConnections } from '../../../domain/connections/view.ts'
import { fail } from '../../../errors.ts'
import { appRoute, OWNERS, type Route, STAFF, staffRoute } from '../route.ts'
import {
  DisconnectBody,
  MailBody,
  type MailTested,
  PaymentsBody,
  type PaymentsChanged,
  type PaymentsTested,
  WebhookBody,
} from './schemas.ts'

/** Returns the environment with its connections as they are now, whoever has changed them. */
async function environmentIn(
  ctx: Context,
  params: Readonly<Record<string, string>>,
): Promise<Environment> {
  const name = ENVIRONMENTS.find((one) => one === params.environment)
  if (!name) throw fail('path_not_found')
  await ctx.environments[name].connections.refresh()
  return ctx.environments[name]
}

const show = staffRoute('GET /connections/:environment', {
  management: false,
  who: STAFF,
  handle: async ({ ctx, params }): Promise<ConnectionsView> =>
    viewConnections(await environmentIn(ctx, params)),
})

const changed = (env: Environment, { webhookProblem }: PaymentsResult): PaymentsChanged => ({
  ...viewConnections(env),
  webhook_problem: webhookProblem ?? null,
})

/** What the audit log says about an account. */
const detailsOf = ({ account, webhookProblem }: PaymentsResult) => ({
  ...(account ? { account: account.id } : {}),
  webhook: webhookProblem ?? 'ok',
})

const connectStripe = staffRoute('PUT /connections/:environment/payments', {
  management: false,
  who: OWNERS,
  action: 'payments.connect',
  body: PaymentsBody,
  async handle({ ctx, params, body, staff, note }): Promise<PaymentsChanged> {
    const env = await environmentIn(ctx, params)
    const isReplaced = env.connections.payments.source === 'staff'
    const result = await connectPayments(env, {
      secretKey: body.secret_key,
      webhookSecret: body.webhook_secret,
      isConfirmed: body.confirm === true,
      by: staff.name,
    })
    note({ ...detailsOf(result), replaced: isReplaced })
    return changed(env, result)
  },
})

const webhook = staffRoute('POST /connections/:environment/payments/webhook', {
  management: false,
  who: OWNERS,
  action: 'payments.webhook',
  body: WebhookBody,
  async handle({ ctx, params, body, note }): Promise<PaymentsChanged> {
    const env = await environmentIn(ctx, params)
    const result = await connectWebhook(env, body.webhook_secret)
    note(detailsOf(result))
    return changed(env, result)
  },
})

const testStripe = staffRoute('POST /connections/:environment/payments/test', {
  management: false,
  who: OWNERS,
  action: 'payments.test',
  async handle({ ctx, params, note }): Promise<PaymentsTested> {
    const { account } = await testPayments(await environmentIn(ctx, params))
    if (account) note({ account: account.id })
    return { account }
  },
})

const disconnectStripe = staffRoute('POST /connections/:environment/payments/disconnect', {
  management: false,
  who: OWNERS,
  action: 'payments.disconnect',
  body: DisconnectBody,
  async handle({ ctx, params, body }): Promise<ConnectionsView> {
    const env = await environmentIn(ctx, params)
    await disconnectPayments(env, { isConfirmed: body.confirm === true })
    return viewConnections(env)
  },
})

const connectServer = staffRoute('PUT /connections/:environment/mail', {
  management: false,
  who: OWNERS,
  action: 'mail.connect',
  body: MailBody,
  async handle({ ctx, params, body, staff, note }): Promise<ConnectionsView> {
    const env = await environmentIn(ctx, params)
    const isReplaced = env.connections.mail.source === 'staff'
    await connectMail(env, { ...body, password: body.password, by: staff.name })
    const { mail } = viewConnections(env)
    note({ host: mail.host ?? '', port: mail.port ?? 0, replaced: isReplaced })
    return viewConnections(env)
  },
})

const testMail = staffRoute('POST /connections/:environment/mail/test', {
  management: false,
  who: OWNERS,
  action: 'mail.test',
  async handle({ ctx, params, staff }): Promise<MailTested> {
    await sendTestMail(await environmentIn(ctx, params), staff.email)
    return { sent_to: staff.email }
  },
})

const disconnectServer = staffRoute('POST /connections/:environment/mail/disconnect', {
  management: false,
  who: OWNERS,
  action: 'mail.disconnect',
  async handle({ ctx, params }): Promise<ConnectionsView> {
    const env = await environmentIn(ctx, params)
    await disconnectMail(env)
    return viewConnections(env)
  },
})

/** The set-up checklist of an application. */
const setUp = appRoute('GET /set-up', {
  management: false,
  who: STAFF,
  handle: async ({ ctx, env, aid }): Promise<SetUpView> => findSetUp(env, ctx.control, aid),
})

export const connectionRoutes: readonly Route[] = [
  show,
  connectStripe,
  webhook,
  testStripe,
  disconnectStripe,
  connectServer,
  testMail,
  disconnectServer,
  setUp,
]
