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
import { formatTime } from '../../format-time.ts'
import { resourceDetails } from '../../records/resource.ts'
import { ACTOR, getEnvironment, type Scope, withContext } from '../context.ts'
import { addList, findInApplications } from '../list.ts'
import { aidOption, envOption, parseWith, ridOption } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'

export function addResourceCommands(program: Command): void {
  const resource = program.command('resource').description('manage what access is granted to')

  resource
    .command('create')
    .description('create a resource')
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption('its id: 1 to 255 characters without white space').makeOptionMandatory())
    .addOption(
      new Option('--name <name>', 'its name, also used in emails')
        .argParser(parseWith(title))
        .makeOptionMandatory(),
    )
    .addOption(new Option('--url <url>', 'its URL; emails link to it').argParser(parseWith(url)))
    .action((options) => withContext((ctx) => create(ctx, options)))

  addList(resource, 'list', {
    description: 'list resources, newest first',
    filters: [aidOption(), envOption()],
    find: (ctx, options: Output & Scope) =>
      findInApplications(ctx, options, async (env, aid) =>
        (await listResources(env.database.read, aid)).map((row) => toView(env, row)),
      ),
    columns: {
      aid: (one) => one.aid,
      environment: (one) => one.environment,
      rid: (one) => one.rid,
      name: (one) => one.name,
      url: (one) => one.url,
      created: (one) => formatTime(one.created),
    },
    none: 'No resources yet. Create one with: gatehouse resource create --aid AID --rid RID --name NAME',
  })

  resource
    .command('show')
    .description('show one resource')
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption().makeOptionMandatory())
    .action((options) => withContext((ctx) => show(ctx, options)))
}

const toView = (env: Environment, row: ResourceRow) => ({
  ...resourceDetails(row),
  environment: env.name,
})

type View = ReturnType<typeof toView>

const recordOf = (data: View) => formatRecord({ ...data, created: formatTime(data.created) })

interface CreateOptions extends Output {
  aid: string
  rid: string
  name: string
  url?: string
}

async function create(ctx: Context, { json, ...input }: CreateOptions): Promise<void> {
  const env = await getEnvironment(ctx, input.aid)
  const row = await env.database.write((trx) => createResource(trx, input, env.clock(), ACTOR))
  const data = toView(env, row)
  print({ json }, data, () => recordOf(data))
}

async function show(ctx: Context, options: Output & { aid: string; rid: string }): Promise<void> {
  const { aid, rid } = options
  const env = await getEnvironment(ctx, aid)
  const data = toView(env, await getResource(env.database.read, aid, rid))
  print(options, data, () => recordOf(data))
}
