import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { type DeliveryRow, listDeliveries } from '../../domain/downloads/deliveries.ts'
import { MAX_USES } from '../../domain/downloads/limits.ts'
import { planLink } from '../../domain/downloads/links.ts'
import { fileName } from '../../domain/downloads/names.ts'
import { OperatorError } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { deliveryDetails } from '../../records/delivery.ts'
import { showBytes } from '../bytes.ts'
import { serviceAddresses } from '../links/sign-commands.ts'
import {
  aidOption,
  envOption,
  formatTime,
  getEnvironment,
  limitOption,
  listScopedApplications,
  type Output,
  parseDuration,
  parseTime,
  parseWith,
  print,
  ridOption,
  type Scope,
  table,
  userRefOption,
  withContext,
} from '../shared.ts'
import { addResourceOptions, type DownloadOptions } from './record.ts'

/** Adds the subcommands for links and deliveries to the `download` command. */
export function addDownloadLinkCommands(download: Command): void {
  addResourceOptions(download.command('link'))
    .description('print a link that delivers the file to whoever has it')
    .addOption(
      new Option('--lifetime <duration>', 'how long it is good, in seconds or like 24h').argParser(
        parseLifetime,
      ),
    )
    .addOption(
      new Option('--expiration <time>', 'when it ends; with --lifetime, the earlier end').argParser(
        parseTime,
      ),
    )
    .addOption(userRefOption('only while this user has access to the resource'))
    .addOption(
      new Option('--limit <count>', 'how often it can be used; a use covers a day').argParser(
        parseWith(fields.integer(1, MAX_USES, '')),
      ),
    )
    .addOption(
      new Option('--filename <name>', 'what its reader gets the file as').argParser(
        parseWith(fileName),
      ),
    )
    .action((options) => withContext((ctx) => link(ctx, options)))

  download
    .command('deliveries')
    .description('what was delivered, the newest first')
    .addOption(aidOption())
    .addOption(envOption())
    .addOption(ridOption())
    .addOption(limitOption('at most so many', 100))
    .action((options) => withContext((ctx) => deliveries(ctx, options)))
}

/** Accepts seconds, as the API does, or a duration like `24h`, as other commands do. */
const parseLifetime = (text: string) =>
  /^-?\d+$/.test(text) ? parseWith(fields.lifetime)(text) : parseDuration(text)

interface LinkOptions extends DownloadOptions {
  lifetime?: number
  expiration?: number
  userRef?: string
  limit?: number
  filename?: string
}

async function link(ctx: Context, options: LinkOptions): Promise<void> {
  const { json, filename, ...input } = options
  const { aid } = input
  const env = await getEnvironment(ctx, aid)
  // Fail now rather than when the recipient opens the link.
  serviceAddresses(ctx)
  const { archived } = await getApplication(env.database.read, aid)
  if (archived !== null)
    throw new OperatorError(`the application ${aid} is archived: nothing is delivered`)
  const planned = await planLink(
    env.database.read,
    { ...input, fileName: filename },
    env.maxLinkLifetime,
    env.clock(),
  )
  const url = await env.downloadLink(planned)
  print({ json }, { url, expires: planned.expires }, () => url)
}

const shown = (env: Environment, row: DeliveryRow) => ({
  ...deliveryDetails(row),
  environment: env.name,
})

type Shown = ReturnType<typeof shown>

interface DeliveriesOptions extends Output, Scope {
  rid?: string
  limit: number
}

async function deliveries(ctx: Context, options: DeliveriesOptions): Promise<void> {
  const { rid, limit } = options
  const found: Shown[] = []
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    const rows = await listDeliveries(env.database.read, { aid, rid, limit })
    found.push(...rows.map((row) => shown(env, row)))
  }
  const newest = found.sort((a, b) => b.at - a.at).slice(0, limit)
  print(options, newest, () =>
    table(
      ['when', 'aid', 'environment', 'rid', 'uid', 'link', 'answers', 'bytes', 'outcome'],
      newest.map((one) => [
        formatTime(one.at),
        one.aid,
        one.environment,
        one.rid,
        one.uid,
        one.link,
        one.answers,
        one.outcome === 'redirected' ? '' : showBytes(one.bytes),
        one.outcome,
      ]),
      'No deliveries.',
    ),
  )
}
