import { keys } from '../../api.ts'
import { toast } from '../../parts/toast.tsx'
import { problemOf } from '../../parts/use-form.ts'
import { usePlace } from '../../place.ts'
import { queryClient } from '../../query-client.ts'
import { texts } from '../../texts.ts'

/** Reads all of this application anew: one change shows on many pages. */
export function useRefresh(): () => Promise<void> {
  const { environment, aid } = usePlace()
  return () => queryClient.invalidateQueries({ queryKey: keys.of(environment, aid) })
}

/** For `undo` of a toast: takes something back, and says that it did or could not. */
export function useUndo(): (work: () => Promise<unknown>) => () => void {
  const refresh = useRefresh()
  return (work) => () =>
    void work()
      .then(async () => {
        await refresh()
        toast(texts.access.undone)
      })
      .catch((error) => toast(problemOf(error), { failed: true }))
}
