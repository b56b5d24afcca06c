import { type Command, Option } from 'commander'
import type { Environment } from '../../context.ts'
import type { DownloadKey, DownloadRow } from '../../domain/downloads/downloads.ts'
import { url } from '../../domain/resources/url.ts'
import * as fields from '../../fields.ts'
import { downloadDetails } from '../../records/download.ts'
import { formatBytes } from '../bytes.ts'
import {
  ACTOR,
  aidOption,
  formatRecord,
  formatTime,
  type Output,
  parseWith,
  print,
  ridOption,
} from '../shared.ts'

/** Lets an option be empty, which removes the value. */
const orNone = (parse: (text: string) => string) => (given: string) =>
  given === '' ? '' : parse(given)

/** Adds the options that identify a resource's download. */
export function addResourceOptions(command: Command): Command {
  return command
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption('the resource that it belongs to').makeOptionMandatory())
}

export function addDescriptionOptions(command: Command, titleFallback = ''): Command {
  return command
    .addOption(
      new Option('--title <title>', `title${titleFallback}`).argParser(parseWith(fields.title)),
    )
    .addOption(
      new Option('--description <text>', 'description').argParser(
        orNone(parseWith(fields.message)),
      ),
    )
    .addOption(new Option('--image <url>', 'URL of an image').argParser(orNone(parseWith(url))))
}

export interface DescriptionOptions {
  title?: string
  description?: string
  image?: string
}

export type DownloadOptions = Output & DownloadKey

export const toView = (env: Environment, row: DownloadRow) => ({
  ...downloadDetails(row),
  environment: env.name,
})

export type View = ReturnType<typeof toView>

export function printDownload(output: Output, data: View): void {
  print(output, data, () =>
    formatRecord({
      ...data,
      size: formatBytes(data.size),
      filed: formatTime(data.filed),
      created: formatTime(data.created),
      modified: formatTime(data.modified),
      published: data.published === undefined ? 'no' : formatTime(data.published),
    }),
  )
}

/** The actor of a change by the command line, and its time by both clocks. */
export const cliActor = (env: Environment) => ({
  now: env.clock(),
  realTime: env.realTime(),
  actor: ACTOR,
})
