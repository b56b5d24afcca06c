import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import {
  createResource,
  getResource,
  listResources,
  type ResourceRow,
} from '../../domain/resources/resources.ts'
import { url } from '../../domain/resources/url.ts'
import { title } from '../../fields.ts'
import { resourceDetails } from '../../records/resource.ts'
import {
  ACTOR,
  aidOption,
  envOption,
  formatTime,
  getEnvironment,
  listScopedApplications,
  type Output,
  parseWith,
  print,
  record,
  ridOption,
  type Scope,
  table,
  withContext,
} from '../shared.ts'

export function addResourceCommands(program: Command): void {
  const resource = program.command('resource').description('what access is granted to')

  resource
    .command('create')
    .description('make a resource')
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption('its id: 1 to 255 characters, no white space').makeOptionMandatory())
    .addOption(
      new Option('--name <name>', 'what it is called, in mails too')
        .argParser(parseWith(title))
        .makeOptionMandatory(),
    )
    .addOption(new Option('--url <url>', 'where it is; mails link to it').argParser(parseWith(url)))
    .action((options) => withContext((ctx) => create(ctx, options)))

  resource
    .command('list')
    .description('all resources, the newest first')
    .addOption(aidOption())
    .addOption(envOption())
    .action((options) => withContext((ctx) => list(ctx, options)))

  resource
    .command('show')
    .description('one resource')
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption().makeOptionMandatory())
    .action((options) => withContext((ctx) => show(ctx, options)))
}

const shown = (env: Environment, row: ResourceRow) => ({
  ...resourceDetails(row),
  environment: env.name,
})

type Shown = ReturnType<typeof shown>

const recordOf = (data: Shown) => record({ ...data, created: formatTime(data.created) })

interface CreateOptions extends Output {
  aid: string
  rid: string
  name: string
  url?: string
}

async function create(ctx: Context, { json, ...input }: CreateOptions): Promise<void> {
  const env = await getEnvironment(ctx, input.aid)
  const row = await env.database.write((trx) => createResource(trx, input, env.clock(), ACTOR))
  const data = shown(env, row)
  print({ json }, data, () => recordOf(data))
}

async function list(ctx: Context, options: Output & Scope): Promise<void> {
  const found: Shown[] = []
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    for (const row of await listResources(env.database.read, aid)) found.push(shown(env, row))
  }
  print(options, found, () =>
    table(
      ['aid', 'environment', 'rid', 'name', 'url', 'created'],
      found.map((one) => [
        one.aid,
        one.environment,
        one.rid,
        one.name,
        one.url,
        formatTime(one.created),
      ]),
      'No resources yet. Make one with: gatehouse resource create --aid AID --rid RID --name NAME',
    ),
  )
}

async function show(ctx: Context, options: Output & { aid: string; rid: string }): Promise<void> {
  const { aid, rid } = options
  const env = await getEnvironment(ctx, aid)
  const data = shown(env, await getResource(env.database.read, aid, rid))
  print(options, data, () => recordOf(data))
}
