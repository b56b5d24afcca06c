import { Type } from 'typebox'
import type { Environment } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { sortsOf } from '../../db/queries/sort.ts'
import { exceedsPrefixLimit } from '../../domain/users/prefix.ts'
import * as fields from '../../fields.ts'
import { readFilter, readOptionalField } from '../../parameters.ts'
import type { AppRequest } from './route.ts'

/** In minor units; the app formats them for the currency. */
export interface Money {
  /** The amount, in minor units of the currency, such as cents. */
  amount: number
  /** ISO 4217 code of the currency, such as `EUR`. */
  currency: string
}

/** One page of a list, and the total count. */
export interface Page<T> {
  /** The records of this page. */
  data: T[]
  /** The number of records that match, on all pages. */
  total: number
  /** The number of this page, counted from 0. */
  page: number
  /** The number of records that a page can have. */
  pagesize: number
  /** Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
  is_cut: boolean
}

const MAX_PAGE = 100
const DEFAULT_PAGE = 50

/** Query parameters of every list. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  pagesize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE })),
}

export interface Paging {
  page?: number
  pagesize?: number
}

export function windowOf({ page = 0, pagesize = DEFAULT_PAGE }: Paging) {
  return { offset: page * pagesize, limit: pagesize }
}

export function toPage<T>(
  data: T[],
  total: number,
  { page = 0, pagesize = DEFAULT_PAGE }: Paging,
  isCut = false,
): Page<T> {
  return { data, total, page, pagesize, is_cut: isCut }
}

/** Converts rows of an application for the API, adding what other tables know of them. */
export type ToItems<Row, Item> = (db: Db, aid: string, rows: readonly Row[]) => Promise<Item[]>

/** Returns the page that a request asks for of a list of records that have a reader: the rows that the search finds, as
 * items. */
export async function findPage<
  Query extends Paging,
  Filter extends { text: string | undefined },
  Row,
  Item,
>(
  { env, aid, query }: AppRequest<Query>,
  toFilter: (env: Environment, aid: string, query: Query) => Promise<Filter>,
  search: (db: Db, filter: Filter, window: Window) => Promise<{ rows: Row[]; total: number }>,
  toItems: ToItems<Row, Item>,
): Promise<Page<Item>> {
  const { read } = env.database
  const filter = await toFilter(env, aid, query)
  const { rows, total } = await search(read, filter, windowOf(query))
  const isCut = await exceedsPrefixLimit(read, aid, filter.text)
  return toPage(await toItems(read, aid, rows), total, query, isCut)
}

type Window = ReturnType<typeof windowOf>

/** Reads the filters that the lists of records share: the resource, the reader and the search text. */
export const readRecordFilter = (query: { rid?: string; uid?: string; q?: string }) => ({
  rid: readFilter('rid', query.rid, fields.rid),
  uid: readFilter('uid', query.uid, fields.userRef),
  text: readOptionalField('q', query.q, fields.searchText),
})

/** The text of a search box. */
export const searchTextSchema = Type.Optional(Type.String({ maxLength: 255 }))

/** The sort order of a list: a column, with `-` for the largest or latest first. */
export const sortSchema = <C extends string>(columns: readonly C[]) =>
  Type.Optional(Type.Enum(sortsOf(columns)))
