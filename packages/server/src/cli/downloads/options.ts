import { type Command, Option } from 'commander'
import { url } from '../../domain/resources/url.ts'
import * as fields from '../../fields.ts'
import { addResourceOptions, parseWith } from '../options.ts'

/** Lets an option be empty, which removes the value. */
const orNone = (parse: (text: string) => string) => (given: string) =>
  given === '' ? '' : parse(given)

/** Adds the options that identify a resource's download. */
export const addOwnerOptions = (command: Command): Command =>
  addResourceOptions(command, 'the resource that it belongs to')

/** Adds the options that identify one download, also if its resource has several. */
export function addDownloadOptions(command: Command): Command {
  return addOwnerOptions(command).addOption(
    new Option('--id <id>', 'the file, if the resource has several; see: download list').argParser(
      parseWith(fields.text(64, 'A download ID.')),
    ),
  )
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
