import { refresh } from '../../parts/refresh.ts'
import { toast } from '../../parts/toast.tsx'
import { problemOf } from '../../parts/use-form.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'

/** Reads all of this application anew. */
export function useRefresh(): () => Promise<void> {
  const place = usePlace()
  return () => refresh(place)
}

/** For `undo` of a toast: takes something back, and says that it did or could not. */
export function useUndo(): (work: () => Promise<unknown>) => () => void {
  const place = usePlace()
  return (work) => () =>
    void work()
      .then(async () => {
        await refresh(place)
        toast(texts.access.undone)
      })
      .catch((error) => toast(problemOf(error), { failed: true }))
}
