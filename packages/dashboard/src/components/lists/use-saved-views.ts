import type { SavedViewItem } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { get, keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { queryClient } from '../../query-client.ts'
import { errorMessage } from '../forms/use-form.ts'
import { toast } from '../overlays/toast.tsx'

interface Listed {
  data: SavedViewItem[]
}

interface ViewChange {
  name?: string
  search?: Readonly<Record<string, string>>
  is_default?: boolean
}

/** The views of one list that the member has saved; undefined until they are loaded. */
export function useSavedViews(list: string) {
  const { environment, aid, path } = useAppScope()
  const queryKey = keys.of(environment, aid, 'views')
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => get<Listed>(path('views'), {}, signal),
    staleTime: 60_000,
  })
  const keep = (next: Listed) => queryClient.setQueryData(queryKey, { data: next.data })
  return {
    views: data?.data.filter((view) => view.list === list),
    async save(name: string, search: ViewChange['search']): Promise<SavedViewItem | undefined> {
      const done = await send<Listed & { id: string }>('POST', path('views'), {
        ...{ list, name, search },
      })
      keep(done)
      return done.data.find(({ id }) => id === done.id)
    },
    /** Throws if the server refuses it. */
    async set({ id }: SavedViewItem, changed: ViewChange): Promise<void> {
      keep(await send<Listed>('PATCH', path('views', id), changed))
    },
    /** Says what was done, or what went wrong. */
    async change({ id }: SavedViewItem, changed: ViewChange, said: string): Promise<void> {
      try {
        keep(await send<Listed>('PATCH', path('views', id), changed))
        toast(said)
      } catch (error) {
        toast(errorMessage(error), { failed: true })
      }
    },
    async remove({ id }: SavedViewItem): Promise<void> {
      keep(await send<Listed>('DELETE', path('views', id)))
    },
  }
}
