import type { Figures, Overview, RangePreset } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, keys } from '../../api.ts'
import type { AppScope } from '../../app-scope.ts'

/** The names of the ranges, in the order in which they are offered. */
export const PRESETS: readonly RangePreset[] = [
  '7d',
  '30d',
  '90d',
  'month',
  'last_month',
  'quarter',
  'year',
]

/** The search parameters in the URL of the page. */
export interface FiguresSearch {
  range?: string
  first?: string
  last?: string
  currency?: string
}

/** The parameters of the API for an address. Without any, the last 30 days are shown. */
export function figuresParameters({ range, first, last, currency }: FiguresSearch) {
  const money = currency === undefined ? {} : { currency }
  if (first !== undefined && last !== undefined) return { first, last, ...money }
  return { range: PRESETS.find((preset) => preset === range) ?? '30d', ...money }
}

export const overviewQuery = ({ environment, aid, path }: AppScope) =>
  queryOptions({
    queryKey: keys.of(environment, aid, 'overview'),
    queryFn: ({ signal }) => get<Overview>(path('overview'), {}, signal),
  })

export const figuresQuery = ({ environment, aid, path }: AppScope, search: FiguresSearch) => {
  const parameters = figuresParameters(search)
  return queryOptions({
    queryKey: keys.of(environment, aid, 'figures', JSON.stringify(parameters)),
    queryFn: ({ signal }) => get<Figures>(path('figures'), parameters, signal),
    placeholderData: keepPreviousData,
  })
}
