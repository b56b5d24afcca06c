import { Type } from 'typebox'
import { sortsOf } from '../../db/queries/sort.ts'

/** In minor units; the app formats them for the currency. */
export interface Money {
  amount: number
  currency: string
}

/** One page of a list, and the total count. */
export interface Page<T> {
  data: T[]
  total: number
  page: number
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

/** The text of a search box. */
export const searchTextSchema = Type.Optional(Type.String({ maxLength: 255 }))

/** The sort order of a list: a column, with `-` for the largest or latest first. */
export const sortSchema = <C extends string>(columns: readonly C[]) =>
  Type.Optional(Type.Enum(sortsOf(columns)))
