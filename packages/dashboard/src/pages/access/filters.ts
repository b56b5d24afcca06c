import { useMemo } from 'react'
import type { Filter } from '../../components/lists/list-filters.tsx'
import { texts } from '../../texts.ts'
import { toOptions, useResourceOptions } from './resource-options.ts'

const { filters, states, renewing, unrevoked, anyState } = texts.access

const STATE: Filter = {
  name: 'state',
  label: filters.state,
  options: [
    { value: 'live', label: states.live },
    { value: 'ending', label: states.ending },
    { value: 'renewing', label: renewing },
    { value: 'expired', label: states.expired },
    { value: 'unrevoked', label: unrevoked },
    { value: 'revoked', label: states.revoked },
    { value: 'any', label: anyState },
  ],
}

/** The filters of the API. Resources are selected by name unless there are too many. */
export function useAccessFilters(): readonly Filter[] {
  const { items } = useResourceOptions()
  return useMemo(() => {
    const rid: Filter = {
      name: 'rid',
      label: filters.rid,
      ...(items ? { options: toOptions(items) } : {}),
    }
    const typed = (['email', 'user_ref', 'tag', 'uid'] as const).map((name) => ({
      name,
      label: filters[name],
    }))
    const days: Filter[] = [
      { name: 'from', label: filters.from, day: 'first' },
      { name: 'to', label: filters.to, day: 'last' },
    ]
    return [STATE, rid, ...typed, ...days]
  }, [items])
}
