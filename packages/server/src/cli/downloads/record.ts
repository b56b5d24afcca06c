import { type Command, Option } from 'commander'
import type { Environment } from '../../context.ts'
import type { DownloadKey, DownloadRow } from '../../domain/downloads/downloads.ts'
import { url } from '../../domain/resources/url.ts'
import * as fields from '../../fields.ts'
import { downloadDetails } from '../../records/download.ts'
import { showBytes } from '../bytes.ts'
import {
  ACTOR,
  aidOption,
  formatTime,
  type Output,
  parseWith,
  print,
  record,
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
      new Option('--title <title>', `what it is called${titleFallback}`).argParser(
        parseWith(fields.title),
      ),
    )
    .addOption(
      new Option('--description <text>', 'what it is').argParser(orNone(parseWith(fields.message))),
    )
    .addOption(
      new Option('--image <url>', 'where a picture of it is').argParser(orNone(parseWith(url))),
    )
}

export interface DescriptionOptions {
  title?: string
  description?: string
  image?: string
}

export type DownloadOptions = Output & DownloadKey

export const shown = (env: Environment, row: DownloadRow) => ({
  ...downloadDetails(row),
  environment: env.name,
})

export type Shown = ReturnType<typeof shown>

export function printDownload(output: Output, data: Shown): void {
  print(output, data, () =>
    record({
      ...data,
      size: showBytes(data.size),
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
