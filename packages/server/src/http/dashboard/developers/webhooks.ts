import type { Static, TSchema } from 'typebox'
import { findOpenReplay } from '../../../domain/webhooks/admit.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  type EndpointChange,
  enableEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../../domain/webhooks/endpoints/endpoints.ts'
import { listLiveSecrets } from '../../../domain/webhooks/endpoints/live-secrets.ts'
import { previewReplay, startReplay } from '../../../domain/webhooks/replay.ts'
import { sendTest } from '../../../domain/webhooks/send-test.ts'
import { fail } from '../../../errors.ts'
import {
  type AppRequest,
  appRoute,
  DEVELOPERS,
  type Method,
  type Route,
  type RouteDeclaration,
} from '../route.ts'
import {
  NewWebhookBody,
  WebhookChange,
  type WebhookDetails,
  type WebhookItem,
  WebhookReplayBody,
  type WebhookReplayPreview,
  WebhookRotateBody,
  type WebhookTest,
  type WebhookWithSecret,
} from './schemas.ts'
import { toReplay, toReplayPreview, toWebhook } from './webhook-view.ts'

const changeBy = ({ env, actor }: Pick<AppRequest, 'env' | 'actor'>): EndpointChange => ({
  ...{ actor, now: env.clock(), realTime: env.realTime() },
})

/** A request about the endpoint in the path. */
interface EndpointRequest<Q, B> extends AppRequest<Q, B> {
  key: { aid: string; id: string }
  change: EndpointChange
}

/** Defines a route of one endpoint. */
function endpointRoute<Q extends TSchema, B extends TSchema>(
  target: `${Method} /webhooks/:id${string}`,
  route: RouteDeclaration<Q, B> & {
    handle(call: EndpointRequest<Static<Q>, Static<B>>): Promise<unknown>
  },
): Route {
  return appRoute(target, {
    ...route,
    allowed: DEVELOPERS,
    handle: (call: AppRequest<Static<Q>, Static<B>>) =>
      route.handle({
        ...call,
        key: { aid: call.aid, id: call.params.id as string },
        change: changeBy(call),
      }),
  })
}

const list = appRoute('GET /webhooks', {
  allowed: DEVELOPERS,
  async handle({ env, aid }): Promise<{ data: WebhookItem[] }> {
    return { data: (await listEndpoints(env.database.read, aid)).map(toWebhook) }
  },
})

const create = appRoute('POST /webhooks', {
  allowed: DEVELOPERS,
  action: 'webhook.create',
  confirmation: 'recent',
  body: NewWebhookBody,
  async handle({ ctx, env, aid, body, actor, note }): Promise<WebhookWithSecret> {
    const settings = { masterKey: ctx.masterKey, allow: ctx.config.webhookAllow }
    const change = changeBy({ env, actor })
    const made = await createEndpoint(env.database, aid, body, settings, change)
    note({ webhook: made.endpoint.id })
    return { webhook: toWebhook(made.endpoint), secret: made.secret }
  },
})

const show = endpointRoute('GET /webhooks/:id', {
  async handle({ env, key }): Promise<WebhookDetails> {
    const { read } = env.database
    const endpoint = await getEndpoint(read, key)
    const live = await listLiveSecrets(read, { aid: key.aid, endpoint: key.id }, env.realTime())
    const secrets = live.map(({ created, dies }) => ({ created_at: created, dies_at: dies }))
    const open = await findOpenReplay(read, endpoint)
    return { ...toWebhook(endpoint), secrets, replay: open ? toReplay(open) : null }
  },
})

const edit = endpointRoute('PATCH /webhooks/:id', {
  action: 'webhook.change',
  confirmation: 'recent',
  body: WebhookChange,
  async handle({ ctx, env, body, key, change }): Promise<WebhookItem> {
    const settings = { allow: ctx.config.webhookAllow }
    return toWebhook(await changeEndpoint(env.database, key, body, settings, change))
  },
})

const rotate = endpointRoute('POST /webhooks/:id/rotate', {
  action: 'webhook.rotate',
  confirmation: 'recent',
  body: WebhookRotateBody,
  async handle({ ctx, env, body, key, change, note }): Promise<WebhookWithSecret> {
    const overlap = body.overlap * 1000
    const secret = await rotateSecret(env.database, ctx.masterKey, key, overlap, change)
    note({ overlap: body.overlap })
    return { webhook: toWebhook(await getEndpoint(env.database.read, key)), secret }
  },
})

/** Defines a route that switches an endpoint on or off, and returns its new state. */
const switchRoute = (to: 'disable' | 'enable', switchEndpoint: typeof enableEndpoint) =>
  endpointRoute(`POST /webhooks/:id/${to}`, {
    action: `webhook.${to}`,
    ...(to === 'enable' ? { confirmation: 'recent' } : {}),
    handle: async ({ env, key, change }): Promise<WebhookItem> =>
      toWebhook(await switchEndpoint(env.database, key, change)),
  })

const disable = switchRoute('disable', disableEndpoint)
const enable = switchRoute('enable', enableEndpoint)

const remove = endpointRoute('DELETE /webhooks/:id', {
  action: 'webhook.delete',
  async handle({ env, key, change }) {
    await deleteEndpoint(env.database, key, change)
    return { deleted: true }
  },
})

const previewOf = endpointRoute('GET /webhooks/:id/replay', {
  query: WebhookReplayBody,
  handle: async ({ env, key, query }): Promise<WebhookReplayPreview> =>
    toReplayPreview(await previewReplay(env.database, key, query)),
})

const replay = endpointRoute('POST /webhooks/:id/replay', {
  action: 'webhook.replay',
  confirmation: 'recent',
  body: WebhookReplayBody,
  async handle({ env, body, key, change, note }): Promise<WebhookReplayPreview> {
    const preview = await previewReplay(env.database, key, body)
    await env.database.write((trx) => startReplay(trx, key, body, change))
    note({ events: preview.events })
    return toReplayPreview(preview)
  },
})

const test = endpointRoute('POST /webhooks/:id/test', {
  action: 'webhook.test',
  async handle({ ctx, env, key, note }): Promise<WebhookTest> {
    const { database, webhookClient: client, name: environment } = env
    const endpoint = await getEndpoint(database.read, key)
    if (!client) throw fail('detached_copy')
    const call = { client, masterKey: ctx.masterKey, environment }
    const outcome = await sendTest(database.read, endpoint, call, env.realTime())
    note({ status: outcome.status ?? 0 })
    return outcome
  },
})

export const webhookRoutes: readonly Route[] = [
  ...[list, create, show, edit, rotate, disable, enable, remove, test, previewOf, replay],
]
