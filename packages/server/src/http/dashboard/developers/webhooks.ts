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
import { type AppRequest, appRoute, DEVELOPERS, type Route } from '../route.ts'
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

const keyOf = ({ aid, params }: AppRequest) => ({ aid, id: params.id as string })

const changeBy = ({ env, actor }: AppRequest): EndpointChange => ({
  ...{ actor, now: env.clock(), realTime: env.realTime() },
})

const list = appRoute('GET /webhooks', {
  management: false,
  who: DEVELOPERS,
  async handle({ env, aid }): Promise<{ data: WebhookItem[] }> {
    return { data: (await listEndpoints(env.database.read, aid)).map(toWebhook) }
  },
})

const create = appRoute('POST /webhooks', {
  management: false,
  who: DEVELOPERS,
  action: 'webhook.create',
  body: NewWebhookBody,
  async handle(request): Promise<WebhookWithSecret> {
    const { ctx, env, aid, body, note } = request
    const settings = { masterKey: ctx.masterKey, allow: ctx.config.webhookAllow }
    const change = changeBy(request)
    const made = await createEndpoint(env.database, aid, body, settings, change)
    note({ webhook: made.endpoint.id })
    return { webhook: toWebhook(made.endpoint), secret: made.secret }
  },
})

const show = appRoute('GET /webhooks/:id', {
  management: false,
  who: DEVELOPERS,
  async handle(request): Promise<WebhookDetails> {
    const { env } = request
    const { aid, id } = keyOf(request)
    const endpoint = await getEndpoint(env.database.read, { aid, id })
    const live = await listLiveSecrets(env.database.read, { aid, endpoint: id }, env.realTime())
    const secrets = live.map(({ created, dies }) => ({ created_at: created, dies_at: dies }))
    const open = await findOpenReplay(env.database.read, endpoint)
    return { ...toWebhook(endpoint), secrets, replay: open ? toReplay(open) : null }
  },
})

const change = appRoute('PATCH /webhooks/:id', {
  management: false,
  who: DEVELOPERS,
  action: 'webhook.change',
  body: WebhookChange,
  async handle(request): Promise<WebhookItem> {
    const { ctx, env, body } = request
    const settings = { allow: ctx.config.webhookAllow }
    const changed = await changeEndpoint(
      ...([env.database, keyOf(request), body, settings] as const),
      changeBy(request),
    )
    return toWebhook(changed)
  },
})

const rotate = appRoute('POST /webhooks/:id/rotate', {
  management: false,
  who: DEVELOPERS,
  action: 'webhook.rotate',
  body: WebhookRotateBody,
  async handle(request): Promise<WebhookWithSecret> {
    const { ctx, env, body, note } = request
    const key = keyOf(request)
    const overlap = body.overlap * 1000
    const secret = await rotateSecret(
      ...([env.database, ctx.masterKey, key, overlap] as const),
      changeBy(request),
    )
    note({ overlap: body.overlap })
    return { webhook: toWebhook(await getEndpoint(env.database.read, key)), secret }
  },
})

const disable = appRoute('POST /webhooks/:id/disable', {
  management: false,
  who: DEVELOPERS,
  action: 'webhook.disable',
  async handle(request): Promise<WebhookItem> {
    const { database } = request.env
    return toWebhook(await disableEndpoint(database, keyOf(request), changeBy(request)))
  },
})

const enable = appRoute('POST /webhooks/:id/enable', {
  management: false,
  who: DEVELOPERS,
  action: 'webhook.enable',
  async handle(request): Promise<WebhookItem> {
    const { database } = request.env
    return toWebhook(await enableEndpoint(database, keyOf(request), changeBy(request)))
  },
})

const remove = appRoute('DELETE /webhooks/:id', {
  management: false,
  who: DEVELOPERS,
  action: 'webhook.delete',
  async handle(request) {
    await deleteEndpoint(request.env.database, keyOf(request), changeBy(request))
    return { deleted: true }
  },
})

const previewOf = appRoute('GET /webhooks/:id/replay', {
  management: false,
  who: DEVELOPERS,
  query: WebhookReplayBody,
  async handle(request): Promise<WebhookReplayPreview> {
    const { env, query } = request
    return toReplayPreview(await previewReplay(env.database, keyOf(request), query))
  },
})

const replay = appRoute('POST /webhooks/:id/replay', {
  management: false,
  who: DEVELOPERS,
  action: 'webhook.replay',
  body: WebhookReplayBody,
  async handle(request): Promise<WebhookReplayPreview> {
    const { env, body, note } = request
    const key = keyOf(request)
    const preview = await previewReplay(env.database, key, body)
    await env.database.write((trx) => startReplay(trx, key, body, changeBy(request)))
    note({ events: preview.events })
    return toReplayPreview(preview)
  },
})

const test = appRoute('POST /webhooks/:id/test', {
  management: false,
  who: DEVELOPERS,
  action: 'webhook.test',
  async handle(request): Promise<WebhookTest> {
    const { ctx, env, note } = request
    const { database, webhookClient: client, name: environment } = env
    const endpoint = await getEndpoint(database.read, keyOf(request))
    if (!client) throw fail('detached_copy')
    const call = { client, masterKey: ctx.masterKey, environment }
    const outcome = await sendTest(database.read, endpoint, call, env.realTime())
    note({ status: outcome.status ?? 0 })
    return outcome
  },
})

export const webhookRoutes: readonly Route[] = [
  ...[list, create, show, change, rotate, disable, enable, remove, test, previewOf, replay],
]
