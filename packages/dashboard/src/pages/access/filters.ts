import type { Filter } from '../../components/lists/list-filters.tsx'
import { PERSON_FILTER } from '../../components/lists/person-filter.tsx'
import { texts } from '../../texts.ts'

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

/** The filters of the list. Those that name a person are set by links from other pages: the search box finds people. */
export const ACCESS_FILTERS: readonly Filter[] = [
  STATE,
  { name: 'rid', label: filters.rid, isResource: true },
  { name: 'tag', label: filters.tag },
  { name: 'from', label: filters.from, day: 'first' },
  { name: 'to', label: filters.to, day: 'last' },
  { name: 'email', label: filters.email, isHidden: true },
  { name: 'user_ref', label: filters.user_ref, isHidden: true },
  PERSON_FILTER,
]
