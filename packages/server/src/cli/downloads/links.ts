import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import { findAccess } from '../../domain/access/details.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { type DeliveryRow, listDeliveries } from '../../domain/downloads/deliveries.ts'
import { MAX_USES } from '../../domain/downloads/limits.ts'
import { planLink } from '../../domain/downloads/links.ts'
import { fileNameField } from '../../domain/downloads/names.ts'
import { findLinkNumber } from '../../domain/users/reader-links.ts'
import { fail, OperatorError } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { formatTime } from '../../format-time.ts'
import { deliveryDetails } from '../../records/delivery.ts'
import { formatBytes } from '../bytes.ts'
import { getEnvironment, type Scope, withContext } from '../context.ts'
import { serviceAddresses } from '../links/sign-commands.ts'
import { addList, fieldColumns, findInApplications } from '../list.ts'
import {
  aidOption,
  durationOption,
  envOption,
  parseDuration,
  parseTime,
  parseWith,
  ridOption,
  userRefOption,
} from '../options.ts'
import { type Output, print } from '../output.ts'
import { addDownloadOptions, addOwnerOptions } from './options.ts'
import type { DownloadOptions } from './record.ts'

/** Adds the subcommands for links and deliveries to the `download` command. */
export function addDownloadLinkCommands(download: Command): void {
  addDownloadOptions(download.command('link'))
    .description('print a link with which anybody can download the file')
    .addOption(
      new Option('--lifetime <duration>', 'how long it is valid, in seconds or like 24h').argParser(
        parseLifetime,
      ),
    )
    .addOption(
      new Option(
        '--expiration <time>',
        'when it expires; with --lifetime, the earlier of both applies',
      ).argParser(parseTime),
    )
    .addOption(userRefOption('valid only while this user has access to the resource'))
    .addOption(
      new Option(
        '--limit <count>',
        'how often it can be used; requests within a day count as one use',
      ).argParser(parseWith(fields.integer(1, MAX_USES, ''))),
    )
    .addOption(
      new Option('--filename <name>', 'file name that the reader gets').argParser(
        parseWith(fileNameField),
      ),
    )
    .action((options) => withContext((ctx) => link(ctx, options)))

  addOwnerOptions(download.command('page'))
    .description("print the link to the page with a reader's files")
    .addOption(userRefOption('the reader, who has access to the resource').makeOptionMandatory())
    .addOption(durationOption('--lifetime', 'how long the link is valid', '30d'))
    .action((options) => withContext((ctx) => page(ctx, options)))

  addList(download, 'deliveries', {
    description: 'list deliveries, newest first',
    filters: [aidOption(), envOption(), ridOption()],
    limit: 100,
    find: findDeliveries,
    columns: {
      when: (one) => formatTime(one.at),
      ...fieldColumns<View>('aid', 'environment', 'rid', 'uid', 'link', 'answers'),
      bytes: (one) => (one.outcome === 'redirected' ? '' : formatBytes(one.bytes)),
      outcome: (one) => one.outcome,
    },
    none: 'No deliveries.',
  })
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
  const { aid, lifetime, expiration } = input
  if (lifetime === undefined && expiration === undefined)
    throw new OperatorError('pass --lifetime or --expiration, which say when the link expires')
  const env = await getEnvironment(ctx, aid)
  // Fail now rather than when the recipient opens the link.
  serviceAddresses(ctx)
  const { archived } = await getApplication(env.database.read, aid)
  if (archived !== null)
    throw new OperatorError(`the application ${aid} is archived, so nothing is delivered`)
  const planned = await planLink(
    env.database.read,
    { ...input, fileName: filename },
    env.maxLinkLifetime,
    env.clock(),
  )
  const url = await env.downloadLink(planned)
  print({ json }, { url, expires: planned.expires }, () => url)
}

interface PageOptions extends DownloadOptions {
  userRef: string
  lifetime: number
}

async function page(ctx: Context, options: PageOptions): Promise<void> {
  const { aid, rid, userRef, lifetime } = options
  const env = await getEnvironment(ctx, aid)
  serviceAddresses(ctx)
  const now = env.clock()
  const access = await findAccess(env.database.read, { aid, rid, userRef }, now)
  if (!access) throw fail('access_not_found')
  const linkNumber = await findLinkNumber(env.database.read, access)
  const url = await env.filesLink({ ...access, linkNumber }, now, lifetime)
  print(options, { url, expires: now + lifetime }, () => url)
}

const toView = (env: Environment, row: DeliveryRow) => ({
  ...deliveryDetails(row),
  environment: env.name,
})

type View = ReturnType<typeof toView>

interface DeliveriesOptions extends Output, Scope {
  rid?: string
  limit: number
}

async function findDeliveries(ctx: Context, options: DeliveriesOptions) {
  const { rid, limit, ...scope } = options
  const found = await findInApplications(ctx, scope, async (env, aid) =>
    (await listDeliveries(env.database.read, { aid, rid, limit })).map((row) => toView(env, row)),
  )
  return found.sort((a, b) => b.at - a.at).slice(0, limit)
}
