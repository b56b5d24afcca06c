import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  type EndpointRow,
  enableEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../domain/webhooks/endpoints/endpoints.ts'
import { listLiveSecrets } from '../../domain/webhooks/endpoints/live-secrets.ts'
import { OperatorError } from '../../errors.ts'
import { formatOptionalTime, formatTime } from '../../format-time.ts'
import { webhookRecord } from '../../records/webhook.ts'
import { getEnvironment, type Scope, withContext } from '../context.ts'
import { addList, fieldColumns, findInApplications } from '../list.ts'
import { aidOption, durationOption, envOption } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'
import { changeBy } from './change-by.ts'
import { addDeliveriesCommand } from './deliveries-command.ts'
import { getWebhook } from './find-webhook.ts'
import { addReplayCommand } from './replay-command.ts'
import { addTestCommand } from './test-command.ts'

const urlOption = () => new Option('--url <url>', 'where events are sent: an https URL')
const typesOption = () =>
  new Option('--types <types...>', 'types of events, such as access.granted, access.* or *')
const descriptionOption = () => new Option('--description <text>', 'what it is for')

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('manage the URLs that events are sent to')
  const one = (name: string) => webhook.command(name).argument('<id>', 'the endpoint')

  webhook
    .command('create')
    .description('create an endpoint; prints its secret, which is not shown again')
    .addOption(aidOption().makeOptionMandatory())
    .addOption(urlOption().makeOptionMandatory())
    .addOption(typesOption().default(['*'], 'all'))
    .addOption(descriptionOption().default(''))
    .action((options) => withContext((ctx) => create(ctx, options)))

  addList(webhook, 'list', {
    description: 'list endpoints',
    filters: [aidOption(), envOption()],
    find: findWebhooks,
    columns: {
      ...fieldColumns<View>('id', 'environment', 'aid', 'state', 'url'),
      types: (row) => row.types.join(' '),
      'last success': (row) => formatOptionalTime(row.last_success),
      'last error': (row) => row.last_error,
    },
    none: 'No webhook endpoints.',
  })

  one('show')
    .description('show an endpoint')
    .action((id, options) => withContext((ctx) => show(ctx, id, options)))
  one('set')
    .description('change an endpoint')
    .addOption(urlOption())
    .addOption(typesOption())
    .addOption(descriptionOption())
    .action((id, options) => withContext((ctx) => set(ctx, id, options)))
  one('rotate-secret')
    .description('create a new secret; the old one also signs for the overlap')
    .addOption(
      durationOption('--overlap', 'how long the old secret also signs, up to 30 days', '24h'),
    )
    .action((id, options) => withContext((ctx) => rotate(ctx, id, options)))
  one('disable')
    .description('send it nothing until it is enabled')
    .action((id, options) => withContext((ctx) => toggle(ctx, id, options, disableEndpoint)))
  one('enable')
    .description('send it what happens from now on')
    .action((id, options) => withContext((ctx) => toggle(ctx, id, options, enableEndpoint)))
  one('delete')
    .description('delete it, with the log of its deliveries')
    .action((id, options) => withContext((ctx) => remove(ctx, id, options)))
  addReplayCommand(webhook)
  addDeliveriesCommand(webhook)
  addTestCommand(webhook)
}

const toView = (env: Environment, row: EndpointRow) => {
  const { id, ...record } = webhookRecord(row)
  return { id, environment: env.name, ...record }
}

type View = ReturnType<typeof toView>

const formatView = ({ types, created, last_success, last_failure, ...view }: View) =>
  formatRecord({
    ...{ ...view, types: types.join(' '), created: formatTime(created) },
    ...(last_success === undefined ? {} : { last_success: formatTime(last_success) }),
    ...(last_failure === undefined ? {} : { last_failure: formatTime(last_failure) }),
  })

interface CreateOptions extends Output {
  aid: string
  url: string
  types: string[]
  description: string
}

async function create(ctx: Context, options: CreateOptions): Promise<void> {
  const { aid, url, types, description } = options
  const env = await getEnvironment(ctx, aid)
  await env.refreshClock()
  const { endpoint, secret } = await createEndpoint(
    ...([env.database, aid, { url, types, description }] as const),
    { masterKey: ctx.masterKey, allow: ctx.config.webhookAllow },
    changeBy(env),
  )
  const view = toView(env, endpoint)
  print(options, { ...view, secret }, () => {
    return `${formatView(view)}\n\nsecret  ${secret}\nKeep it at the receiver, which verifies signatures with it. It is not shown again.`
  })
}

async function findWebhooks(ctx: Context, options: Output & Scope): Promise<View[]> {
  return await findInApplications(ctx, options, async (env, aid) =>
    (await listEndpoints(env.database.read, aid)).map((row) => toView(env, row)),
  )
}

async function show(ctx: Context, id: string, options: Output): Promise<void> {
  const { env, endpoint } = await getWebhook(ctx, id)
  const view = toView(env, endpoint)
  const key = { aid: endpoint.aid, endpoint: id }
  const secrets = await listLiveSecrets(env.database.read, key, env.realTime())
  const data = { ...view, live_secrets: secrets.length }
  print(options, data, () => formatView(data))
}

interface SetOptions extends Output {
  url?: string
  types?: string[]
  description?: string
}

async function set(
  ctx: Context,
  id: string,
  { url, types, description, ...options }: SetOptions,
): Promise<void> {
  const given = Object.entries({ url, types, description }).filter(
    ([, value]) => value !== undefined,
  )
  if (given.length === 0) throw new OperatorError('pass --url, --types or --description')
  const { env, endpoint } = await getWebhook(ctx, id)
  const allow = ctx.config.webhookAllow
  const input = Object.fromEntries(given)
  const changed = await changeEndpoint(env.database, endpoint, input, { allow }, changeBy(env))
  const view = toView(env, changed)
  print(options, view, () => formatView(view))
}

const MAX_OVERLAP = 30 * 86_400

async function rotate(
  ctx: Context,
  id: string,
  options: Output & { overlap: number },
): Promise<void> {
  const { overlap } = options
  if (overlap > MAX_OVERLAP) throw new OperatorError('--overlap must be at most 30 days')
  const { env, endpoint } = await getWebhook(ctx, id)
  const secret = await rotateSecret(
    ...([env.database, ctx.masterKey, endpoint, overlap * 1000] as const),
    changeBy(env),
  )
  print(options, { id, secret, overlap }, () => formatRecord({ id, secret, overlap }))
}

async function toggle(
  ctx: Context,
  id: string,
  options: Output,
  change: typeof disableEndpoint,
): Promise<void> {
  const { env, endpoint } = await getWebhook(ctx, id)
  const view = toView(env, await change(env.database, endpoint, changeBy(env)))
  print(options, view, () => formatView(view))
}

async function remove(ctx: Context, id: string, options: Output): Promise<void> {
  const { env, endpoint } = await getWebhook(ctx, id)
  await deleteEndpoint(env.database, endpoint, changeBy(env))
  print(options, { id, deleted: true }, () => `Deleted ${id}.`)
}
