import { type Command, Option } from 'commander'
import type { Context, EnvironmentName } from '../../context.ts'
import { getEnvironmentOfAid } from '../../domain/apps/applications.ts'
import type { CopyItem } from '../../domain/copy/compare.ts'
import type { AppInEnvironment, Direction } from '../../domain/copy/context.ts'
import { type CopySelection, copyItems, EVERYTHING, previewCopy } from '../../domain/copy/copy.ts'
import { createCounterpart } from '../../domain/copy/new-counterpart.ts'
import type { CopyItemResult } from '../../domain/copy/outcome.ts'
import {
  endPairing,
  findCounterpart,
  getDirection,
  pairApplications,
} from '../../domain/copy/pairs.ts'
import { type AuditedAction, recordAudit } from '../../domain/staff/audit.ts'
import { Failure, fail, OperatorError } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { ACTOR, withContext } from '../context.ts'
import { parseWith } from '../options.ts'
import { formatTable, type Output, print } from '../output.ts'
import { describeItem, describeResult } from './texts.ts'

/** Adds `app pair`, `app unpair` and `app copy`. */
export function addCopyCommands(app: Command): void {
  app
    .command('pair')
    .argument('<aid>')
    .description('pair an application with one of the other environment, for `app copy`')
    .addOption(new Option('--with <aid>', 'the application of the other environment'))
    .addOption(new Option('--new', 'create one with the same name and currency').conflicts('with'))
    .action((aid, options) => withContext((ctx) => pair(ctx, aid, options)))

  app
    .command('unpair')
    .argument('<aid>', 'either application of the pair')
    .description('end the pairing of two applications; both stay as they are')
    .action((aid, options) => withContext((ctx) => unpair(ctx, aid, options)))

  app
    .command('copy')
    .argument('<aid>', 'either application of the pair')
    .description(
      'copy resources with prices and files, the brand and email templates to the paired application; ' +
        'exits with 1 if something could not be copied',
    )
    .addOption(
      new Option('--to <environment>', 'where to copy to')
        .choices(['production', 'sandbox'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--rid <rid>', 'copy only this resource; may be repeated').argParser(
        (text, before: string[] = []) => [...before, parseWith(fields.rid)(text)],
      ),
    )
    .option('--brand', 'copy the brand; without --rid, --brand and --templates, everything')
    .option('--templates', 'copy the email templates')
    .option('--dry-run', 'show what would change, and change nothing')
    .action((aid, options) => withContext((ctx) => copy(ctx, aid, options)))
}

async function findApp(ctx: Context, aid: string): Promise<AppInEnvironment> {
  const name = (await getEnvironmentOfAid(ctx.control, aid)) as EnvironmentName
  return { env: ctx.environments[name], aid }
}

/** Records an action in the audit log, as the dashboard does. */
async function audited<R>(
  ctx: Context,
  action: string,
  { env, aid }: AppInEnvironment,
  work: () => Promise<[R, AuditedAction['details']]>,
): Promise<R> {
  const record = (outcome: string, details: AuditedAction['details'] = {}) =>
    ctx.control.write((trx) => {
      const entry = { staff: undefined, action, environment: env.name, aid, details }
      return recordAudit(trx, entry, outcome, Date.now())
    })
  try {
    const [result, details] = await work()
    await record('done', details)
    return result
  } catch (error) {
    await record(error instanceof Failure ? error.code : 'failed')
    throw error
  }
}

interface PairOptions extends Output {
  with?: string
  new?: boolean
}

async function pair(ctx: Context, aid: string, options: PairOptions): Promise<void> {
  if (options.with === undefined && !options.new) {
    throw new OperatorError('name the other application: pass --with AID, or --new to create one')
  }
  const app = await findApp(ctx, aid)
  const other = await audited(ctx, 'application.pair', app, async () => {
    if (options.with !== undefined) {
      await pairApplications(ctx, app, options.with, Date.now())
    }
    const made = options.with ?? (await createCounterpart(ctx, app, ACTOR))
    const name = (await findCounterpart(ctx, app))?.app?.name ?? ''
    return [made, { with: made, name, ...(options.new ? { created: true } : {}) }]
  })
  print(options, { aid, paired_with: other }, () => {
    const how = options.new ? ' It was created; gatehouse app show prints its keys.' : ''
    return `Paired ${aid} with ${other}.${how}`
  })
}

async function unpair(ctx: Context, aid: string, options: Output): Promise<void> {
  const app = await findApp(ctx, aid)
  const other = await audited(ctx, 'application.unpair', app, async () => {
    const found = await findCounterpart(ctx, app)
    if (!found || !(await endPairing(ctx, app))) throw fail('not_paired')
    return [found.aid, { with: found.aid, name: found.app?.name ?? '' }]
  })
  print(options, { aid, was_paired_with: other }, () => {
    return `${aid} and ${other} are no longer paired. Both stay as they are.`
  })
}

interface CopyOptions extends Output {
  to: EnvironmentName
  rid?: string[]
  brand?: boolean
  templates?: boolean
  dryRun?: boolean
}

/** The pair is named by either application, so that a script needs to know only one. */
async function findDirection(ctx: Context, aid: string, to: EnvironmentName): Promise<Direction> {
  const app = await findApp(ctx, aid)
  if (app.env.name !== to) return await getDirection(ctx, app)
  const other = await findCounterpart(ctx, app)
  if (!other) throw fail('not_paired')
  return await getDirection(ctx, { env: ctx.environments[other.environment], aid: other.aid })
}

function selectionOf({ rid, brand, templates }: CopyOptions): CopySelection {
  if (rid === undefined && !brand && !templates) return EVERYTHING
  return { rids: rid ?? [], brand: brand === true, templates: templates === true }
}

const isSelected = ({ rids, brand, templates }: CopySelection, item: CopyItem) =>
  item.kind === 'resource'
    ? (rids?.includes(item.rid) ?? true)
    : item.kind === 'brand'
      ? brand
      : templates

async function copy(ctx: Context, aid: string, options: CopyOptions): Promise<void> {
  const direction = await findDirection(ctx, aid, options.to)
  const selection = selectionOf(options)
  const ends = { from: direction.from.aid, to: direction.to.aid }
  if (options.dryRun) return await preview(direction, selection, options)
  const results = await audited(ctx, 'application.copy', direction.from, async () => {
    const done = await runCopy(direction, selection)
    return [done, detailsOf(direction, done)]
  })
  const failed = results.some(({ problem }) => problem !== null)
  const items = results.map(({ item, problem }) => ({ ...item, problem }))
  print(options, { ...ends, items }, () =>
    formatTable(
      ['what', 'name', 'result'],
      results.map(describeResult),
      'Nothing to copy: everything is the same already.',
    ),
  )
  if (failed) process.exitCode = 1
}

async function preview(
  direction: Direction,
  selection: CopySelection,
  options: CopyOptions,
): Promise<void> {
  const { items: all, version } = await previewCopy(direction)
  const unknown = selection.rids?.find((rid) => !all.some((item) => item.rid === rid))
  if (unknown !== undefined) throw fail('resource_not_found', `There is no resource ${unknown}.`)
  const items = all.filter((item) => isSelected(selection, item))
  const ends = { from: direction.from.aid, to: direction.to.aid }
  print(options, { ...ends, version, items }, () =>
    formatTable(['what', 'name', 'status', 'changes'], items.map(describeItem), 'Nothing to copy.'),
  )
}

async function runCopy(direction: Direction, selection: CopySelection): Promise<CopyItemResult[]> {
  const { results } = await copyItems(direction, selection, { actor: ACTOR })
  const done: CopyItemResult[] = []
  for await (const result of results) done.push(result)
  return done
}

function detailsOf(
  { to }: Direction,
  results: readonly CopyItemResult[],
): AuditedAction['details'] {
  const copied = results.filter(({ problem }) => problem === null).map(({ item }) => item.kind)
  return {
    target: to.env.name,
    resources: copied.filter((kind) => kind === 'resource').length,
    brand: copied.includes('brand'),
    templates: copied.includes('templates'),
    failed: results.length - copied.length,
  }
}
