import type { Command } from 'commander'
import type { Context, Environment } from '../../context.ts'
import {
  archiveApplication,
  changeSettings,
  createApplication,
  getApplication,
  listApplications,
  lockApplication,
  reserveAid,
} from '../../domain/apps/applications.ts'
import { decryptKey, listLiveKeys, revokeKey, rotateKey } from '../../domain/apps/keys.ts'
import { readLegalLinks } from '../../domain/brand/brand.ts'
import { findCounterpart } from '../../domain/copy/pairs.ts'
import { recordHistory } from '../../domain/history/history.ts'
import { readTemplates } from '../../domain/mail/template-kinds.ts'
import { OperatorError } from '../../errors.ts'
import { formatOptionalTime, formatTime } from '../../format-time.ts'
import {
  ACTOR,
  getEnvironment,
  listScopedEnvironments,
  type Scope,
  withContext,
} from '../context.ts'
import { addList, fieldColumns } from '../list.ts'
import { aidOption, durationOption, envOption } from '../options.ts'
import { formatRecord, formatTable, type Output, print } from '../output.ts'
import { addSettingOptions, nameOption, type SettingOptions, settingsIn } from './settings.ts'

export function addAppCommands(program: Command): Command {
  const app = program.command('app').description('manage applications and their keys')

  addSettingOptions(app.command('create'))
    .description('create an application with its first key')
    .addOption(envOption().makeOptionMandatory())
    .addOption(nameOption().makeOptionMandatory())
    .action((options) => withContext((ctx) => create(ctx, options), { mayCreate: true }))

  addList(app, 'list', {
    description: 'list applications, including archived ones',
    filters: [aidOption(), envOption()],
    find: findApplications,
    columns: {
      ...fieldColumns<Summary>('aid', 'environment', 'name', 'currency'),
      created: (one) => formatTime(one.created),
      archived: (one) => formatOptionalTime(one.archived),
    },
    none: 'No applications yet. Create one with: gatehouse app create --env sandbox --name NAME',
  })

  app
    .command('show')
    .argument('<aid>')
    .description('show one application and its active keys')
    .option('--reveal', 'print the private keys')
    .action((aid, options) => withContext((ctx) => show(ctx, aid, options)))

  addSettingOptions(app.command('set'))
    .argument('<aid>')
    .description('change the settings of an application')
    .addOption(nameOption())
    .action((aid, options) => withContext((ctx) => set(ctx, aid, options)))

  app
    .command('archive')
    .argument('<aid>')
    .description('refuse all requests of an application; its records stay')
    .action((aid, options) => withContext((ctx) => archive(ctx, aid, options)))

  addKeyCommands(app)
  return app
}

function addKeyCommands(app: Command): void {
  app
    .command('rotate-key')
    .argument('<aid>')
    .description('create a new key; the old one stays valid for the overlap')
    .addOption(durationOption('--overlap', 'how long the old key stays valid', '24h'))
    .action((aid, options) => withContext((ctx) => rotate(ctx, aid, options)))

  app
    .command('revoke-key')
    .argument('<aid>')
    .argument('<key-id>', 'the id that `app show` prints')
    .description('revoke a key immediately')
    .action((aid, keyId, options) => withContext((ctx) => revoke(ctx, aid, keyId, options)))
}

const NO_PARTS = { legal_links: '{}', mail_templates: '{}' }

async function create(
  ctx: Context,
  options: Output & SettingOptions & Required<Pick<Scope, 'env'>> & { name: string },
): Promise<void> {
  const { database, clock, realTime, name: environment } = ctx.environments[options.env]
  const aid = await reserveAid(ctx.control, environment)
  const clocks = { now: clock(), realTime: realTime() }
  const input = { aid, ...settingsIn(options, NO_PARTS), name: options.name }
  const key = await database.write((trx) =>
    createApplication(trx, ctx.masterKey, input, clocks, ACTOR),
  )
  const data = { aid, private_key: key.privateKey, key_id: key.id, name: options.name, environment }
  print(options, data, () => formatRecord(data))
}

async function findApplications(ctx: Context, options: Output & Scope) {
  const found: Summary[] = []
  for (const env of await listScopedEnvironments(ctx, options)) {
    for (const app of await listApplications(env.database.read)) {
      if ((options.aid ?? app.aid) === app.aid) found.push(summary(env, app))
    }
  }
  return found
}

type Summary = ReturnType<typeof summary>
type Application = Awaited<ReturnType<typeof getApplication>>

