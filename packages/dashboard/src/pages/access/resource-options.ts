import type { ResourceItem, ResourcePage } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import type { Option } from '../../components/forms/select.tsx'

/** Above this number there is no selection: the rid is typed. */
const MAX_OPTIONS = 100

interface ResourceOptions {
  /** Undefined while loading, and if there are too many. */
  items: readonly ResourceItem[] | undefined
  tooMany: boolean
}

/** The resources to which access can be granted. */
export function useResourceOptions(): ResourceOptions {
  const { environment, aid, path } = useAppScope()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'resources', 'offered'),
    queryFn: ({ signal }) =>
      get<ResourcePage>(path('resources'), { pagesize: MAX_OPTIONS }, signal),
    staleTime: 60_000,
  })
  const tooMany = data !== undefined && data.total > MAX_OPTIONS
  return { items: tooMany ? undefined : data?.data, tooMany }
}

export const toOptions = (items: readonly ResourceItem[]): Option[] =>
  items.map(({ rid, name }) => ({ value: rid, label: name === rid ? rid : `${name} (${rid})` }))
