import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context, Environment } from '../context.ts'
import * as fields from '../fields.ts'
import { listScopedApplications, type Scope, withContext } from './context.ts'
import { aidOption, envOption, parseWith, ridOption, userRefOption } from './options.ts'
import { formatTable, type Output, print } from './output.ts'

/** The columns of a table for people: a heading, and the value of a row under it. */
export type Columns<T> = Readonly<Record<string, (item: T) => unknown>>

/** Columns that show fields as they are, each under its own name. */
export const fieldColumns = <T>(...names: readonly (keyof T & string)[]): Columns<T> =>
  Object.fromEntries(names.map((name) => [name, (item: T) => item[name]]))

interface ListShape<T> {
  description: string
  /** The filters that the list offers. */
  filters: readonly Option[]
  /** Adds `--limit`, with this default. */
  limit?: number
  columns: Columns<T>
  /** Printed instead of a table without rows. */
  none: string
  /** The JSON form of an item, if that is not the item itself. */
  toJson?(item: T): unknown
}

interface List<T, O> extends ListShape<T> {
  find(ctx: Context, options: O): Promise<readonly T[]>
}

/** Adds a command that prints a list: as a table for people, or as a JSON array. */
export function addList<T, O extends Output>(
  parent: Command,
  name: string,
  list: List<T, O>,
): void {
  const command = describeList(parent, name, list)
  if (list.limit !== undefined) command.addOption(limitOption(list.limit))
  command.action((options: O) =>
    withContext(async (ctx) => {
      const items = await list.find(ctx, options)
      print(options, items.map(list.toJson ?? same), () =>
        formatItems(items, list.columns, list.none),
      )
    }),
  )
}

/** A page of a list, counted from 0. */
export interface Page {
  page: number
  pagesize: number
}

interface PagedList<T, O> extends Omit<ListShape<T>, 'limit'> {
  find(ctx: Context, options: O): Promise<{ items: readonly T[]; total: number }>
}

/** Adds a command that prints one page of a list, and how many rows there are in all. */
export function addPagedList<T, O extends Output & Page>(
  parent: Command,
  name: string,
  list: PagedList<T, O>,
): void {
  describeList(parent, name, list)
    .addOption(
      new Option('--page <number>', 'page number, from 0')
        .argParser(parseWith(fields.page))
        .default(0),
    )
    .addOption(
      new Option('--pagesize <count>', 'records per page, up to 1000')
        .argParser(parseWith(fields.pagesize))
        .default(100),
    )
    .action((options: O) =>
      withContext(async (ctx) => {
        const { page, pagesize } = options
        const { items, total } = await list.find(ctx, options)
        const data = items.map(list.toJson ?? same)
        print(options, { data, total, page, pagesize }, () => {
          return `${formatItems(items, list.columns, list.none)}\n\n${total} in total. Page ${page}, ${pagesize} per page.`
        })
      }),
    )
}

const same = (item: unknown) => item

function describeList<T>(parent: Command, name: string, list: ListShape<T>): Command {
  const command = parent.command(name).description(list.description)
  for (const filter of list.filters) command.addOption(filter)
  return command
}

export function formatItems<T>(items: readonly T[], columns: Columns<T>, none: string): string {
  const rows = items.map((item) => Object.values(columns).map((value) => value(item)))
  return formatTable(Object.keys(columns), rows, none)
}

/** The filters that the lists of payments and of subscriptions have in common. */
export interface RecordFilter extends Output, Scope {
  rid?: string
  userRef?: string
  limit: number
}

export const recordFilters = () => [aidOption(), envOption(), ridOption(), userRefOption()]

export function limitOption(fallback: number): Option {
  return new Option('--limit <count>', 'maximum number of rows')
    .argParser((given) => {
      const count = /^\d{1,6}$/.test(given) ? Number(given) : 0
      if (count === 0) throw new InvalidArgumentError('Must be a whole number from 1 to 999999.')
      return count
    })
    .default(fallback)
}

/** Collects rows application by application, up to the limit, if any. `find` gets the number of rows still wanted. */
export async function findInApplications<T>(
  ctx: Context,
  options: Scope & { limit?: number },
  find: (env: Environment, aid: string, limit: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = []
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    const left = (options.limit ?? Number.POSITIVE_INFINITY) - found.length
    found.push(...(await find(env, aid, left)))
  }
  return found
}