function summary(env: Environment, app: Application) {
  return {
    ...app,
    return_urls: JSON.parse(app.return_urls) as string[],
    legal_links: readLegalLinks(app.legal_links),
    mail_templates: readTemplates(app.mail_templates),
    require_ts: app.require_ts === 1,
    environment: env.name,
  }
}

async function show(
  ctx: Context,
  aid: string,
  options: Output & { reveal?: boolean },
): Promise<void> {
  const env = await getEnvironment(ctx, aid)
  const app = await getApplication(env.database.read, aid)
  const rows = await listLiveKeys(env.database.read, aid, env.realTime())
  const keys = rows.map((key) => ({
    id: key.id,
    created: Math.floor(key.created / 1000),
    ...(key.dies === null ? {} : { dies: Math.floor(key.dies / 1000) }),
    ...(options.reveal ? { private_key: decryptKey(ctx.masterKey, key) } : {}),
  }))
  const counterpart = await findCounterpart(ctx, { env, aid })
  const data = { ...summary(env, app), paired_with: counterpart?.aid ?? null, keys }
  print(options, data, () => {
    const { keys: _, mail_template, ...plain } = data
    const timestamps = {
      created: formatTime(app.created),
      archived: formatOptionalTime(app.archived),
      mail_template: mail_template === null ? 'built-in' : 'custom',
      seller_address: app.seller_address?.replaceAll('\n', ', '),
      return_urls: data.return_urls.join(', '),
      legal_links: Object.values(data.legal_links).join(', '),
      mail_templates: Object.keys(data.mail_templates).join(', '),
    }
    const keyRows = keys.map((key) => [
      key.id,
      formatTime(key.created),
      formatOptionalTime(key.dies),
      key.private_key ?? '(use --reveal to print it)',
    ])
    const keyTable = formatTable(
      ['key', 'created', 'dies', 'private key'],
      keyRows,
      'No active key.',
    )
    return `${formatRecord({ ...plain, ...timestamps })}\n\n${keyTable}`
  })
}

async function set(ctx: Context, aid: string, options: Output & SettingOptions): Promise<void> {
  if (Object.keys(settingsIn(options, NO_PARTS)).length === 0) {
    throw new OperatorError(
      `nothing to change: pass at least one setting (see gatehouse app set --help)`,
    )
  }
  const env = await getEnvironment(ctx, aid)
  const app = await env.database.write(async (trx) => {
    const settings = settingsIn(options, await lockApplication(trx, aid))
    return await changeSettings(trx, aid, settings, env.clock(), ACTOR)
  })
  const data = summary(env, app)
  const returnUrls = `Buyers may return to: ${data.return_urls.join(', ') || 'no URL'}`
  print(options, data, () =>
    options.returnUrl === undefined ? `Changed ${aid}.` : `Changed ${aid}.\n${returnUrls}`,
  )
}

async function archive(ctx: Context, aid: string, options: Output): Promise<void> {
  const env = await getEnvironment(ctx, aid)
  const app = await env.database.write((trx) => archiveApplication(trx, aid, env.clock(), ACTOR))
  print(options, summary(env, app), () => `Archived ${aid}. Its requests are now refused.`)
}

async function rotate(
  ctx: Context,
  aid: string,
  options: Output & { overlap: number },
): Promise<void> {
  const env = await getEnvironment(ctx, aid)
  const key = await env.database.write(async (trx) => {
    await getApplication(trx, aid)
    const made = await rotateKey(trx, ctx.masterKey, aid, options.overlap * 1000, env.realTime())
    await recordHistory(trx, [
      { aid, at: env.clock(), actor: ACTOR, action: 'key rotated', after: { key_id: made.id } },
    ])
    return made
  })
  const data = { aid, private_key: key.privateKey, key_id: key.id, overlap: options.overlap }
  print(options, data, () => formatRecord(data))
}

async function revoke(ctx: Context, aid: string, keyId: string, options: Output): Promise<void> {
  const env = await getEnvironment(ctx, aid)
  await env.database.write(async (trx) => {
    await revokeKey(trx, aid, keyId, env.realTime())
    await recordHistory(trx, [
      { aid, at: env.clock(), actor: ACTOR, action: 'key revoked', before: { key_id: keyId } },
    ])
  })
  print(options, { aid, key_id: keyId, revoked: true }, () => {
    return `Revoked ${keyId}. Every process refuses it within 5 seconds.`
  })
}
