import { problemOf } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/overlays/toast.tsx'
import { refresh } from '../../parts/refresh.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'

/** Refetches all data of this application. */
export function useRefresh(): () => Promise<void> {
  const place = usePlace()
  return () => refresh(place)
}

/** For the `undo` of a toast: reverts an action and reports whether that worked. */
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
