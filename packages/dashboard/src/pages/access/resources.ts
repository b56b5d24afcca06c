import { useQuery } from '@tanstack/react-query'
import type {
  ResourceItem,
  ResourcePage,
} from '../../../../server/src/http/dashboard/resources/schemas.ts'
import { get, keys } from '../../api.ts'
import type { Option } from '../../parts/forms/select.tsx'
import { usePlace } from '../../place.ts'

/** Above this number there is no selection: the rid is typed. */
const MOST = 100

interface Offered {
  /** Undefined while loading, and if there are too many. */
  items: readonly ResourceItem[] | undefined
  tooMany: boolean
}

/** The resources to which access can be granted. */
export function useResources(): Offered {
  const { environment, aid, path } = usePlace()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'resources', 'offered'),
    queryFn: ({ signal }) => get<ResourcePage>(path('resources'), { pagesize: MOST }, signal),
    staleTime: 60_000,
  })
  const tooMany = data !== undefined && data.total > MOST
  return { items: tooMany ? undefined : data?.data, tooMany }
}

export const optionsOf = (items: readonly ResourceItem[]): Option[] =>
  items.map(({ rid, name }) => ({ value: rid, label: name === rid ? rid : `${name} (${rid})` }))
