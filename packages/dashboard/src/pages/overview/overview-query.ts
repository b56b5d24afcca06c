import type { Overview } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, keys } from '../../api.ts'
import type { AppScope } from '../../app-scope.ts'

export const RANGES = [7, 30, 90] as const
export type Range = (typeof RANGES)[number]

/** Reads the number of days from the URL. */
export const rangeIn = ({ days }: { days?: string }): Range =>
  RANGES.find((range) => String(range) === days) ?? 30

export const overviewQuery = ({ environment, aid, path }: AppScope, days: Range) =>
  queryOptions({
    queryKey: keys.of(environment, aid, 'overview', days),
    queryFn: ({ signal }) => get<Overview>(path('overview'), { days }, signal),
    placeholderData: keepPreviousData,
  })
