import { join } from 'node:path'
import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import type { Trx } from '../../db/database.ts'
import {
  createDownload,
  type DownloadRow,
  getDownload,
  listDownloadsOf,
  replaceFile,
} from '../../domain/downloads/downloads.ts'
import { storeFile, type UnreferencedFile } from '../../domain/downloads/files.ts'
import { mediaTypeOf } from '../../domain/downloads/media-type.ts'
import { fileNameField } from '../../domain/downloads/names.ts'
import { MissingFile, StoreUnavailable } from '../../domain/downloads/storage/storage.ts'
import { getResource } from '../../domain/resources/resources.ts'
import { fail, OperatorError } from '../../errors.ts'
import { isDiskError, unwritable } from '../../new-file.ts'
import { getEnvironment, withContext } from '../context.ts'
import { parseWith } from '../options.ts'
import { createByteProgressBar } from '../progress.ts'
import { withSignals } from '../signals.ts'
import {
  addDescriptionOptions,
  addDownloadOptions,
  addOwnerOptions,
  type DescriptionOptions,
} from './options.ts'
import { cliActor, type DownloadOptions, printDownload, toView } from './record.ts'
import { openSource, type SourceFile } from './source.ts'

/** Adds the subcommands that upload a file to the `download` command. */
export function addUploadCommands(download: Command): void {
  addFileOptions(
    addDescriptionOptions(
      addOwnerOptions(download.command('create')),
      "; default: the resource's name, or with --add the name of the file",
    ),
  )
    .description('upload the file of a resource')
    .option('--publish', 'publish it immediately')
    .option('--add', 'add it to the files that the resource has')
    .action((options) => withContext((ctx) => create(ctx, options)))
  addFileOptions(addDownloadOptions(download.command('replace')))
    .description('replace the file; existing links deliver the new one')
    .action((options) => withContext((ctx) => replace(ctx, options)))
}

function addFileOptions(command: Command): Command {
  return command
    .requiredOption('--file <path>', 'the file to upload')
    .addOption(
      new Option(
        '--name <name>',
        'file name that readers get; default: the name of the file',
      ).argParser(parseWith(fileNameField)),
    )
}

interface FileOptions extends DownloadOptions {
  file: string
  name?: string
}

interface CreateOptions extends FileOptions, DescriptionOptions {
  publish?: boolean
  add?: boolean
}

async function create(ctx: Context, options: CreateOptions): Promise<void> {
  const { aid, rid, title, description = '', image = '', publish = false, add = false } = options
  const env = await getEnvironment(ctx, aid)
  // Refuse what can be refused before uploading anything.
  const resource = await getResource(env.database.read, aid, rid)
  const others = await listDownloadsOf(env.database.read, { aid, rid })
  if (others.length > 0 && !add) throw fail('download_exists')
  const about = { aid, rid, description, image, publish, isAdditional: add }
  const row = await upload(ctx, env, options, (trx, file, named) => {
    const titled = title ?? (add ? named.fileName : resource.name)
    return createDownload(trx, { ...about, ...named, title: titled }, file, cliActor(env))
  })
  printDownload(options, toView(env, row))
}

async function replace(ctx: Context, options: FileOptions): Promise<void> {
  const { aid, rid, id } = options
  const env = await getEnvironment(ctx, aid)
  await getDownload(env.database.read, { aid, rid, id })
  const row = await upload(ctx, env, options, (trx, file, named) =>
    replaceFile(trx, { aid, rid, id }, file, named, cliActor(env)),
  )
  printDownload(options, toView(env, row))
}

interface NamedFile {
  fileName: string
  type: string
}

type Use = (trx: Trx, file: UnreferencedFile, named: NamedFile) => Promise<DownloadRow>

async function upload(
  ctx: Context,
  env: Environment,
  options: FileOptions,
  use: Use,
): Promise<DownloadRow> {
  const source = await openSource(options.file)
  try {
    const name = options.name ?? ownName(source)
    const named = { fileName: name, type: mediaTypeOf(name) }
    return await takeIn(env, options.aid, source, (trx, file) => use(trx, file, named))
  } catch (error) {
    throw toStorageError(join(ctx.config.dataFolder, 'files', env.name), error)
  } finally {
    await source.close()
  }
}

function ownName({ name }: SourceFile): string {
  const result = fileNameField.read(name)
  if (typeof result !== 'string') return result.value
  throw new OperatorError(`the name of the file ${result}; give it another name with --name`)
}

async function takeIn(
  env: Environment,
  aid: string,
  source: SourceFile,
  use: (trx: Trx, file: UnreferencedFile) => Promise<DownloadRow>,
): Promise<DownloadRow> {
  const bar = createByteProgressBar(source.size)
  return await withSignals((signal) =>
    storeFile(env, aid, env.uploadStore, watched(source, bar.show, signal), async (file) => {
      signal.throwIfAborted()
      // The sandbox's clock may have been set back during a long upload.
      await env.refreshClock()
      return await env.database.write((trx) => use(trx, file))
    }).finally(bar.end),
  )
}

async function* watched(
  source: SourceFile,
  onRead: (done: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let done = 0
  onRead(done)
  for await (const chunk of source.bytes()) {
    signal.throwIfAborted()
    yield chunk
    done += chunk.length
    onRead(done)
  }
}

/** Turns a storage error that the operator can fix into a one-line message. */
function toStorageError(folder: string, error: unknown): unknown {
  const isOfStore = error instanceof StoreUnavailable || error instanceof MissingFile
  if (isOfStore && isDiskError(error.cause)) return unwritable(folder, error.cause)
  return isOfStore
    ? new OperatorError(`the file can't be stored: ${error.message}`)
    : unwritable(folder, error)
}
