import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Trx } from '../../db/database.ts'
import {
  type Actor,
  type DownloadRow,
  describeDownload,
  getDownload,
  listDownloads,
  publishDownload,
  removeDownload,
} from '../../domain/downloads/downloads.ts'
import { MAX_FILES } from '../../domain/downloads/limits.ts'
import { moveDownload } from '../../domain/downloads/order.ts'
import { OperatorError } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { formatTime } from '../../format-time.ts'
import { formatBytes } from '../bytes.ts'
import { getEnvironment, type Scope, withContext } from '../context.ts'
import { addList, fieldColumns, findInApplications } from '../list.ts'
import { aidOption, envOption, parseWith } from '../options.ts'
import { type Output, print } from '../output.ts'
import { addDownloadLinkCommands } from './links.ts'
import { addDescriptionOptions, addDownloadOptions, type DescriptionOptions } from './options.ts'
import { cliActor, type DownloadOptions, printDownload, toView, type View } from './record.ts'
import { addUploadCommands } from './upload.ts'

export function addDownloadCommands(program: Command): void {
  const download = program
    .command('download')
    .description('manage the files that readers can download')
  addUploadCommands(download)
  addList(download, 'list', {
    description: 'list downloads, newest first',
    filters: [aidOption(), envOption()],
    find: (ctx, options: Output & Scope) =>
      findInApplications(ctx, options, async (env, aid) =>
        (await listDownloads(env.database.read, aid)).map((row) => toView(env, row)),
      ),
    columns: {
      ...fieldColumns<View>('aid', 'environment', 'rid', 'id', 'title', 'file'),
      size: (one) => formatBytes(one.size),
      published: (one) => (one.published === undefined ? 'no' : formatTime(one.published)),
    },
    none: 'No downloads yet. Create one with: gatehouse download create --aid AID --rid RID --file FILE',
  })
  addDownloadOptions(download.command('show'))
    .description('show one download')
    .action((options) => withContext((ctx) => show(ctx, options)))
  addDescriptionOptions(addDownloadOptions(download.command('set')), '')
    .description('change title, description or image; "" removes a description or image')
    .action((options) => withContext((ctx) => set(ctx, options)))
  addDownloadOptions(download.command('publish'))
    .description('publish it: its links work')
    .action((options) => withContext((ctx) => publish(ctx, options, true)))
  addDownloadOptions(download.command('unpublish'))
    .description('unpublish it: its links stop working until it is published again')
    .action((options) => withContext((ctx) => publish(ctx, options, false)))
  addDownloadOptions(download.command('move'))
    .description('change the order of the files of a resource; the API returns the first one')
    .addOption(
      new Option('--to <place>', 'its new place, counted from 1')
        .argParser(parseWith(fields.integer(1, MAX_FILES, '')))
        .makeOptionMandatory(),
    )
    .action((options) => withContext((ctx) => move(ctx, options)))
  addDownloadOptions(download.command('remove'))
    .description('delete it: its links stop working, and its file is deleted after a day')
    .action((options) => withContext((ctx) => remove(ctx, options)))
  addDownloadLinkCommands(download)
}

async function show(ctx: Context, options: DownloadOptions): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  printDownload(options, toView(env, await getDownload(env.database.read, options)))
}

/** Changes a download and prints the result. */
async function change(
  ctx: Context,
  options: DownloadOptions,
  how: (trx: Trx, actor: Actor) => Promise<DownloadRow>,
): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  const row = await env.database.write((trx) => how(trx, cliActor(env)))
  printDownload(options, toView(env, row))
}

async function set(ctx: Context, options: DownloadOptions & DescriptionOptions): Promise<void> {
  const { json: _json, aid, rid, id, ...input } = options
  if (Object.keys(input).length === 0) {
    throw new OperatorError('nothing to change: pass --title, --description or --image')
  }
  await change(ctx, options, (trx, actor) => describeDownload(trx, { aid, rid, id }, input, actor))
}

async function publish(
  ctx: Context,
  options: DownloadOptions,
  isPublished: boolean,
): Promise<void> {
  await change(ctx, options, (trx, actor) => publishDownload(trx, options, isPublished, actor))
}

async function move(ctx: Context, options: DownloadOptions & { to: number }): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  const rows = await env.database.write((trx) =>
    moveDownload(trx, options, options.to, cliActor(env)),
  )
  const views = rows.map((row) => toView(env, row))
  print(options, views, () =>
    views.map(({ id, title }, i) => `${i + 1}. ${title} (${id})`).join('\n'),
  )
}

async function remove(ctx: Context, options: DownloadOptions): Promise<void> {
  const { aid, rid, id } = options
  const env = await getEnvironment(ctx, aid)
  await env.database.write((trx) => removeDownload(trx, { aid, rid, id }, cliActor(env)))
  print(
    options,
    { aid, rid, ...(id === undefined ? {} : { id }), removed: true },
    () =>
      `Removed the download ${id === undefined ? '' : `${id} `}of ${rid}. Its links no longer work, and its file is deleted after a day.`,
  )
}
