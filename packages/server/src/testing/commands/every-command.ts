import type { Argument, Command, Option } from 'commander'
import { createProgram } from '../../cli/cli.ts'

/** Values of which each argument and option takes at least one. */
const VALUES = [
  'ann@example.com',
  'GET',
  '/r2/access?rid=news&user_ref=ann',
  '1',
  '1 month',
  '1.00',
  'EUR',
  '2030-01-01',
  '7d',
  'https://example.com/hook',
  'access.granted',
  'viewer',
  'production',
]

type Parse = (text: string, previous: unknown) => unknown

function aValueFor(what: Argument | Option, file: string): string {
  const parse = what.parseArg as Parse | undefined
  const values = [...(what.argChoices ?? []), ...VALUES]
  if (!parse && /file|path/i.test(`${what.name()} ${what.description}`)) return file
  const value = values.find((one) => {
    try {
      parse?.(one, undefined)
      return true
    } catch {
      return false
    }
  })
  if (value === undefined) throw new Error(`no value for ${what.name()}`)
  return value
}

function toArgs(command: Command, path: readonly string[], file: string): string[] {
  const needed = command.registeredArguments.filter(({ required }) => required)
  const mandatory = command.options.filter((one) => one.mandatory && one.defaultValue === undefined)
  return [
    ...path,
    ...needed.map((one) => aValueFor(one, file)),
    ...mandatory.flatMap((one) => [one.long as string, aValueFor(one, file)]),
  ]
}

/** Returns the shortest line of every command, with values that each takes. `file` is a file that exists. */
export function listCommandLines(file: string): string[][] {
  const leaves = (command: Command, path: readonly string[]): string[][] =>
    command.commands.length === 0
      ? [toArgs(command, path, file)]
      : command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
  return leaves(createProgram(), [])
}
