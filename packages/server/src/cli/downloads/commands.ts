import type { Command } from 'commander'
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
import { OperatorError } from '../../errors.ts'
import { showBytes } from '../bytes.ts'
import {
  aidOption,
  envOption,
  formatTime,
  getEnvironment,
  listScopedApplications,
  type Output,
  print,
  type Scope,
  table,
  withContext,
} from '../shared.ts'
import { addDownloadLinkCommands } from './links.ts'
import {
  addDescriptionOptions,
  addResourceOptions,
  cliActor,
  type DescriptionOptions,
  type DownloadOptions,
  printDownload,
  type Shown,
  shown,
} from './record.ts'
import { addUploadCommands } from './upload.ts'

export function addDownloadCommands(program: Command): void {
  const download = program.command('download').description('the file behind a resource')
  addUploadCommands(download)
  download
    .command('list')
    .description('all downloads, the newest first')
    .addOption(aidOption())
    .addOption(envOption())
    .action((options) => withContext((ctx) => list(ctx, options)))
  addResourceOptions(download.command('show'))
    .description('one download')
    .action((options) => withContext((ctx) => show(ctx, options)))
  addDescriptionOptions(addResourceOptions(download.command('set')), '')
    .description('change what people are told about it; "" takes a description or image away')
    .action((options) => withContext((ctx) => set(ctx, options)))
  addResourceOptions(download.command('publish'))
    .description('let the world have it')
    .action((options) => withContext((ctx) => publish(ctx, options, true)))
  addResourceOptions(download.command('unpublish'))
    .description('hide it; its links deliver nothing until it is published again')
    .action((options) => withContext((ctx) => publish(ctx, options, false)))
  addResourceOptions(download.command('remove'))
    .description('forget it; its links are dead, and its file is deleted after a day')
    .action((options) => withContext((ctx) => remove(ctx, options)))
  addDownloadLinkCommands(download)
}

async function list(ctx: Context, options: Output & Scope): Promise<void> {
  const found: Shown[] = []
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    for (const row of await listDownloads(env.database.read, aid)) found.push(shown(env, row))
  }
  print(options, found, () =>
    table(
      ['aid', 'environment', 'rid', 'title', 'file', 'size', 'published'],
      found.map((one) => [
        one.aid,
        one.environment,
        one.rid,
        one.title,
        one.file,
        showBytes(one.size),
        one.published === undefined ? 'no' : formatTime(one.published),
      ]),
      'No downloads. Make one with: gatehouse download create --aid AID --rid RID --file FILE',
    ),
  )
}

async function show(ctx: Context, options: DownloadOptions): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  printDownload(options, shown(env, await getDownload(env.database.read, options)))
}

/** Changes a download and prints the result. */
async function change(
  ctx: Context,
  options: DownloadOptions,
  how: (trx: Trx, doing: Actor) => Promise<DownloadRow>,
): Promise<void> {
  const env = await getEnvironment(ctx, options.aid)
  const row = await env.database.write((trx) => how(trx, cliActor(env)))
  printDownload(options, shown(env, row))
}

async function set(ctx: Context, options: DownloadOptions & DescriptionOptions): Promise<void> {
  const { json: _json, aid, rid, ...input } = options
  if (Object.keys(input).length === 0) {
    throw new OperatorError('nothing to change: give --title, --description or --image')
  }
  await change(ctx, options, (trx, doing) => describeDownload(trx, { aid, rid }, input, doing))
}

async function publish(
  ctx: Context,
  options: DownloadOptions,
  isPublished: boolean,
): Promise<void> {
  await change(ctx, options, (trx, doing) => publishDownload(trx, options, isPublished, doing))
}

async function remove(ctx: Context, options: DownloadOptions): Promise<void> {
  const { aid, rid } = options
  const env = await getEnvironment(ctx, aid)
  await env.database.write((trx) => removeDownload(trx, { aid, rid }, cliActor(env)))
  print(
    options,
    { aid, rid, removed: true },
    () =>
      `Removed the download of ${rid}: its links are dead, and its file is deleted after a day.`,
  )
}
