import { Type } from 'typebox'

/** Minor units; the app writes them as the currency asks. */
export interface Money {
  amount: number
  currency: string
}

/** A stretch of a list, and the count of all. */
export interface Page<T> {
  data: T[]
  total: number
  page: number
  pagesize: number
  /** More fit what was typed than are looked at: the list and its total are of the first of them. */
  is_cut: boolean
}

const LARGEST_PAGE = 100
const DEFAULT_PAGE = 50

/** The parameters of a list. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  pagesize: Type.Optional(Type.Integer({ minimum: 1, maximum: LARGEST_PAGE })),
}

export interface Paging {
  page?: number
  pagesize?: number
}

export function windowOf({ page = 0, pagesize = DEFAULT_PAGE }: Paging) {
  return { offset: page * pagesize, limit: pagesize }
}

export function pageOf<T>(
  data: T[],
  total: number,
  { page = 0, pagesize = DEFAULT_PAGE }: Paging,
  isCut = false,
): Page<T> {
  return { data, total, page, pagesize, is_cut: isCut }
}

/** What is typed into a box that searches. */
export const searched = Type.Optional(Type.String({ maxLength: 255 }))
