import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import { getOpens, type Opens, setOpens } from '../../domain/passes/opens.ts'
import { previewOpens } from '../../domain/passes/preview.ts'
import {
  createResource,
  getResource,
  listResources,
  type ResourceRow,
} from '../../domain/resources/resources.ts'
import { url } from '../../domain/resources/url.ts'
import { OperatorError } from '../../errors.ts'
import { title } from '../../fields.ts'
import { formatTime } from '../../format-time.ts'
import { resourceDetails } from '../../records/resource.ts'
import { ACTOR, getEnvironment, type Scope, withContext } from '../context.ts'
import { addList, fieldColumns, findInApplications } from '../list.ts'
import { addResourceOptions, aidOption, envOption, parseWith } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'

export function addResourceCommands(program: Command): void {
  const resource = program.command('resource').description('manage what access is granted to')

  addResourceOptions(resource.command('create'), 'its id: 1 to 255 characters without white space')
    .description('create a resource')
    .addOption(
      new Option('--name <name>', 'its name, also used in emails')
        .argParser(parseWith(title))
        .makeOptionMandatory(),
    )
    .addOption(new Option('--url <url>', 'its URL; emails link to it').argParser(parseWith(url)))
    .action((options) => withContext((ctx) => create(ctx, options)))

  addSet(resource)

  addList(resource, 'list', {
    description: 'list resources, newest first',
    filters: [aidOption(), envOption()],
    find: (ctx, options: Output & Scope) =>
      findInApplications(ctx, options, async (env, aid) =>
        (await listResources(env.database.read, aid)).map((row) => toView(env, row)),
      ),
    columns: {
      ...fieldColumns<View>('aid', 'environment', 'rid', 'name', 'url'),
      created: (one) => formatTime(one.created),
    },
    none: 'No resources yet. Create one with: gatehouse resource create --aid AID --rid RID --name NAME',
  })

  addResourceOptions(resource.command('show'))
    .description('show one resource')
    .action((options) => withContext((ctx) => show(ctx, options)))
}

function addSet(resource: Command): void {
  addResourceOptions(resource.command('set'))
    .description('set what a resource opens for those who have it, which makes it a pass')
    .option('--opens-rid <rid>', 'it opens this resource; once for each', collect)
    .option(
      '--opens-prefix <text>',
      'it opens all whose rid begins with this; once for each',
      collect,
    )
    .option('--opens-all', 'it opens everything of the application')
    .option('--opens-nothing', 'it opens nothing but itself')
    .option('--dry-run', 'change nothing; show who would gain and lose what')
    .action((options) => withContext((ctx) => set(ctx, options)))
}

const collect = (text: string, before: string[] = []) => [...before, text]

const toView = (env: Environment, row: ResourceRow) => ({
  ...resourceDetails(row),
  environment: env.name,
})

type View = ReturnType<typeof toView>

const recordOf = (data: View & { opens?: string }) =>
  formatRecord({ ...data, created: formatTime(data.created) })

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

interface SetOptions extends Output {
  aid: string
  rid: string
  opensRid?: string[]
  opensPrefix?: string[]
  opensAll?: boolean
  opensNothing?: boolean
  dryRun?: boolean
}

/** Everything that it opens is given at once: whatever is not named, it opens no longer. */
function readOpensOptions(options: SetOptions): Opens {
  const opens = {
    rids: options.opensRid ?? [],
    prefixes: options.opensPrefix ?? [],
    all: options.opensAll ?? false,
  }
  const isGiven = opens.all || opens.rids.length > 0 || opens.prefixes.length > 0
  if (isGiven === (options.opensNothing ?? false)) {
    throw new OperatorError(
      'Name what it opens with --opens-rid, --opens-prefix or --opens-all, or use --opens-nothing alone.',
    )
  }
  return opens
}

async function set(ctx: Context, options: SetOptions): Promise<void> {
  const key = { aid: options.aid, rid: options.rid }
  const env = await getEnvironment(ctx, key.aid)
  const opens = readOpensOptions(options)
  const { holders, gained, lost } = await env.database.snapshot((db) =>
    previewOpens(db, key, opens, env.clock()),
  )
  if (!options.dryRun) {
    await env.database.write((trx) => setOpens(trx, key, opens, env.clock(), ACTOR))
  }
  const data = { ...key, opens, dry_run: options.dryRun ?? false, holders, gained, lost }
  print(options, data, () =>
    formatRecord({
      rid: key.rid,
      opens: describeOpens(opens),
      holders,
      gained: `${describeOpens(gained)} (${gained.readers} readers)`,
      lost: `${describeOpens(lost)} (${lost.readers} readers)`,
      saved: options.dryRun ? 'no: this was a dry run' : 'yes',
    }),
  )
}

function describeOpens({ rids, prefixes, all }: Opens): string {
  const named = [...(all ? ['everything'] : []), ...rids, ...prefixes.map((one) => `${one}…`)]
  return named.length === 0 ? 'nothing' : named.join(', ')
}

async function show(ctx: Context, options: Output & { aid: string; rid: string }): Promise<void> {
  const { aid, rid } = options
  const env = await getEnvironment(ctx, aid)
  const row = await getResource(env.database.read, aid, rid)
  const opens = await getOpens(env.database.read, { aid, rid })
  const data = { ...toView(env, row), opens }
  print(options, data, () => recordOf({ ...data, opens: describeOpens(opens) }))
}
